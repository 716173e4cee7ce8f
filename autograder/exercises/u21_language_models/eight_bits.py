"""Weights of 8 bits times one vector: what stands in unit 21 between those of 16 bits and those of 4, to be read."""

from __future__ import annotations

from numba import float32, int8, uint32

from autograder.backend import cuda
from autograder.notebook.intrinsics import halves, load16

WARP, FULL_WARP = 32, 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def four(word, x, at):
    """The sum of a word's four signed bytes times x[at] to x[at + 3], which are two words of float16."""
    low = float32(int8(word)) * x[at] + float32(int8(word >> uint32(8))) * x[at + 1]
    return low + float32(int8(word >> uint32(16))) * x[at + 2] + float32(int8(word >> uint32(24))) * x[at + 3]


@cuda.jit(device=True, forceinline=True)
def eight(src, at):
    """Eight float16 neighbours from src[at] on, as float32: one load of 16 bytes."""
    words = load16(src, at)
    a, b = halves(words[0])
    c, d = halves(words[1])
    e, f = halves(words[2])
    g, h = halves(words[3])
    return a, b, c, d, e, f, g, h


@cuda.jit
def eight_bit_product(packed, scales, x, y):
    """y = weights x, a warp per row. packed: (n_rows, n_cols) int8, scales: (n_rows, n_cols / 32) float16,
    x: (n_cols,) float16, y: (n_rows,) float32; n_cols is a multiple of 32."""
    lane, row = cuda.threadIdx.x % WARP, cuda.grid(1) // WARP
    if row >= packed.shape[0]:
        return
    acc = float32(0)
    for half in range(lane, 2 * scales.shape[1], WARP):  # of a group: 16 weights, one load of 16 bytes
        words = load16(packed, (row, 16 * half))
        low, high = eight(x, 16 * half), eight(x, 16 * half + 8)
        part = four(words[0], low, 0) + four(words[1], low, 4) + four(words[2], high, 0) + four(words[3], high, 4)
        acc += float32(scales[row, half // 2]) * part
    d = 16
    while d > 0:
        acc += cuda.shfl_xor_sync(FULL_WARP, acc, d)
        d //= 2
    if lane == 0:
        y[row] = acc
