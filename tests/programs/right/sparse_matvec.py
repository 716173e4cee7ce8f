"""A sparse matrix in CSR form times a vector."""

import numpy as np
from numba import cuda


@cuda.jit
def matvec(values, columns, starts, x, y):
    row = cuda.grid(1)
    if row < y.size:
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        y[row] = total


rng = np.random.default_rng(0)
dense = rng.random((30, 40)) * (rng.random((30, 40)) < 0.2)
rows, columns = map(np.ascontiguousarray, np.nonzero(dense))
starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=30))])
x, y = rng.random(40), np.zeros(30)
matvec[1, 32](dense[rows, columns], columns, starts, x, y)
np.testing.assert_allclose(y, dense @ x)
