"""Rows and columns are exchanged in the guard: right for squares only."""

import numpy as np
from numba import cuda


@cuda.jit
def scale(a, out):
    row, col = cuda.grid(2)
    if row < a.shape[1] and col < a.shape[0]:
        out[row, col] = 2 * a[row, col]  # finds: out_of_bounds


a = np.ones((10, 30))
scale[(4, 4), (8, 8)](a, np.zeros_like(a))
