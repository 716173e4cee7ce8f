"""An inclusive prefix sum of a block, from one half of a buffer into the other."""

import numpy as np
from numba import cuda, float64

N = 128


@cuda.jit
def scan(x, out):
    buffer = cuda.shared.array((2, N), float64)
    t = cuda.threadIdx.x
    here = 0
    buffer[here, t] = x[t]
    cuda.syncthreads()
    step = 1
    while step < N:
        there = 1 - here
        if t >= step:
            buffer[there, t] = buffer[here, t] + buffer[here, t - step]
        else:
            buffer[there, t] = buffer[here, t]
        cuda.syncthreads()
        here = there
        step *= 2
    out[t] = buffer[here, t]


x = np.arange(N, dtype=np.float64)
out = np.zeros(N)
scan[1, N](x, out)
np.testing.assert_array_equal(out, np.cumsum(x))
