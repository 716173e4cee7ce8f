"""Kernels and the intrinsics they are made of. They know arrays, addresses and constants, and nothing of networks."""
