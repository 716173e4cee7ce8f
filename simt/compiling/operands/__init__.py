"""Operands and arguments that do not fit: what they are, and which forms of a call numba refuses."""
