"""Odd-even transposition sort of one block, in shared memory."""

import numpy as np
from numba import cuda, int32

N = 64


@cuda.jit
def sort(values):
    tile = cuda.shared.array(N, int32)
    t = cuda.threadIdx.x
    tile[t] = values[t]
    for phase in range(N):
        cuda.syncthreads()
        if t % 2 == phase % 2 and t + 1 < N:
            if tile[t] > tile[t + 1]:
                tile[t], tile[t + 1] = tile[t + 1], tile[t]
    cuda.syncthreads()
    values[t] = tile[t]


values = np.random.default_rng(3).permutation(N).astype(np.int32)
sort[1, N](values)
np.testing.assert_array_equal(values, np.arange(N))
