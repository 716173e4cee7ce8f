"""Answers to matmul.matmul_tensor."""

import numpy as np
from numba import cuda, float32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import bits16, ldmatrix, ldmatrix_transposed, load16, mma, store16

float16 = np.float16


@cuda.jit(device=True)
def word_at(src, row, col):
    """Two neighbours of a float16 matrix in one word of 32 bits, the first in the lower half; 0 past an edge."""
    low = high = uint32(0)
    if row < src.shape[0]:
        if col < src.shape[1]:
            low = bits16(src[row, col])
        if col + 1 < src.shape[1]:
            high = bits16(src[row, col + 1])
    return low | (high << uint32(16))


@cuda.jit(device=True, forceinline=True)
def fetch8(src, row, col):
    """Eight float16 neighbours from src[row, col] on, as four words: 16 bytes, as `fetch4` does it."""
    n_rows, n_cols = src.shape
    if row < n_rows and col + 8 <= n_cols and n_cols % 8 == 0:
        return load16(src, (row, col))
    return word_at(src, row, col), word_at(src, row, col + 2), word_at(src, row, col + 4), word_at(src, row, col + 6)


@cuda.jit(device=True, forceinline=True)
def put(dst, row, col, x):
    """dst[row, col] = x, where there is such an element."""
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


@cuda.jit(device=True, forceinline=True)
def mma_row(acc, a, y0, y1, y2, y3):
    """16 rows of 64 columns: eight fragments of c, from one of a and four pairs of b."""
    return (
        mma(a, y0[:2], acc[0]),
        mma(a, y0[2:], acc[1]),
        mma(a, y1[:2], acc[2]),
        mma(a, y1[2:], acc[3]),
        mma(a, y2[:2], acc[4]),
        mma(a, y2[2:], acc[5]),
        mma(a, y3[:2], acc[6]),
        mma(a, y3[2:], acc[7]),
    )


@cuda.jit(device=True, forceinline=True)
def put_fragment(c, row, col, x):
    """One lane's four sums: c[row, col], c[row, col + 1], and the same eight rows further down."""
    put(c, row, col, x[0])
    put(c, row, col + 1, x[1])
    put(c, row + 8, col, x[2])
    put(c, row + 8, col + 1, x[3])


@cuda.jit(device=True, forceinline=True)
def put_fragments(c, row, col, x):
    """One lane's part of 16 rows of 64 columns."""
    put_fragment(c, row, col, x[0])
    put_fragment(c, row, col + 8, x[1])
    put_fragment(c, row, col + 16, x[2])
    put_fragment(c, row, col + 24, x[3])
    put_fragment(c, row, col + 32, x[4])
    put_fragment(c, row, col + 40, x[5])
    put_fragment(c, row, col + 48, x[6])
    put_fragment(c, row, col + 56, x[7])


@right("fragments_of_a_first")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            x0 = ldmatrix(tile_a, (now, row_w + 0 + row_l, k + col_l))
            x1 = ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l))
            x2 = ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l))
            x3 = ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l))
            acc = (
                mma_row(acc[0], x0, y0, y1, y2, y3),
                mma_row(acc[1], x1, y0, y1, y2, y3),
                mma_row(acc[2], x2, y0, y1, y2, y3),
                mma_row(acc[3], x3, y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("range_for_the_steps")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        for k in range(0, 32, 16):
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("one_buffer_two_barriers")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((1, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((1, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        cuda.syncthreads()
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("barrier_counts_down")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 16
        while k >= 0:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k -= 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("rows_of_48")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 48), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("fragments_by_lane_bits")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane & 15, (lane & 16) >> 1  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("b_not_turned", misconception="wrong_formula", says="c")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("one_buffer_one_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("half_of_the_depth", misconception="wrong_formula", says="c")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 16:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("a_rows_of_one_fragment", misconception="wrong_formula", says="c")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("columns_of_the_fragment_exchanged", misconception="lost_update", says="c")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + lane % 4
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("warps_exchanged", misconception="wrong_formula", says="c")
@cuda.jit
def matmul_tensor(a, b, c):
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp % 2), 64 * (warp // 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # the first of four times eight elements of a that this thread fetches
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        now = 1 - now
        k0 += 32
    row_w, col_w = col_w, row_w
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])
