"""Answers to compression.sparse_products."""

import numpy as np
from numba import cuda, float32, int32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import (
    commit_copies,
    copy16_async,
    copy_async,
    ldmatrix,
    ldmatrix_transposed,
    mma_sparse,
    wait_copies,
)

float16 = np.float16

A_STAGE, B_STAGE, WORD_STAGE = 128 * 16, 32 * 128, 128  # elements of a stage
A_STAGES, B_STAGES, WORD_STAGES = 3 * A_STAGE, 3 * B_STAGE, 3 * WORD_STAGE


@cuda.jit(device=True, forceinline=True)
def place_a(row, k):
    """Where stored element (row, k) of a stage lies: rows of 16, the halves of every other four rows exchanged."""
    return 16 * row + 8 * ((k // 8) ^ (row // 4 % 2)) + k % 8


@cuda.jit(device=True, forceinline=True)
def place_b(k, col):
    """Where element (k, col) of a stage lies: rows of 128, pieces of 8 exchanged within a row."""
    return 128 * k + 8 * ((col // 8) ^ (k % 8)) + col % 8


@cuda.jit(device=True, forceinline=True)
def copy_stage(tile_a, tile_b, words, stage, packed, places, b, k0):
    """Begin to copy columns k0 to k0 + 31 of a, as far as there are any, and close the group."""
    t, row0, col0 = cuda.threadIdx.x, 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    if k0 < b.shape[0]:
        row, k = t // 2, 8 * (t % 2)
        for i in range(2):
            copy16_async(tile_a, stage * A_STAGE + place_a(row + 64 * i, k), packed, (row0 + row + 64 * i, k0 // 2 + k))
        k, col = t // 16, 8 * (t % 16)
        for i in range(4):
            copy16_async(tile_b, stage * B_STAGE + place_b(k + 8 * i, col), b, (k0 + k + 8 * i, col0 + col))
        copy_async(words, stage * WORD_STAGE + t, places, (k0 // 32, row0 + t))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def sparse_row(acc, a, told, y0, y1, y2, y3, y4, y5, y6, y7):
    """16 rows of 64 columns: eight fragments of c, from one of a, its places, and eight of b."""
    return (
        mma_sparse(a, y0, told, acc[0]),
        mma_sparse(a, y1, told, acc[1]),
        mma_sparse(a, y2, told, acc[2]),
        mma_sparse(a, y3, told, acc[3]),
        mma_sparse(a, y4, told, acc[4]),
        mma_sparse(a, y5, told, acc[5]),
        mma_sparse(a, y6, told, acc[6]),
        mma_sparse(a, y7, told, acc[7]),
    )


@cuda.jit(device=True, forceinline=True)
def put_row(c, row, col, x):
    """One lane's part of 16 rows of 64 columns."""
    for i in range(8):
        c[row, col + 8 * i], c[row, col + 8 * i + 1] = x[i][0], x[i][1]
        c[row + 8, col + 8 * i], c[row + 8, col + 8 * i + 1] = x[i][2], x[i][3]


@cuda.jit(device=True, forceinline=True)
def told(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    shift = 16 * (lane % 2)  # the half of columns 0 to 15, or of 16 to 31
    low = words[first + lane // 4] >> shift & 0xFFFF
    high = words[first + lane // 4 + 8] >> shift & 0xFFFF
    return uint32(low | high << 16)


@cuda.jit(device=True, forceinline=True)
def told_exchanged(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    shift = 16 * (lane % 2)  # the half of columns 0 to 15, or of 16 to 31
    low = words[first + lane // 4] >> shift & 0xFFFF
    high = words[first + lane // 4 + 8] >> shift & 0xFFFF
    return uint32(high | low << 16)


@cuda.jit(device=True, forceinline=True)
def told_once(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    shift = 16 * (lane % 2)  # the half of columns 0 to 15, or of 16 to 31
    low = words[first + lane // 4] >> shift & 0xFFFF
    high = words[first + lane // 4] >> shift & 0xFFFF
    return uint32(low | high << 16)


@cuda.jit(device=True, forceinline=True)
def told_turned(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    shift = 16 * (1 - lane % 2)  # the half of columns 0 to 15, or of 16 to 31
    low = words[first + lane // 4] >> shift & 0xFFFF
    high = words[first + lane // 4 + 8] >> shift & 0xFFFF
    return uint32(low | high << 16)


@cuda.jit(device=True, forceinline=True)
def told_lower(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    shift = 0  # the half of columns 0 to 15, or of 16 to 31
    low = words[first + lane // 4] >> shift & 0xFFFF
    high = words[first + lane // 4 + 8] >> shift & 0xFFFF
    return uint32(low | high << 16)


@cuda.jit(device=True, forceinline=True)
def told_added(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    shift = 16 * (lane % 2)  # the half of columns 0 to 15, or of 16 to 31
    low = words[first + lane // 4] >> shift & 0xFFFF
    high = words[first + lane // 4 + 8] >> shift & 0xFFFF
    return uint32(low | high)


@cuda.jit(device=True, forceinline=True)
def told_whole(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    low = words[first + lane // 4]
    high = words[first + lane // 4 + 8]
    return uint32(low if lane % 2 == 0 else high)


@cuda.jit(device=True, forceinline=True)
def told_by_signs(words, first, lane):
    """This lane's word of places for 16 rows. words: of a row each, from words[first] on."""
    shift = 16 * (lane % 2)  # the half of columns 0 to 15, or of 16 to 31
    low = (words[first + lane // 4] >> shift) % 65536
    high = (words[first + lane // 4 + 8] >> shift) % 65536
    return uint32(low + 65536 * high)


@cuda.jit(device=True, forceinline=True)
def row_anew(acc, a, told, tile, first, lane, col):
    """As sparse_row, with b's fragments loaded for these 16 rows alone."""
    return (
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 0)), told, acc[0]),
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 8)), told, acc[1]),
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 16)), told, acc[2]),
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 24)), told, acc[3]),
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 32)), told, acc[4]),
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 40)), told, acc[5]),
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 48)), told, acc[6]),
        mma_sparse(a, ldmatrix_transposed(tile, first + place_b(lane, col + 56)), told, acc[7]),
    )


@right("a_row_at_a_time")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 0))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        a0, a1, a2, a3 = acc
        x = ldmatrix(tile_a, at_a + place_a(row_a + 0, k_a))
        a0 = sparse_row(a0, x, told(words, at_w + 0, lane), y0, y1, y2, y3, y4, y5, y6, y7)
        x = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a))
        a1 = sparse_row(a1, x, told(words, at_w + 16, lane), y0, y1, y2, y3, y4, y5, y6, y7)
        x = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a))
        a2 = sparse_row(a2, x, told(words, at_w + 32, lane), y0, y1, y2, y3, y4, y5, y6, y7)
        x = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a))
        a3 = sparse_row(a3, x, told(words, at_w + 48, lane), y0, y1, y2, y3, y4, y5, y6, y7)
        acc = a0, a1, a2, a3
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@right("fragments_of_a_first")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        x0 = ldmatrix(tile_a, at_a + place_a(row_a + 0, k_a))
        x1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a))
        x2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a))
        x3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a))
        p0 = told_by_signs(words, at_w + 0, lane)
        p1 = told_by_signs(words, at_w + 16, lane)
        p2 = told_by_signs(words, at_w + 32, lane)
        p3 = told_by_signs(words, at_w + 48, lane)
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 0))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@right("waits_for_all_copies")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(0)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("rows_exchanged", misconception="rows_exchanged", says="the lower 16 bits")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told_exchanged(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told_exchanged(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told_exchanged(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told_exchanged(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("eight_rows_for_sixteen", misconception="rows_of_first_eight", says="eight rows before them")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told_once(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told_once(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told_once(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told_once(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("halves_exchanged", misconception="halves_exchanged", says="the first lane of four")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told_turned(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told_turned(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told_turned(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told_turned(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("lower_half_for_all", misconception="first_half_twice", says="second lane of four")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told_lower(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told_lower(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told_lower(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told_lower(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("halves_laid_over_each_other", misconception="places_out_of_order", says="places")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told_added(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told_added(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told_added(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told_added(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < 32:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("waits_for_nothing_yet", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(2)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("words_of_other_rows", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("fragments_of_b_as_of_a", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("a_word_for_each_row", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told_whole(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told_whole(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told_whole(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told_whole(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@wrong("b_loaded_anew_for_each_row", misconception="no_tensor_cores", says="ldmatrix")
@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # what this lane names in an ldmatrix of a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a + 0, k_a)), told(words, at_w + 0, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            row_anew(acc[0], x0, p0, tile_b, at_b, lane, col_w),
            row_anew(acc[1], x1, p1, tile_b, at_b, lane, col_w),
            row_anew(acc[2], x2, p2, tile_b, at_b, lane, col_w),
            row_anew(acc[3], x3, p3, tile_b, at_b, lane, col_w),
        )
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])
