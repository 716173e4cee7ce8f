"""An exclusive prefix sum, up a tree and down again, with blocks joined by a second launch."""

import numpy as np
from numba import cuda, int64

N = 64


@cuda.jit
def scan_blocks(x, sums):
    tile = cuda.shared.array(N, int64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i]
    step = 1
    while step < N:
        cuda.syncthreads()
        k = (t + 1) * step * 2 - 1
        if k < N:
            tile[k] += tile[k - step]
        step *= 2
    cuda.syncthreads()
    if t == 0:
        sums[cuda.blockIdx.x] = tile[N - 1]
        tile[N - 1] = 0
    while step > 1:
        step //= 2
        cuda.syncthreads()
        k = (t + 1) * step * 2 - 1
        if k < N:
            left = tile[k - step]
            tile[k - step] = tile[k]
            tile[k] += left
    cuda.syncthreads()
    x[i] = tile[t]


@cuda.jit
def add_offsets(x, offsets):
    x[cuda.grid(1)] += offsets[cuda.blockIdx.x]


values = np.random.default_rng(0).integers(0, 9, 4 * N)
expected = np.concatenate([[0], np.cumsum(values)[:-1]])
d_values, sums = cuda.to_device(values), cuda.device_array(4, np.int64)
scan_blocks[4, N](d_values, sums)
totals = sums.copy_to_host()
add_offsets[4, N](d_values, np.concatenate([[0], np.cumsum(totals)[:-1]]))
np.testing.assert_array_equal(d_values.copy_to_host(), expected)
