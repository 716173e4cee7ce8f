"""A sum by halves in shared memory, a partial sum a block."""

import numpy as np
from numba import cuda, float32

THREADS = 128


@cuda.jit
def block_sums(x, sums):
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            tile[t] += tile[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = tile[0]


x = np.ones(1000, np.float32)
sums = np.zeros(8, np.float32)
block_sums[8, THREADS](x, sums)
assert 1000 == sums.sum()
