"""A softmax a row, a block a row."""

import math

import numpy as np
from numba import cuda, float32

THREADS = 64


@cuda.jit
def softmax(x, out):
    tile = cuda.shared.array(THREADS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    best = float32(-np.inf)
    for c in range(t, x.shape[1], THREADS):
        best = max(best, x[row, c])
    tile[t] = best
    cuda.syncthreads()
    half = THREADS // 2
    while half:
        if t < half:
            tile[t] = max(tile[t], tile[t + half])
        cuda.syncthreads()
        half //= 2
    best = tile[0]
    cuda.syncthreads()
    total = float32(0)
    for c in range(t, x.shape[1], THREADS):
        total += math.exp(x[row, c] - best)
    tile[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half:
        if t < half:
            tile[t] += tile[t + half]
        cuda.syncthreads()
        half //= 2
    for c in range(t, x.shape[1], THREADS):
        out[row, c] = math.exp(x[row, c] - best) / tile[0]


x = np.random.default_rng(0).normal(size=(5, 150)).astype(np.float32)
out = np.zeros_like(x)
softmax[5, THREADS](x, out)
np.testing.assert_allclose(out.sum(1), 1, rtol=1e-5)
