"""Answers to shared_memory.blur_wide."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import load16, store16

TALL = 32
TAPS = np.array([1, 4, 6, 4, 1], np.float32) / np.float32(16)


@cuda.jit(device=True)
def weigh(a, b, c, d, e):
    return (a + e) * float32(0.0625) + (b + d) * float32(0.25) + c * float32(0.375)


@cuda.jit(device=True)
def weigh_rows(a, b, c, d, e):
    return (
        weigh(a[0], b[0], c[0], d[0], e[0]),
        weigh(a[1], b[1], c[1], d[1], e[1]),
        weigh(a[2], b[2], c[2], d[2], e[2]),
        weigh(a[3], b[3], c[3], d[3], e[3]),
    )


@cuda.jit(device=True)
def four_sums(src, r, col):
    end = src.shape[1] - 1
    a, b, c, d = load16(src, (r, col))
    k, i = src[r, max(col - 2, 0)], src[r, max(col - 1, 0)]
    m, n = src[r, min(col + 4, end)], src[r, min(col + 5, end)]
    return weigh(k, i, a, b, c), weigh(i, a, b, c, d), weigh(a, b, c, d, m), weigh(b, c, d, m, n)


@cuda.jit(device=True)
def row_sums(src, row, col):
    return four_sums(src, min(max(row, 0), src.shape[0] - 1), col)


@right("one_row_a_turn")
@cuda.jit
def blur_wide(src, dst):
    col = 4 * (cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x)
    first = cuda.blockIdx.y * 32
    if col < src.shape[1]:
        p, q = row_sums(src, first - 2, col), row_sums(src, first - 1, col)
        r, s = row_sums(src, first, col), row_sums(src, first + 1, col)
        for row in range(first, min(first + 32, src.shape[0])):
            t = row_sums(src, row + 2, col)
            store16(dst, (row, col), weigh_rows(p, q, r, s, t))
            p, q, r, s = q, r, s, t


@right("while_with_early_return")
@cuda.jit
def blur_wide(src, dst):
    n_rows, n_cols = src.shape
    col = cuda.grid(1) * 4
    row = cuda.blockIdx.y * TALL
    if col >= n_cols:
        return
    end = row + TALL if row + TALL < n_rows else n_rows
    p, q = row_sums(src, row - 2, col), row_sums(src, row - 1, col)
    r, s = row_sums(src, row, col), row_sums(src, row + 1, col)
    while row < end:
        t = row_sums(src, row + 2, col)
        store16(dst, (row, col), weigh_rows(p, q, r, s, t))
        p, q, r, s = q, r, s, t
        row += 1


@right("sums_in_a_local_array")
@cuda.jit
def blur_wide(src, dst):
    sums = cuda.local.array((5, 4), float32)
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for row in range(first - 2, min(first + TALL, dst.shape[0]) + 2):
            for i in range(4):
                for k in range(4):
                    sums[i, k] = sums[i + 1, k] if row > first - 2 else float32(0)
            fresh = row_sums(src, row, col)
            for k in range(4):
                sums[4, k] = fresh[k]
            if row >= first + 2:
                a = weigh(sums[0, 0], sums[1, 0], sums[2, 0], sums[3, 0], sums[4, 0])
                b = weigh(sums[0, 1], sums[1, 1], sums[2, 1], sums[3, 1], sums[4, 1])
                c = weigh(sums[0, 2], sums[1, 2], sums[2, 2], sums[3, 2], sums[4, 2])
                d = weigh(sums[0, 3], sums[1, 3], sums[2, 3], sums[3, 3], sums[4, 3])
                store16(dst, (row - 2, col), (a, b, c, d))


@right("a_view_of_the_row")
@cuda.jit
def blur_wide(src, dst):
    n_rows, n_cols = dst.shape
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    zero = (float32(0), float32(0), float32(0), float32(0))
    p = q = r = s = zero
    if col < n_cols:
        for row in range(first - 2, min(first + TALL, n_rows) + 2):
            line = src[min(max(row, 0), n_rows - 1)]
            a, b, c, d = load16(line, col)
            j, k = line[max(col - 2, 0)], line[max(col - 1, 0)]
            m, n = line[min(col + 4, n_cols - 1)], line[min(col + 5, n_cols - 1)]
            t = (weigh(j, k, a, b, c), weigh(k, a, b, c, d), weigh(a, b, c, d, m), weigh(b, c, d, m, n))
            if row - 2 >= first:
                store16(dst, (row - 2, col), weigh_rows(p, q, r, s, t))
            p, q, r, s = q, r, s, t


@right("edges_by_if")
@cuda.jit
def blur_wide(src, dst):
    n_rows, n_cols = src.shape
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    if col < n_cols:
        left2, left1 = (col - 2, col - 1) if col else (0, 0)
        right1, right2 = (col + 4, col + 5) if col + 4 < n_cols else (n_cols - 1, n_cols - 1)
        zero = (float32(0), float32(0), float32(0), float32(0))
        p = q = r = s = zero
        for row in range(first - 2, min(first + TALL, n_rows) + 2):
            at = row
            if at < 0:
                at = 0
            elif at >= n_rows:
                at = n_rows - 1
            a, b, c, d = load16(src, (at, col))
            j, k, m, n = src[at, left2], src[at, left1], src[at, right1], src[at, right2]
            t = (weigh(j, k, a, b, c), weigh(k, a, b, c, d), weigh(a, b, c, d, m), weigh(b, c, d, m, n))
            if row - 2 >= first:
                store16(dst, (row - 2, col), weigh_rows(p, q, r, s, t))
            p, q, r, s = q, r, s, t


@right("four_rows_a_turn")
@cuda.jit
def blur_wide(src, dst):
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    n_rows = dst.shape[0]
    if col < dst.shape[1]:
        a, b = row_sums(src, first - 2, col), row_sums(src, first - 1, col)
        c, d = row_sums(src, first, col), row_sums(src, first + 1, col)
        for row in range(first, min(first + TALL, n_rows), 4):
            e, f = row_sums(src, row + 2, col), row_sums(src, row + 3, col)
            g, h = row_sums(src, row + 4, col), row_sums(src, row + 5, col)
            store16(dst, (row, col), weigh_rows(a, b, c, d, e))
            if row + 1 < n_rows:
                store16(dst, (row + 1, col), weigh_rows(b, c, d, e, f))
            if row + 2 < n_rows:
                store16(dst, (row + 2, col), weigh_rows(c, d, e, f, g))
            if row + 3 < n_rows:
                store16(dst, (row + 3, col), weigh_rows(d, e, f, g, h))
            a, b, c, d = e, f, g, h


@wrong("single_loads", misconception="narrow_accesses", says="one wide load and four of neighbours")
@cuda.jit
def blur_wide(src, dst):
    taps = cuda.const.array_like(TAPS)
    sums = cuda.local.array((5, 4), float32)
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    if col < dst.shape[1]:
        for row in range(first - 2, min(first + TALL, dst.shape[0]) + 2):
            r = min(max(row, 0), src.shape[0] - 1)
            for k in range(4):
                for i in range(4):
                    sums[i, k] = sums[i + 1, k] if row > first - 2 else float32(0)
                acc = float32(0)
                for j in range(5):
                    acc += taps[j] * src[r, min(max(col + k + j - 2, 0), src.shape[1] - 1)]
                sums[4, k] = acc
                if row >= first + 2:
                    dst[row - 2, col + k] = weigh(sums[0, k], sums[1, k], sums[2, k], sums[3, k], sums[4, k])


@wrong("wide_from_the_left_neighbour", misconception="misaligned", says="multiple of 16")
@cuda.jit
def blur_wide(src, dst):
    n_rows, n_cols = src.shape
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    zero = (float32(0), float32(0), float32(0), float32(0))
    p = q = r = s = zero
    if col < n_cols:
        for row in range(first - 2, min(first + TALL, n_rows) + 2):
            at = min(max(row, 0), n_rows - 1)
            j, k, a, b = load16(src, (at, max(col - 2, 0)))
            c, d, m, n = load16(src, (at, min(col + 2, n_cols - 4)))
            t = (weigh(j, k, a, b, c), weigh(k, a, b, c, d), weigh(a, b, c, d, m), weigh(b, c, d, m, n))
            if row - 2 >= first:
                store16(dst, (row - 2, col), weigh_rows(p, q, r, s, t))
            p, q, r, s = q, r, s, t


@wrong("thread_number_as_column", misconception="misaligned", says="multiple of 16")
@cuda.jit
def blur_wide(src, dst):
    col, first = cuda.grid(1), cuda.blockIdx.y * TALL
    if col + 3 < src.shape[1]:
        p, q = row_sums(src, first - 2, col), row_sums(src, first - 1, col)
        r, s = row_sums(src, first, col), row_sums(src, first + 1, col)
        for row in range(first, min(first + 32, src.shape[0])):
            t = row_sums(src, row + 2, col)
            store16(dst, (row, col), weigh_rows(p, q, r, s, t))
            p, q, r, s = q, r, s, t


@wrong("not_carried", misconception="wrong_formula", says="expected")
@cuda.jit
def blur_wide(src, dst):
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    if col < src.shape[1]:
        p, q = row_sums(src, first - 2, col), row_sums(src, first - 1, col)
        r, s = row_sums(src, first, col), row_sums(src, first + 1, col)
        for row in range(first, min(first + 32, src.shape[0])):
            t = row_sums(src, row + 2, col)
            store16(dst, (row, col), weigh_rows(p, q, r, s, t))


@wrong("one_row_late", misconception="off_by_one", says="one row late")
@cuda.jit
def blur_wide(src, dst):
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    if col < src.shape[1]:
        p, q = row_sums(src, first - 3, col), row_sums(src, first - 2, col)
        r, s = row_sums(src, first - 1, col), row_sums(src, first, col)
        for row in range(first, min(first + 32, src.shape[0])):
            t = row_sums(src, row + 1, col)
            store16(dst, (row, col), weigh_rows(p, q, r, s, t))
            p, q, r, s = q, r, s, t


@wrong("rows_only", misconception="one_pass", says="only the rows were blurred")
@cuda.jit
def blur_wide(src, dst):
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    if col < src.shape[1]:
        for row in range(first, min(first + TALL, src.shape[0])):
            store16(dst, (row, col), row_sums(src, row, col))


@wrong("no_guard_on_rows", misconception="no_guard", says="outside")
@cuda.jit
def blur_wide(src, dst):
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    if col < src.shape[1]:
        p, q = row_sums(src, first - 2, col), row_sums(src, first - 1, col)
        r, s = row_sums(src, first, col), row_sums(src, first + 1, col)
        for row in range(first, first + TALL):
            t = row_sums(src, row + 2, col)
            store16(dst, (row, col), weigh_rows(p, q, r, s, t))
            p, q, r, s = q, r, s, t


@wrong("no_guard_on_columns", misconception="no_guard", says="outside")
@cuda.jit
def blur_wide(src, dst):
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * TALL
    p, q = row_sums(src, first - 2, col), row_sums(src, first - 1, col)
    r, s = row_sums(src, first, col), row_sums(src, first + 1, col)
    for row in range(first, min(first + TALL, src.shape[0])):
        t = row_sums(src, row + 2, col)
        store16(dst, (row, col), weigh_rows(p, q, r, s, t))
        p, q, r, s = q, r, s, t
