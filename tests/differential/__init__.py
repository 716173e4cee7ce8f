"""Differential testing: generated kernels give the same bytes on `simt`, on a GPU, and on numba's simulator."""
