"""Answers to shared_memory.blur_separable."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

TILE, ROWS, REACH = 32, 8, 2
SPAN_X, SPAN_Y = TILE + 2 * REACH, ROWS + 2 * REACH
TAPS = np.array([1, 4, 6, 4, 1], np.float32) / np.float32(16)
GAUSS = np.outer(TAPS, TAPS)
WIDE_TAPS = np.array([1, 4, 6, 4, 1]) / 16


@right("row_sums_numbered_through")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    mid = cuda.shared.array((SPAN_Y, TILE), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    for k in range(ty * TILE + tx, SPAN_Y * TILE, TILE * ROWS):
        y, x = k // TILE, k % TILE
        mid[y, x] = (
            taps[0] * tile[y, x]
            + taps[1] * tile[y, x + 1]
            + taps[2] * tile[y, x + 2]
            + taps[3] * tile[y, x + 3]
            + taps[4] * tile[y, x + 4]
        )
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            acc += mid[ty + i, tx] * taps[i]
        dst[row, col] = acc


@right("columns_first")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((12, 36), float32)
    mid = cuda.shared.array((8, 36), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for y in range(ty, 12, 8):
        for x in range(tx, 36, 32):
            r = min(max(cuda.blockIdx.y * 8 + y - 2, 0), src.shape[0] - 1)
            c = min(max(cuda.blockIdx.x * 32 + x - 2, 0), src.shape[1] - 1)
            tile[y, x] = src[r, c]
    cuda.syncthreads()
    k = ty * 32 + tx
    while k < 288:
        acc = float32(0)
        for i in range(5):
            acc += taps[i] * tile[k // 36 + i, k % 36]
        mid[k // 36, k % 36] = acc
        k += 256
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for j in range(5):
            acc += taps[j] * mid[ty, tx + j]
        dst[row, col] = acc


@wrong("one_barrier", misconception="missing_barrier", says="Race")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    mid = cuda.shared.array((SPAN_Y, TILE), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    for y in range(ty, SPAN_Y, ROWS):
        acc = float32(0)
        for j in range(5):
            acc += taps[j] * tile[y, tx + j]
        mid[y, tx] = acc
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            acc += taps[i] * mid[ty + i, tx]
        dst[row, col] = acc


@wrong("written_back_into_the_tile", misconception="warp_sync", says="Race")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    for k in range(ty * TILE + tx, SPAN_Y * TILE, TILE * ROWS):
        y, x = k // TILE, k % TILE
        acc = float32(0)
        for j in range(5):
            acc += taps[j] * tile[y, x + j]
        tile[y, x] = acc
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            acc += taps[i] * tile[ty + i, tx]
        dst[row, col] = acc


@wrong("halo_rows_not_blurred", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    mid = cuda.shared.array((SPAN_Y, TILE), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    acc = float32(0)
    for j in range(5):
        acc += taps[j] * tile[ty + REACH, tx + j]
    mid[ty + REACH, tx] = acc
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            acc += taps[i] * mid[ty + i, tx]
        dst[row, col] = acc


@wrong("twenty_five_products", misconception="too_much_traffic", says="five loads for each row sum")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("rows_only", misconception="one_pass", says="only the rows were blurred")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for j in range(5):
            acc += taps[j] * tile[ty + REACH, tx + j]
        dst[row, col] = acc


@wrong("second_pass_on_the_tile", misconception="one_pass", says="only the columns were blurred")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    mid = cuda.shared.array((SPAN_Y, TILE), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    for y in range(ty, SPAN_Y, ROWS):
        acc = float32(0)
        for j in range(5):
            acc += taps[j] * tile[y, tx + j]
        mid[y, tx] = acc
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            acc += taps[i] * tile[ty + i, tx + REACH]
        dst[row, col] = acc


@wrong("float64_taps", misconception="float64_arithmetic", says="float64")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    mid = cuda.shared.array((SPAN_Y, TILE), float32)
    taps = cuda.const.array_like(WIDE_TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    for y in range(ty, SPAN_Y, ROWS):
        acc = float32(0)
        for j in range(5):
            acc += taps[j] * tile[y, tx + j]
        mid[y, tx] = acc
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            acc += taps[i] * mid[ty + i, tx]
        dst[row, col] = acc


@wrong("second_barrier_inside_the_guard", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    mid = cuda.shared.array((SPAN_Y, TILE), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    for y in range(ty, SPAN_Y, ROWS):
        acc = float32(0)
        for j in range(5):
            acc += taps[j] * tile[y, tx + j]
        mid[y, tx] = acc
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        cuda.syncthreads()
        acc = float32(0)
        for i in range(5):
            acc += taps[i] * mid[ty + i, tx]
        dst[row, col] = acc


@cuda.jit(device=True)
def five_taps(a, b, c, d, e):
    return (a + e) * float32(0.0625) + (b + d) * float32(0.25) + c * float32(0.375)


@style("helper_sums")
@cuda.jit
def blur_separable(src, dst):
    tile = cuda.shared.array((12, 36), float32)
    mid = cuda.shared.array((12, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * 8 - 2, cuda.blockIdx.x * 32 - 2
    k = ty * 32 + tx
    while k < 12 * 36:
        y, x = divmod(k, 36)
        r = min(max(top + y, 0), src.shape[0] - 1)
        c = min(max(left + x, 0), src.shape[1] - 1)
        tile[y, x] = src[r, c]
        k += 256
    cuda.syncthreads()
    for y in range(ty, 12, 8):
        mid[y, tx] = five_taps(tile[y, tx], tile[y, tx + 1], tile[y, tx + 2], tile[y, tx + 3], tile[y, tx + 4])
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = five_taps(mid[ty, tx], mid[ty + 1, tx], mid[ty + 2, tx], mid[ty + 3, tx], mid[ty + 4, tx])
