"""What speed in unit 03 is measured against: right answers that somebody would write first.

Each has the signature of the exercise it serves; its docstring says what it wastes.
"""

from __future__ import annotations

from numba import float32

from autograder.backend import cuda


@cuda.jit
def gather_a_row_each(src, rows, dst):
    """dst[r] = src[rows[r]], one thread per row: 32 lanes read 32 rows, a sector each."""
    r = cuda.grid(1)
    if r < dst.shape[0]:
        for c in range(dst.shape[1]):
            dst[r, c] = src[rows[r], c]


@cuda.jit
def copy_four_in_turn(src, start, dst):
    """dst = src[start:], four elements per thread, each stored before the next is loaded: lanes are 16 bytes apart."""
    first = 4 * cuda.grid(1)
    for i in range(first, min(first + 4, dst.size)):
        dst[i] = src[start + i]


@cuda.jit
def box_along(src, dst):
    """dst = sums of three rows, one thread per row in strips of 32 columns: 32 lanes are 32 rows, a sector each."""
    row = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if row < n_rows:
        share = (n_cols + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        for col in range(first, min(first + share, n_cols)):
            acc = src[row, col]
            if row > 0:
                acc += src[row - 1, col]
            if row + 1 < n_rows:
                acc += src[row + 1, col]
            dst[row, col] = acc + float32(0)
