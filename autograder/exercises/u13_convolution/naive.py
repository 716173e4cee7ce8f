"""What speed in unit 13 is measured against: one thread per output, which loads everything it needs."""

from __future__ import annotations

from numba import float32

from autograder.backend import cuda


@cuda.jit
def conv_one_each(src, weights, dst):
    """A layer, zeros past the edges. src: (n_images, n_in, n_rows, n_cols), weights: (n_out, n_in, k, k),
    dst: (n_images, n_out, n_rows, n_cols), all float32."""
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc
