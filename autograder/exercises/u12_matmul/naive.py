"""What speed in unit 12 is measured against: one thread per element, neighbours along a row."""

from __future__ import annotations

from numba import float32, int32

from autograder.backend import cuda


@cuda.jit
def matmul_one_each(a, b, c):
    """c = a b. a: (n_rows, n_inner), b: (n_inner, n_cols), c: (n_rows, n_cols) float32."""
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += float32(a[row, k]) * float32(b[k, col])
        c[row, col] = acc


@cuda.jit
def matmul_one_each_int8(a, b, c):
    """c = a b, b turned round. a: (n_rows, n_inner), b: (n_cols, n_inner) int8, c: (n_rows, n_cols) int32."""
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = int32(0)
        for k in range(a.shape[1]):
            acc += int32(a[row, k]) * int32(b[col, k])
        c[row, col] = acc
