"""A launch by the number of tasks."""

import numpy as np
from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


x, y = np.ones(777), np.zeros(777)
saxpy.forall(x.size)(2.0, x, y)
assert (y == 2).all()
