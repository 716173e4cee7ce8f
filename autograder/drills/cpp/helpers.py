"""What translated programs are given: C's division, and what CUDA has and numba has no name for."""

from __future__ import annotations

HELPERS = """from autograder.notebook.intrinsics import load16, store16
from numba import boolean, uint8, uint16, uint64
from numba.cuda import libdevice


@cuda.jit(device=True)
def c_quotient(a, b):
    q = a // b
    return q + int64((q * b != a) and ((a < 0) != (b < 0)))


@cuda.jit(device=True)
def c_remainder(a, b):
    return a - c_quotient(a, b) * b


@cuda.jit(device=True)
def c_reduce_add(mask, value):
    total = value - value
    for lane in range(32):
        if (mask >> lane) & 1:
            total += cuda.shfl_sync(mask, value, lane)
    return total


@cuda.jit(device=True)
def c_reduce_max(mask, value):
    best = value
    for lane in range(32):
        if (mask >> lane) & 1:
            best = max(best, cuda.shfl_sync(mask, value, lane))
    return best


@cuda.jit(device=True)
def c_reduce_min(mask, value):
    best = value
    for lane in range(32):
        if (mask >> lane) & 1:
            best = min(best, cuda.shfl_sync(mask, value, lane))
    return best
"""
