"""Answers to irregular.spmv_rows."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("early_return_and_while")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    r = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if r >= y.shape[0]:
        return
    k, end = starts[r], starts[r + 1]
    total = float32(0)
    while k < end:
        total += x[columns[k]] * values[k]
        k += 1
    y[r] = total


@right("slices_of_the_row")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        mine, where = values[starts[row] : starts[row + 1]], columns[starts[row] : starts[row + 1]]
        acc = float32(0)
        for j in range(mine.size):
            acc += mine[j] * x[where[j]]
        y[row] = acc


@right("grid_stride")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    for row in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@right("from_the_end_of_the_row")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < starts.size - 1:
        acc = float32(0)
        for k in range(starts[row + 1] - 1, starts[row] - 1, -1):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@right("two_sums_at_a_time")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        begin, end = starts[row], starts[row + 1]
        even = float32(0)
        odd = float32(0)
        for k in range(begin, end - 1, 2):
            even += values[k] * x[columns[k]]
            odd += values[k + 1] * x[columns[k + 1]]
        if (end - begin) % 2 == 1:
            even += values[end - 1] * x[columns[end - 1]]
        y[row] = even + odd


@cuda.jit(device=True)
def product_of(columns, values, x, begin, n):
    acc = float32(0)
    for j in range(n):
        acc += values[begin + j] * x[columns[begin + j]]
    return acc


@right("length_to_a_device_function")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        y[row] = product_of(columns, values, x, starts[row], starts[row + 1] - starts[row])


@wrong("guarded_by_starts", misconception="off_by_one", says="starts")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < starts.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    acc = float32(0)
    for k in range(starts[row], starts[row + 1]):
        acc += values[k] * x[columns[k]]
    y[row] = acc


@wrong("x_at_the_nonzero", misconception="no_guard", says="outside")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[k]
        y[row] = acc


@wrong("x_at_the_row", misconception="column_forgotten", says="columns[k] says where x is read")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size and row < x.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[row]
        y[row] = acc


@wrong("x_from_its_beginning", misconception="column_forgotten", says="columns[k] says where x is read")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        begin = starts[row]
        for k in range(begin, starts[row + 1]):
            acc += values[k] * x[k - begin]
        y[row] = acc


@wrong("x_left_out", misconception="column_forgotten", says="none of them was multiplied by x")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k]
        y[row] = acc


@wrong("last_nonzero_left_out", misconception="last_nonzero", says="the last nonzero of each row is missing")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1] - 1):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@wrong("first_nonzero_left_out", misconception="first_nonzero", says="the first nonzero of each row is missing")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row] + 1, starts[row + 1]):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@wrong("sum_replaced", misconception="last_product", says="= replaces the sum")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc = values[k] * x[columns[k]]
        y[row] = acc


@wrong("empty_rows_not_stored", misconception="store_not_reached", says="was never written")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        begin, end = starts[row], starts[row + 1]
        if begin < end:
            acc = float32(0)
            for k in range(begin, end):
                acc += values[k] * x[columns[k]]
            y[row] = acc


@wrong("adds_to_y", misconception="output_accumulates", says="y")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        for k in range(starts[row], starts[row + 1]):
            y[row] += values[k] * x[columns[k]]


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = 0.0
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@wrong("whole_matrix_searched", misconception="too_much_traffic", says="12 bytes")
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for k in range(columns.size):
            if starts[row] <= k and k < starts[row + 1]:
                acc += values[k] * x[columns[k]]
        y[row] = acc
