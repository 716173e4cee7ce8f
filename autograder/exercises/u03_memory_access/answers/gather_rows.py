"""Answers to memory_access.gather_rows."""

from numba import cuda

from autograder.exercises.catalogue import right, wrong


@right("early_return")
@cuda.jit
def gather_rows(src, rows, dst):
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if row >= dst.shape[0] or col >= dst.shape[1]:
        return
    dst[row, col] = src[rows[row], col]


@right("grid_stride_both_ways")
@cuda.jit
def gather_rows(src, rows, dst):
    x, y = cuda.grid(2)
    along, down = cuda.gridsize(2)
    for row in range(y, dst.shape[0], down):
        for col in range(x, dst.shape[1], along):
            dst[row, col] = src[rows[row], col]


@right("views_of_the_rows")
@cuda.jit
def gather_rows(src, rows, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        wanted = src[rows[row]]
        dst[row][col] = wanted[col]


@right("shapes_first")
@cuda.jit
def gather_rows(src, rows, dst):
    n_rows, n_cols = dst.shape
    col, row = cuda.grid(2)
    if row < n_rows:
        source = rows[row]
        if col < n_cols:
            dst[row, col] = src[source, col]


@cuda.jit(device=True)
def fetch(src, rows, row, col):
    return src[rows[row], col]


@right("device_function")
@cuda.jit
def gather_rows(src, rows, dst):
    col, row = cuda.grid(2)
    if col < dst.shape[1] and row < rows.size:
        dst[row, col] = fetch(src, rows, row, col)


@right("numbered_by_hand")
@cuda.jit
def gather_rows(src, rows, dst):
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * 8 + t // 32
    col = cuda.blockIdx.x * 32 + t % 32
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[rows[row], col]


@wrong("axes_exchanged", misconception="swapped_axes", says="cuda.grid gives x first")
@cuda.jit
def gather_rows(src, rows, dst):
    row, col = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[rows[row], col]


@wrong("a_thread_per_row", misconception="uncoalesced", says="4 sectors of src")
@cuda.jit
def gather_rows(src, rows, dst):
    t = cuda.blockIdx.y * cuda.gridDim.x + cuda.blockIdx.x
    t = t * 256 + cuda.threadIdx.y * 32 + cuda.threadIdx.x
    for row in range(t, dst.shape[0], cuda.gridDim.x * cuda.gridDim.y * 256):
        for col in range(dst.shape[1]):
            dst[row, col] = src[rows[row], col]


@wrong("lanes_down_the_rows", misconception="uncoalesced", says="4 sectors of src")
@cuda.jit
def gather_rows(src, rows, dst):
    t = cuda.threadIdx.y * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.y * 8 + t % 8
    col = cuda.blockIdx.x * 32 + t // 8
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[rows[row], col]


@wrong("rows_not_asked", misconception="rows_not_asked", says="the first rows")
@cuda.jit
def gather_rows(src, rows, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[min(row, src.shape[0] - 1), col]


@wrong("no_guard_along", misconception="no_guard", says="outside")
@cuda.jit
def gather_rows(src, rows, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0]:
        dst[row, col] = src[rows[row], col]


@wrong("no_guard_down", misconception="no_guard", says="outside")
@cuda.jit
def gather_rows(src, rows, dst):
    col, row = cuda.grid(2)
    if col < dst.shape[1]:
        dst[row, col] = src[rows[row], col]


@wrong("scatters", misconception="no_guard", says="outside")
@cuda.jit
def gather_rows(src, rows, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[rows[row], col] = src[row, col]


@wrong("column_of_the_block", misconception="missing_tail", says="never written")
@cuda.jit
def gather_rows(src, rows, dst):
    col, row = cuda.threadIdx.x, cuda.blockIdx.y * 8 + cuda.threadIdx.y
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[rows[row], col]
