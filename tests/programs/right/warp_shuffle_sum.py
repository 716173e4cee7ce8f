"""Sums by shuffles within warps, warps by an atomic."""

import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def total(x, out):
    i = cuda.grid(1)
    value = x[i] if i < x.size else 0.0
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(FULL, value, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, value)


x = np.arange(1000, dtype=np.float64)
out = np.zeros(1)
total[4, 256](x, out)
assert out[0] == x.sum()
