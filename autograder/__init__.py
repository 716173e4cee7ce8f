"""Warpbook's autograder."""
