"""Answers to shared_memory.blur_5x5."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

TILE, ROWS, REACH = 32, 8, 2
SPAN_X, SPAN_Y = TILE + 2 * REACH, ROWS + 2 * REACH
TAPS = np.array([1, 4, 6, 4, 1], np.float32) / np.float32(16)
GAUSS = np.outer(TAPS, TAPS)
WIDE_GAUSS = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) / 256


@right("rows_by_threads_along_y")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    n_rows, n_cols = src.shape
    for y in range(ty, SPAN_Y, ROWS):
        r = min(max(cuda.blockIdx.y * ROWS + y - REACH, 0), n_rows - 1)
        for x in range(tx, SPAN_X, TILE):
            tile[y, x] = src[r, min(max(cuda.blockIdx.x * TILE + x - REACH, 0), n_cols - 1)]
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += tile[ty + i, tx + j] * weights[i, j]
        dst[row, col] = acc


@right("weights_from_a_global_array")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((12, 36), dtype=float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    k = ty * 32 + tx
    while k < 432:
        r = cuda.blockIdx.y * 8 + k // 36 - 2
        c = cuda.blockIdx.x * 32 + k % 36 - 2
        r = 0 if r < 0 else (src.shape[0] - 1 if r >= src.shape[0] else r)
        c = 0 if c < 0 else (src.shape[1] - 1 if c >= src.shape[1] else c)
        tile[k // 36, k % 36] = src[r, c]
        k += 256
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = GAUSS[2, 2] * tile[ty + 2, tx + 2]
        for n in range(25):
            if n != 12:
                acc += GAUSS[n // 5, n % 5] * tile[ty + n // 5, tx + n % 5]
        dst[row, col] = acc


@wrong("float64_weights", misconception="float64_arithmetic", says="float64")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(WIDE_GAUSS)
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


@wrong("sum_starts_with_zero_point_zero", misconception="float64_arithmetic", says="float64")
@cuda.jit
def blur_5x5(src, dst):
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
        acc = 0.0
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("no_barrier", misconception="missing_barrier", says="Race")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("barrier_inside_the_guard", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    if row < dst.shape[0] and col < dst.shape[1]:
        cuda.syncthreads()
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("one_cell_a_thread", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    tile[ty + REACH, tx + REACH] = src[min(row, src.shape[0] - 1), min(col, src.shape[1] - 1)]
    cuda.syncthreads()
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("left_and_top_wrap", misconception="negative_index", says="counts from the end")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(top + y, src.shape[0] - 1), min(left + x, src.shape[1] - 1)]
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("store_without_guard", misconception="no_guard", says="outside")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    acc = float32(0)
    for i in range(5):
        for j in range(5):
            acc += weights[i, j] * tile[ty + i, tx + j]
    dst[top + REACH + ty, left + REACH + tx] = acc


@wrong("neighbours_stop_at_the_block", misconception="missing_halo", says="edges of a block")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((ROWS, TILE), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    inside = row < src.shape[0] and col < src.shape[1]
    if inside:
        tile[ty, tx] = src[row, col]
    cuda.syncthreads()
    if inside:
        bottom = min(ROWS, src.shape[0] - cuda.blockIdx.y * ROWS) - 1
        side = min(TILE, src.shape[1] - cuda.blockIdx.x * TILE) - 1
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[min(max(ty + i - 2, 0), bottom), min(max(tx + j - 2, 0), side)]
        dst[row, col] = acc


@wrong("black_beyond_the_edges", misconception="border", says="0 was used")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k // SPAN_X, k % SPAN_X
        r, c = top + y, left + x
        tile[y, x] = src[r, c] if 0 <= r < src.shape[0] and 0 <= c < src.shape[1] else float32(0)
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("no_tile", misconception="too_much_traffic", says="25 times")
@cuda.jit
def blur_5x5(src, dst):
    weights = cuda.const.array_like(GAUSS)
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                r = min(max(row + i - REACH, 0), src.shape[0] - 1)
                c = min(max(col + j - REACH, 0), src.shape[1] - 1)
                acc += weights[i, j] * src[r, c]
        dst[row, col] = acc


@wrong("filled_down_the_columns", misconception="uncoalesced", says="a few sectors")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH
    for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):
        y, x = k % SPAN_Y, k // SPAN_Y
        tile[y, x] = src[min(max(top + y, 0), src.shape[0] - 1), min(max(left + x, 0), src.shape[1] - 1)]
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(5):
            for j in range(5):
                acc += weights[i, j] * tile[ty + i, tx + j]
        dst[row, col] = acc


@wrong("sums_inside_the_shape", misconception="shared_shape", says="constant")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((ROWS + 2 * REACH, TILE + 2 * REACH), float32)
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


@style("two_dim_fill")
@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((12, 36), float32)
    w = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * 8 - 2, cuda.blockIdx.x * 32 - 2
    for y in range(ty, 12, 8):
        for x in range(tx, 36, 32):
            r = top + y
            if r < 0:
                r = 0
            elif r >= src.shape[0]:
                r = src.shape[0] - 1
            c = min(max(left + x, 0), src.shape[1] - 1)
            tile[y, x] = src[r, c]
    cuda.syncthreads()
    x, y = cuda.grid(2)
    if y >= dst.shape[0] or x >= dst.shape[1]:
        return
    acc = float32(0)
    for i in range(5):
        for j in range(5):
            acc += tile[ty + i, tx + j] * w[i, j]
    dst[y, x] = acc
