"""A dot product: a partial sum a thread, an atomic a block."""

import numpy as np
from numba import cuda, float64


@cuda.jit
def dot(x, y, out):
    tile = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    mine = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[i] * y[i]
    tile[t] = mine
    cuda.syncthreads()
    if t == 0:
        total = 0.0
        for k in range(cuda.blockDim.x):
            total += tile[k]
        cuda.atomic.add(out, 0, total)


x, y, out = np.arange(500.0), np.ones(500), np.zeros(1)
dot[3, 64](x, y, out)
assert out[0] == x.sum()
