"""A histogram in shared memory, added to the whole one block by block."""

import numpy as np
from numba import cuda, int32

BINS = 32


@cuda.jit
def histogram(values, counts):
    mine = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        mine[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(mine, values[i], 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(counts, t, mine[t])


values = np.random.default_rng(2).integers(0, BINS, 3000)
counts = np.zeros(BINS, np.int32)
histogram[12, 256](values, counts)
np.testing.assert_array_equal(counts, np.bincount(values, minlength=BINS))
