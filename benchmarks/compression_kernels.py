"""What bench_compression times beside unit 20: a dense product in the same tile, and registers alone."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32, uint32

from autograder.notebook.intrinsics import (
    commit_copies,
    copy16_async,
    ldmatrix,
    ldmatrix_transposed,
    mma,
    mma_sparse,
    wait_copies,
)

float16 = np.float16
A_STAGE, B_STAGE = 128 * 32, 32 * 128  # elements of a stage
A_STAGES, B_STAGES = 3 * A_STAGE, 3 * B_STAGE


@cuda.jit(device=True, forceinline=True)
def place_a(row, k):
    """Where element (row, k) of a stage lies: rows of 32, pieces of 8 exchanged within a row."""
    return 32 * row + 8 * ((k // 8) ^ (row // 2 % 4)) + k % 8


@cuda.jit(device=True, forceinline=True)
def place_b(k, col):
    """Where element (k, col) of a stage lies: rows of 128, pieces of 8 exchanged within a row."""
    return 128 * k + 8 * ((col // 8) ^ (k % 8)) + col % 8


@cuda.jit(device=True, forceinline=True)
def copy_stage(tile_a, tile_b, stage, a, b, k0):
    """Begin to copy columns k0 to k0 + 31 of a, as far as there are any, and close the group."""
    t, row0, col0 = cuda.threadIdx.x, 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    if k0 < b.shape[0]:
        row, k = t // 4, 8 * (t % 4)
        for i in range(4):
            copy16_async(tile_a, stage * A_STAGE + place_a(row + 32 * i, k), a, (row0 + row + 32 * i, k0 + k))
        k, col = t // 16, 8 * (t % 16)
        for i in range(4):
            copy16_async(tile_b, stage * B_STAGE + place_b(k + 8 * i, col), b, (k0 + k + 8 * i, col0 + col))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def dense_row(acc, a, y0, y1, y2, y3):
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
def put_row(c, row, col, x):
    """One lane's part of 16 rows of 64 columns."""
    for i in range(8):
        c[row, col + 8 * i], c[row, col + 8 * i + 1] = x[i][0], x[i][1]
        c[row + 8, col + 8 * i], c[row + 8, col + 8 * i + 1] = x[i][2], x[i][3]


@cuda.jit(launch_bounds=(128, 2))
def dense_products(a, b, c):
    """c = a b in the frame of sparse_products: whole tiles of 128 x 128, 32 deep, in a ring of three stages."""
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)
    row_l, col_l = lane % 16, 8 * (lane // 16)
    copy_stage(tile_a, tile_b, 0, a, b, 0)
    copy_stage(tile_a, tile_b, 1, a, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)
        cuda.syncthreads()
        copy_stage(tile_a, tile_b, free, a, b, k0 + 64)
        at_a, at_b = now * A_STAGE, now * B_STAGE
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, at_b + place_b(k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, at_b + place_b(k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, at_b + place_b(k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, at_b + place_b(k + row_l, col_w + 48 + col_l))
            x0 = ldmatrix(tile_a, at_a + place_a(row_w + row_l, k + col_l))
            x1 = ldmatrix(tile_a, at_a + place_a(row_w + 16 + row_l, k + col_l))
            x2 = ldmatrix(tile_a, at_a + place_a(row_w + 32 + row_l, k + col_l))
            x3 = ldmatrix(tile_a, at_a + place_a(row_w + 48 + row_l, k + col_l))
            acc = (
                dense_row(acc[0], x0, y0, y1, y2, y3),
                dense_row(acc[1], x1, y0, y1, y2, y3),
                dense_row(acc[2], x2, y0, y1, y2, y3),
                dense_row(acc[3], x3, y0, y1, y2, y3),
            )
            k += 16
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


@cuda.jit
def dense_registers(n, out):
    """8 n products of 16 x 16 by 16 x 8 per warp, of zeros in registers. out: (threads,) float32."""
    x = uint32(cuda.threadIdx.x // 1024)
    z = float32(0)
    a, b, s = (x, x, x, x), (x, x), (z, z, z, z)
    s0, s1, s2, s3, s4, s5, s6, s7 = s, s, s, s, s, s, s, s
    for _ in range(n):
        s0, s1, s2, s3 = mma(a, b, s0), mma(a, b, s1), mma(a, b, s2), mma(a, b, s3)
        s4, s5, s6, s7 = mma(a, b, s4), mma(a, b, s5), mma(a, b, s6), mma(a, b, s7)
    out[cuda.grid(1)] = s0[0] + s1[1] + s2[2] + s3[3] + s4[0] + s5[1] + s6[2] + s7[3]


@cuda.jit
def sparse_registers(n, out):
    """8 n products of 16 x 32 by 32 x 8 per warp, half of the first left out. out: (threads,) float32."""
    x = uint32(cuda.threadIdx.x // 1024)
    p = uint32(0x44444444) + x
    z = float32(0)
    a, b, s = (x, x, x, x), (x, x, x, x), (z, z, z, z)
    s0, s1, s2, s3, s4, s5, s6, s7 = s, s, s, s, s, s, s, s
    for _ in range(n):
        s0, s1 = mma_sparse(a, b, p, s0), mma_sparse(a, b, p, s1)
        s2, s3 = mma_sparse(a, b, p, s2), mma_sparse(a, b, p, s3)
        s4, s5 = mma_sparse(a, b, p, s4), mma_sparse(a, b, p, s5)
        s6, s7 = mma_sparse(a, b, p, s6), mma_sparse(a, b, p, s7)
    out[cuda.grid(1)] = s0[0] + s1[1] + s2[2] + s3[3] + s4[0] + s5[1] + s6[2] + s7[3]
