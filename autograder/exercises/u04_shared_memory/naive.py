"""What speed in unit 04 is measured against: right answers that somebody would write first.

Each has the signature of the exercise it serves, and its docstring says what it wastes.
"""

from __future__ import annotations

from numba import float32

from autograder.backend import cuda
from autograder.exercises.u04_shared_memory.values import GAUSS, REACH, ROWS, TILE

WEIGHTS = GAUSS  # a name of this module, which numba freezes into the kernel


@cuda.jit
def transpose_naive(src, dst):
    """dst = src.T straight through global memory: loads along rows, stores down columns, 32 sectors each."""
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            dst[col, row + k] = src[row + k, col]


@cuda.jit
def blur_naive(src, dst):
    """dst = src blurred with 5 x 5 weights: every thread loads 25 pixels, which its neighbours load again."""
    weights = cuda.const.array_like(WEIGHTS)
    col, row = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        acc = float32(0)
        for i in range(-REACH, REACH + 1):
            r = min(max(row + i, 0), src.shape[0] - 1)
            for j in range(-REACH, REACH + 1):
                c = min(max(col + j, 0), src.shape[1] - 1)
                acc += weights[i + REACH, j + REACH] * src[r, c]
        dst[row, col] = acc
