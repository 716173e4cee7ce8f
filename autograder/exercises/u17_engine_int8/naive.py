"""What speed in unit 17 is measured against: a product that loads a word for every step of it."""

from __future__ import annotations

from numba import int8, int32

from autograder.backend import cuda


@cuda.jit
def products_byte_by_byte(a, b, sums):
    """The same sums, each word loaded four times. a: (n_rows, n_words), b: (n_words, n_cols) int32, four steps each."""
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for k in range(4 * a.shape[1]):
            shift = 8 * (k % 4)
            acc = int32(acc + int8(a[row, k // 4] >> shift) * int8(b[k // 4, col] >> shift))
        sums[row, col] = acc
