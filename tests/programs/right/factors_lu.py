"""LU factors in place, two kernels a column."""

import numpy as np
from numba import cuda


@cuda.jit
def divide(a, k):
    i = cuda.grid(1) + k + 1
    if i < a.shape[0]:
        a[i, k] /= a[k, k]


@cuda.jit
def eliminate(a, k):
    j, i = cuda.grid(2)
    i, j = i + k + 1, j + k + 1
    if i < a.shape[0] and j < a.shape[0]:
        a[i, j] -= a[i, k] * a[k, j]


n = 12
matrix = np.random.default_rng(0).random((n, n)) + n * np.eye(n)
a = cuda.to_device(matrix)
for k in range(n - 1):
    divide[1, 32](a, k)
    eliminate[1, (16, 16)](a, k)
factors = a.copy_to_host()
assert np.allclose((np.tril(factors, -1) + np.eye(n)) @ np.triu(factors), matrix)
