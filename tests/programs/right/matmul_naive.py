"""A matrix product with one thread an element, and a grid with a ragged end."""

import math

import numpy as np
from numba import cuda


@cuda.jit
def matmul(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, col]
        c[row, col] = total


rng = np.random.default_rng(0)
a, b = rng.random((30, 17)), rng.random((17, 21))
c = np.zeros((30, 21))
block = (8, 8)
grid = math.ceil(c.shape[0] / block[0]), math.ceil(c.shape[1] / block[1])
matmul[grid, block](a, b, c)
np.testing.assert_allclose(c, a @ b)
