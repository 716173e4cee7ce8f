"""Adds two vectors with a grid-stride loop, and checks the sum."""

import numpy as np
from numba import cuda


@cuda.jit
def add(x, y, out):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, x.size, stride):
        out[i] = x[i] + y[i]


n = 10_000
x = np.arange(n, dtype=np.float32)
y = 2 * x
d_x, d_y = cuda.to_device(x), cuda.to_device(y)
d_out = cuda.device_array_like(d_x)
add[8, 128](d_x, d_y, d_out)
cuda.synchronize()
np.testing.assert_array_equal(d_out.copy_to_host(), 3 * x)
