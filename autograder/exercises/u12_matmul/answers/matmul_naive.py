"""Answers to matmul.matmul_naive."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("early_return")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row >= c.shape[0] or col >= c.shape[1]:
        return
    acc = float32(0)
    k = 0
    while k < b.shape[0]:
        acc = acc + a[row, k] * b[k, col]
        k += 1
    c[row, col] = acc


@right("grid_stride")
@cuda.jit
def matmul_naive(a, b, c):
    n_rows, n_cols = c.shape
    row0, col0 = cuda.grid(2)
    for row in range(row0, n_rows, cuda.gridsize(2)[0]):
        for col in range(col0, n_cols, cuda.gridsize(2)[1]):
            acc = float32(0)
            for k in range(a.shape[1]):
                acc += a[row, k] * b[k, col]
            c[row, col] = acc


@right("indices_by_hand")
@cuda.jit
def matmul_naive(a, b, c):
    row = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    col = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@right("two_sums")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        even = float32(0)
        odd = float32(0)
        n = a.shape[1]
        for k in range(0, n - 1, 2):
            even += a[row, k] * b[k, col]
            odd += a[row, k + 1] * b[k + 1, col]
        if n % 2 == 1:
            even += a[row, n - 1] * b[n - 1, col]
        c[row, col] = even + odd


@cuda.jit(device=True)
def product_of(a, b, row, col):
    acc = float32(0)
    for k in range(a.shape[1]):
        acc += a[row, k] * b[k, col]
    return acc


@right("sum_in_a_device_function")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = product_of(a, b, row, col)


@right("views_of_a_row_and_a_column")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0]:
        if col < c.shape[1]:
            row_of_a = a[row]
            column_of_b = b[:, col]
            acc = float32(0)
            for k in range(row_of_a.size):
                acc += row_of_a[k] * column_of_b[k]
            c[row, col] = acc


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row >= 0:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("guards_rows_only", misconception="no_guard", says="outside")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("keeps_the_last_product", misconception="last_product", says="last product of its sum alone")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc = a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("one_turn_short", misconception="last_term_missing", says="last product of every sum is missing")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1] - 1):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("sum_begins_with_an_integer", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = 0.0
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("inner_size_from_c", misconception="no_guard", says="outside")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(c.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("exchanged", misconception="swapped_axes", says="x and y are exchanged")
@cuda.jit
def matmul_naive(a, b, c):
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("adds_to_c", misconception="output_accumulates", says="c")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = c[row, col]
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("one_thread_does_it_all", misconception="one_thread_works", says="thread")
@cuda.jit
def matmul_naive(a, b, c):
    x, y = cuda.grid(2)
    if x == 0 and y == 0:
        for row in range(c.shape[0]):
            for col in range(c.shape[1]):
                acc = float32(0)
                for k in range(a.shape[1]):
                    acc += a[row, k] * b[k, col]
                c[row, col] = acc


@wrong("zeros_skipped", misconception="infinity_left_out", says="0 * inf is NaN")
@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            if a[row, k] != 0:
                acc += a[row, k] * b[k, col]
        c[row, col] = acc
