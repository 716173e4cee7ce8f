"""The position of the largest value, found with compare-and-swap on one cell."""

import numpy as np
from numba import cuda


@cuda.jit
def largest(x, best):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.max(best, 0, x[i])


@cuda.jit
def position(x, best, at):
    i = cuda.grid(1)
    if i < x.size and x[i] == best[0]:
        cuda.atomic.compare_and_swap(at, -1, i)


x = np.random.default_rng(5).permutation(500).astype(np.int64)
best, at = np.array([-1]), np.array([-1])
largest[4, 128](x, best)
position[4, 128](x, best, at)
assert (best[0], at[0]) == (499, x.argmax())
