"""A sum by halves with a barrier before the loop only."""

import numpy as np
from numba import cuda, float32


@cuda.jit
def block_sum(x, out):
    tile = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    cuda.syncthreads()
    half = 128
    while half > 0:
        if t < half:
            tile[t] += tile[t + half]  # finds: race
        half //= 2
    if t == 0:
        out[0] = tile[0]


block_sum[1, 256](np.ones(256, np.float32), np.zeros(1, np.float32))
