"""The mask of a shuffle names lanes that are not there."""

import numpy as np
from numba import cuda


@cuda.jit
def neighbour(x, out):
    t = cuda.threadIdx.x
    if t < 20:
        out[t] = cuda.shfl_down_sync(0xFFFFFFFF, x[t], 1)  # finds: warp_mask


neighbour[1, 32](np.arange(32.0), np.zeros(32))
