"""Keeps the even numbers, each warp with one atomic for all its lanes."""

import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def keep_even(x, out, count):
    i = cuda.grid(1)
    keep = i < x.size and x[i] % 2 == 0
    votes = cuda.ballot_sync(FULL, keep)
    lane = cuda.laneid
    first = 0
    if lane == 0:
        first = cuda.atomic.add(count, 0, cuda.popc(votes))
    first = cuda.shfl_sync(FULL, first, 0)
    if keep:
        before = cuda.popc(votes & ((1 << lane) - 1))
        out[first + before] = x[i]


x = np.random.default_rng(0).integers(0, 100, 500)
out, count = np.zeros(500, np.int64), np.zeros(1, np.int64)
keep_even[4, 128](x, out, count)
assert sorted(out[: count[0]]) == sorted(x[x % 2 == 0])
