"""A flag that many threads raise, which the program knows to be right."""

import numpy as np
from numba import cuda


@cuda.jit
def any_above(x, limit, position):
    i = cuda.grid(1)
    if i < x.size and x[i] > limit:
        position[0] = i  # warpbook: ok race - any position will do


x, position = np.arange(100.0), np.array([-1])
any_above[1, 128](x, 50.0, position)
assert position[0] > 50
