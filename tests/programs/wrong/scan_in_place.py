"""A prefix sum whose threads overwrite what others still add."""

import numpy as np
from numba import cuda, float64


@cuda.jit
def scan(x):
    tile = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    cuda.syncthreads()
    step = 1
    while step < 64:
        if t >= step:
            tile[t] += tile[t - step]  # finds: race
        cuda.syncthreads()
        step *= 2
    x[t] = tile[t]


scan[1, 64](np.arange(64.0))
