"""Shared memory whose size the launch gives."""

import numpy as np
from numba import cuda, float32


@cuda.jit
def reverse(x):
    tile = cuda.shared.array(0, dtype=float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    cuda.syncthreads()
    x[t] = tile[cuda.blockDim.x - 1 - t]


for n in (32, 100):
    x = np.arange(n, dtype=np.float32)
    reverse[1, n, 0, 4 * n](x)
    assert (x == np.arange(n)[::-1]).all()
