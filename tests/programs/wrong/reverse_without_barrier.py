"""A tile is read before the thread that fills it is known to be done."""

import numpy as np
from numba import cuda, float32


@cuda.jit
def reverse(x, out):
    tile = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]  # finds: race
    out[t] = tile[127 - t]


reverse[1, 128](np.arange(128, dtype=np.float32), np.zeros(128, np.float32))
