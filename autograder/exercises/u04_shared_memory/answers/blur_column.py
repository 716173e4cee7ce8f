"""Answers to shared_memory.blur_column."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

TILE, ROWS, REACH, TALL, BATCH = 32, 8, 2, 32, 4
THREADS = 128
TAPS = np.array([1, 4, 6, 4, 1], np.float32) / np.float32(16)
GAUSS = np.outer(TAPS, TAPS)
WIDE_TAPS = np.array([1, 4, 6, 4, 1]) / 16


@cuda.jit(device=True)
def row_sum(src, row, col):
    taps = cuda.const.array_like(TAPS)
    r = min(max(row, 0), src.shape[0] - 1)
    acc = float32(0)
    for j in range(5):
        acc += taps[j] * src[r, min(max(col + j - 2, 0), src.shape[1] - 1)]
    return acc


@cuda.jit(device=True)
def add_up(a, b, c, d, e):
    return (a + e) * float32(0.0625) + (b + d) * float32(0.25) + c * float32(0.375)


@right("one_row_a_turn")
@cuda.jit
def blur_column(src, dst):
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    first = cuda.blockIdx.y * 32
    if col < src.shape[1]:
        a = row_sum(src, first - 2, col)
        b = row_sum(src, first - 1, col)
        c = row_sum(src, first, col)
        d = row_sum(src, first + 1, col)
        for row in range(first, min(first + 32, src.shape[0])):
            e = row_sum(src, row + 2, col)
            dst[row, col] = add_up(a, b, c, d, e)
            a, b, c, d = b, c, d, e


@right("while_and_early_return")
@cuda.jit
def blur_column(src, dst):
    n_rows, n_cols = src.shape
    col = cuda.grid(1)
    if col >= n_cols:
        return
    row = cuda.blockIdx.y * TALL
    end = row + TALL
    a, b = row_sum(src, row - 2, col), row_sum(src, row - 1, col)
    c, d = row_sum(src, row, col), row_sum(src, row + 1, col)
    while row < end and row < n_rows:
        e = row_sum(src, row + 2, col)
        f = row_sum(src, row + 3, col)
        dst[row, col] = add_up(a, b, c, d, e)
        if row + 1 < n_rows:
            dst[row + 1, col] = add_up(b, c, d, e, f)
        a, b, c, d = c, d, e, f
        row += 2


@right("a_ring_of_sums")
@cuda.jit
def blur_column(src, dst):
    ring = cuda.local.array(5, float32)
    taps = cuda.const.array_like(TAPS)
    col = cuda.grid(1)
    first = cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for k in range(4):
            ring[k] = row_sum(src, first + k - 2, col)
        for k in range(TALL):
            if first + k >= dst.shape[0]:
                break
            ring[(k + 4) % 5] = row_sum(src, first + k + 2, col)
            acc = float32(0)
            for i in range(5):
                acc += taps[i] * ring[(k + i) % 5]
            dst[first + k, col] = acc


@right("eight_rows_a_turn")
@cuda.jit
def blur_column(src, dst):
    sums = cuda.local.array(12, float32)
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for k in range(4):
            sums[k] = row_sum(src, first + k - 2, col)
        for row in range(first, min(first + TALL, dst.shape[0]), 8):
            for k in range(8):
                sums[k + 4] = row_sum(src, row + k + 2, col)
            for k in range(8):
                if row + k < dst.shape[0]:
                    dst[row + k, col] = add_up(sums[k], sums[k + 1], sums[k + 2], sums[k + 3], sums[k + 4])
            for k in range(4):
                sums[k] = sums[k + 8]


@right("a_line_in_shared_memory")
@cuda.jit
def blur_column(src, dst):
    line = cuda.shared.array(132, float32)
    t, first = cuda.threadIdx.x, cuda.blockIdx.y * TALL
    col = cuda.blockIdx.x * THREADS + t
    bottom, end = src.shape[0] - 1, src.shape[1] - 1
    a = b = c = d = float32(0)
    for row in range(first - 2, min(first + TALL + 2, bottom + 3)):
        r = min(max(row, 0), bottom)
        cuda.syncthreads()
        for k in range(t, THREADS + 4, THREADS):
            line[k] = src[r, min(max(col - t + k - 2, 0), end)]
        cuda.syncthreads()
        e = add_up(line[t], line[t + 1], line[t + 2], line[t + 3], line[t + 4])
        if row >= first + 2 and col <= end:
            dst[row - 2, col] = add_up(a, b, c, d, e)
        a, b, c, d = b, c, d, e


@right("edges_by_if")
@cuda.jit
def blur_column(src, dst):
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    n_rows, n_cols = src.shape
    last = first + TALL if first + TALL < n_rows else n_rows
    if col < n_cols:
        left2, left1 = (col - 2, col - 1) if col > 1 else (0, 0)
        right1 = col + 1 if col + 1 < n_cols else n_cols - 1
        right2 = col + 2 if col + 2 < n_cols else n_cols - 1
        a = b = c = d = float32(0)
        for row in range(first - 2, last + 2):
            r = row
            if r < 0:
                r = 0
            elif r >= n_rows:
                r = n_rows - 1
            e = add_up(src[r, left2], src[r, left1], src[r, col], src[r, right1], src[r, right2])
            if row - 2 >= first:
                dst[row - 2, col] = add_up(a, b, c, d, e)
            a, b, c, d = b, c, d, e


@wrong("twenty_five_loads", misconception="too_much_traffic", says="five loads for each row sum")
@cuda.jit
def blur_column(src, dst):
    taps = cuda.const.array_like(TAPS)
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for row in range(first, min(first + TALL, dst.shape[0])):
            acc = float32(0)
            for i in range(5):
                acc += taps[i] * row_sum(src, row + i - 2, col)
            dst[row, col] = acc


@wrong("not_carried", misconception="not_carried", says="first rows")
@cuda.jit
def blur_column(src, dst):
    taps = cuda.const.array_like(TAPS)
    sums = cuda.local.array(8, float32)
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for i in range(4):
            sums[i] = row_sum(src, first + i - 2, col)
        for row in range(first, min(first + TALL, dst.shape[0]), 4):
            for k in range(4):
                sums[4 + k] = row_sum(src, row + k + 2, col)
            for k in range(4):
                if row + k < dst.shape[0]:
                    acc = float32(0)
                    for i in range(5):
                        acc += taps[i] * sums[k + i]
                    dst[row + k, col] = acc


@wrong("no_guard_on_rows", misconception="no_guard", says="outside")
@cuda.jit
def blur_column(src, dst):
    taps = cuda.const.array_like(TAPS)
    sums = cuda.local.array(8, float32)
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for i in range(4):
            sums[i] = row_sum(src, first + i - 2, col)
        for row in range(first, first + TALL, 4):
            for k in range(4):
                sums[4 + k] = row_sum(src, row + k + 2, col)
            for k in range(4):
                acc = float32(0)
                for i in range(5):
                    acc += taps[i] * sums[k + i]
                dst[row + k, col] = acc
            for i in range(4):
                sums[i] = sums[4 + i]


@wrong("one_row_late", misconception="off_by_one", says="one row late")
@cuda.jit
def blur_column(src, dst):
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < src.shape[1]:
        a, b = row_sum(src, first - 3, col), row_sum(src, first - 2, col)
        c, d = row_sum(src, first - 1, col), row_sum(src, first, col)
        for row in range(first, min(first + TALL, src.shape[0])):
            e = row_sum(src, row + 1, col)
            dst[row, col] = add_up(a, b, c, d, e)
            a, b, c, d = b, c, d, e


@wrong("rows_only", misconception="one_pass", says="only the rows were blurred")
@cuda.jit
def blur_column(src, dst):
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < src.shape[1]:
        for row in range(first, min(first + TALL, src.shape[0])):
            dst[row, col] = row_sum(src, row, col)


@wrong("black_beyond_the_edges", misconception="border", says="the edge pixel itself should count again")
@cuda.jit
def blur_column(src, dst):
    taps = cuda.const.array_like(TAPS)
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < src.shape[1]:
        a = b = c = d = float32(0)
        for row in range(first - 2, min(first + TALL, src.shape[0]) + 2):
            e = float32(0)
            if 0 <= row < src.shape[0]:
                for j in range(5):
                    if 0 <= col + j - 2 < src.shape[1]:
                        e += taps[j] * src[row, col + j - 2]
            if row - 2 >= first:
                dst[row - 2, col] = add_up(a, b, c, d, e)
            a, b, c, d = b, c, d, e


@wrong("counted_from_the_end", misconception="negative_index", says="src[-2, -2]")
@cuda.jit
def blur_column(src, dst):
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    end = src.shape[1] - 1
    if col <= end:
        right1, right2 = min(col + 1, end), min(col + 2, end)
        a = b = c = d = float32(0)
        for row in range(first - 2, min(first + TALL, src.shape[0]) + 2):
            r = min(row, src.shape[0] - 1)
            e = add_up(src[r, col - 2], src[r, col - 1], src[r, col], src[r, right1], src[r, right2])
            if row - 2 >= first:
                dst[row - 2, col] = add_up(a, b, c, d, e)
            a, b, c, d = b, c, d, e


@wrong("float64_taps", misconception="float64_arithmetic", says="float64")
@cuda.jit
def blur_column(src, dst):
    taps = cuda.const.array_like(WIDE_TAPS)
    sums = cuda.local.array(5, float32)
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for i in range(4):
            sums[i + 1] = row_sum(src, first + i - 2, col)
        for row in range(first, min(first + TALL, dst.shape[0])):
            for i in range(4):
                sums[i] = sums[i + 1]
            sums[4] = row_sum(src, row + 2, col)
            acc = float32(0)
            for i in range(5):
                acc += taps[i] * sums[i]
            dst[row, col] = acc
