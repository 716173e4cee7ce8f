"""Answers to attention.attention_tensor."""

import math

import numpy as np
from numba import cuda, float32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import (
    bits16,
    commit_copies,
    copy16_async,
    halves,
    ldmatrix,
    ldmatrix_transposed,
    mma,
    store16,
    wait_copies,
)

FULL_WARP = 0xFFFFFFFF
LOWEST = float32(-3.4028234663852886e38)
float16 = np.float16
SIDE, TILE = 64, 64 * 64
OF_KEYS, OF_VALUES, TILES = TILE, 3 * TILE, 5 * TILE
PER_SCORE = float32(math.log2(math.e) / math.sqrt(SIDE))


@cuda.jit(device=True, forceinline=True)
def place(row, c):
    """Where number c of a row lies in its tile: pieces of 8 are exchanged, so that 8 rows of a column meet 8 banks."""
    return SIDE * row + 8 * ((c // 8) ^ (row % 8)) + c % 8


@cuda.jit(device=True, forceinline=True)
def copy_rows(tiles, start, src, head, first):
    """Begin to copy a tile of 64 rows of src, if there is one, with zeros past the last row, and close the group."""
    row, c = cuda.threadIdx.x // 8, 8 * (cuda.threadIdx.x % 8)
    if first < src.shape[1]:
        for r in range(row, SIDE, 16):
            if first + r < src.shape[1]:
                copy16_async(tiles, start + place(r, c), src, (head, first + r, c))
            else:
                store16(tiles, start + place(r, c), (uint32(0), uint32(0), uint32(0), uint32(0)))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def four(x, i):
    """Row i of a small array of four columns, as a tuple."""
    return x[i, 0], x[i, 1], x[i, 2], x[i, 3]


@cuda.jit(device=True, forceinline=True)
def keep(x, i, numbers):
    """Store a tuple of four as row i."""
    x[i, 0], x[i, 1], x[i, 2], x[i, 3] = numbers


@cuda.jit(device=True, forceinline=True)
def word(x, y):
    """Two numbers, rounded to float16, in a word: x in its lower half."""
    return bits16(float16(x)) | bits16(float16(y)) << uint32(16)


@cuda.jit(device=True, forceinline=True)
def mask_end(s, first, n, lane):
    """Keys past the last get the lowest score."""
    if first + SIDE > n:
        for j in range(8):
            for e in range(4):
                if first + 8 * j + 2 * (lane % 4) + e % 2 >= n:
                    s[j, e] = LOWEST


@cuda.jit(device=True, forceinline=True)
def put_rows(out, head, i, lane, acc, total):
    """Divide, and store what a lane has of rows i and i + 8."""
    for r in range(2):
        if i + 8 * r < out.shape[1]:
            for j in range(8):
                for e in range(2):
                    out[head, i + 8 * r, 8 * j + 2 * (lane % 4) + e] = float16(acc[j, 2 * r + e] / total[r])


LOG2_E = float32(math.log2(math.e))
SCALE = float32(1 / math.sqrt(SIDE))
ALL = TILES + TILE


@right("powers_of_e")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp(SCALE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp(SCALE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@right("scores_scaled_as_they_come")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, (PER_SCORE * x[0], PER_SCORE * x[1], PER_SCORE * x[2], PER_SCORE * x[3]))
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(top[r] - higher)
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(s[j, e] - higher)
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@right("one_tile_of_each")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    wait_copies(0)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    for first in range(0, n, SIDE):
        wait_copies(0)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES, v, head, first)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(0)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS, k, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@right("total_of_rounded_weights")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for i in range(4):
                pair = halves(weights[i])
                total[i % 2] += pair[0] + pair[1]
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@right("both_rows_written_out")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        high = max(s[0, 0], s[0, 1])
        low = max(s[0, 2], s[0, 3])
        for j in range(1, 8):
            high = max(high, max(s[j, 0], s[j, 1]))
            low = max(low, max(s[j, 2], s[j, 3]))
        d = 2
        while d > 0:
            high = max(high, cuda.shfl_xor_sync(FULL_WARP, high, d))
            low = max(low, cuda.shfl_xor_sync(FULL_WARP, low, d))
            d //= 2
        high, low = max(top[0], high), max(top[1], low)
        f, g = math.exp2(PER_SCORE * top[0] - PER_SCORE * high), math.exp2(PER_SCORE * top[1] - PER_SCORE * low)
        top[0], top[1] = high, low
        mine, other = float32(0), float32(0)
        for j in range(8):
            s[j, 0] = math.exp2(PER_SCORE * s[j, 0] - PER_SCORE * high)
            s[j, 1] = math.exp2(PER_SCORE * s[j, 1] - PER_SCORE * high)
            s[j, 2] = math.exp2(PER_SCORE * s[j, 2] - PER_SCORE * low)
            s[j, 3] = math.exp2(PER_SCORE * s[j, 3] - PER_SCORE * low)
            mine += s[j, 0] + s[j, 1]
            other += s[j, 2] + s[j, 3]
            keep(acc, j, (acc[j, 0] * f, acc[j, 1] * f, acc[j, 2] * g, acc[j, 3] * g))
        total[0] = total[0] * f + mine
        total[1] = total[1] * g + other
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@right("keys_in_sixteens_and_a_mask_of_its_own")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(0, 8, 2):
            x, z = nothing, nothing
            for c in range(4):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 16, 16 * c + 8 * (lane // 16)))
                x = mma(four(a, c), (y[0], y[2]), x)
                z = mma(four(a, c), (y[1], y[3]), z)
            keep(s, j, x)
            keep(s, j + 1, z)
        for j in range(8):
            key = first + 8 * j + 2 * (lane % 4)
            if key >= n:
                s[j, 0] = s[j, 2] = LOWEST
            if key + 1 >= n:
                s[j, 1] = s[j, 3] = LOWEST
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@right("results_times_one_over_the_total")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
        share = float32(1) / total[r]
        i = i0 + 16 * w + 8 * r + lane // 4
        j = 0
        while j < 8 and i < n:
            out[head, i, 8 * j + 2 * (lane % 4)] = float16(share * acc[j, 2 * r])
            out[head, i, 8 * j + 2 * (lane % 4) + 1] = float16(share * acc[j, 2 * r + 1])
            j += 1


@wrong("maximum_of_own_columns", misconception="lanes_maximum", says="maximum of its own columns")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("total_of_own_columns", misconception="lanes_divide_alone", says="total of its own columns")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("second_word_of_the_next_columns", misconception="words_exchanged", says="second and the third word")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(y[0], y[1]), word(x[2], x[3]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("keys_transposed", misconception="keys_turned", says="a key is a column of the product")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix_transposed(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("values_as_they_lie", misconception="values_not_turned", says="two rows of one column")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("rows_of_each_other", misconception="rows_exchanged", says="each other's result")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    for r in range(2):
        i = i0 + 16 * w + lane // 4 + 8 - 8 * r
        for j in range(8):
            for e in range(2):
                if i < n:
                    out[head, i, 8 * j + 2 * (lane % 4) + e] = float16(acc[j, 2 * r + e] / total[r])


@wrong("result_not_rescaled", misconception="result_not_rescaled", says="relative to an older maximum")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("total_not_rescaled", misconception="total_not_rescaled", says="relative to an older maximum")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("missing_keys_have_a_share", misconception="padding_counted", says="missing keys count")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("two_to_the_score", misconception="powers_of_two", says="2 to the power")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(SCALE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(SCALE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("not_scaled", misconception="not_scaled", says="1 / sqrt(64)")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(LOG2_E * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(LOG2_E * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("no_maximum", misconception="no_maximum", says="overflow")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = float32(0), float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = float32(0)
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("no_barrier_before_the_values", misconception="missing_barrier", says="no barrier between them")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("waits_for_too_few", misconception="copy_not_waited", says="nothing has waited for it")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(2)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


@wrong("weights_through_shared_memory", misconception="through_shared_memory", says="in registers")
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    tiles = cuda.shared.array(ALL, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)
    s = cuda.local.array((8, 4), float32)
    acc = cuda.local.array((8, 4), float32)
    top = cuda.local.array(2, float32)
    total = cuda.local.array(2, float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c), y[:2], x)
                x = mma(four(a, c + 1), y[2:], x)
            keep(s, j, x)
        mask_end(s, first, n, lane)
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        wait_copies(1)
        cuda.syncthreads()
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        for c in range(4):
            for j in range(2):
                for e in range(4):
                    row = 16 * w + lane // 4 + 8 * (e // 2)
                    tiles[TILES + place(row, 16 * c + 8 * j + 2 * (lane % 4) + e % 2)] = float16(s[2 * c + j, e])
            cuda.syncwarp()
            weights = ldmatrix(tiles, TILES + place(16 * w + lane % 16, 16 * c + 8 * (lane // 16)))
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        now, free = free, now
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)
