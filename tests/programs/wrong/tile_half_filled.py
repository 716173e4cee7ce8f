"""The end of the last tile is never filled, and read all the same."""

import numpy as np
from numba import cuda, float32


@cuda.jit
def total(x, out):
    tile = cuda.shared.array(64, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < x.size:
        tile[t] = x[i]
    cuda.syncthreads()
    if t == 0:
        mine = float32(0)
        for k in range(64):
            mine += tile[k]  # finds: uninitialised_read
        cuda.atomic.add(out, 0, mine)


total[2, 64](np.ones(100, np.float32), np.zeros(1, np.float32))
