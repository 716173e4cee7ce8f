"""Half of the threads never come to the barrier."""

import numpy as np
from numba import cuda, float32


@cuda.jit
def halves(x, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    if t < 32:
        cuda.syncthreads()  # finds: barrier_divergence
        out[t] = tile[t] + 1
    else:
        out[t] = tile[t]


halves[1, 64](np.ones(64, np.float32), np.zeros(64, np.float32))
