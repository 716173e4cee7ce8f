"""What speed in unit 02 is measured against: a right answer that somebody would write first."""

from __future__ import annotations

from autograder.backend import cuda


@cuda.jit
def broadcast_add_naive(row, col, dst):
    """dst[i, j] = row[j] + col[i], one element per thread. dst: (n_rows, n_cols) float32."""
    j, i = cuda.grid(2)
    if i < dst.shape[0] and j < dst.shape[1]:
        dst[i, j] = row[j] + col[i]
