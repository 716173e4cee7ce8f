"""More threads than elements, and no guard."""

import numpy as np
from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    out[i] = x[i] + y[i]  # finds: out_of_bounds


n = 1000
x = np.ones(n, np.float32)
add[8, 128](cuda.to_device(x), cuda.to_device(x), cuda.device_array_like(x))
