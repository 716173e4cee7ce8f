"""Answers to indexing.invert."""

from numba import cuda, uint8

from autograder.exercises.catalogue import right, style, wrong


@right("bitwise_not")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        dst[row, col] = ~src[row, col]


@right("by_hand_and_early_return")
@cuda.jit
def invert(src, dst):
    n_rows, n_cols = dst.shape
    c = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    r = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if r >= n_rows or c >= n_cols:
        return
    dst[r, c] = uint8(255) - src[r, c]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    dst[row, col] = 255 - src[row, col]


@wrong("rows_not_guarded", misconception="no_guard", says="`row` is less than src.shape[0]")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if col < dst.shape[1]:
        dst[row, col] = 255 - src[row, col]


@wrong("columns_not_guarded", misconception="no_guard", says="`col` is less than src.shape[1]")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0]:
        dst[row, col] = 255 - src[row, col]


@wrong("one_limit_for_both", misconception="no_guard", says="if row < src.shape[0] and col < src.shape[1]")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.size and col < dst.size:
        dst[row, col] = 255 - src[row, col]


@wrong("either_is_enough", misconception="no_guard", says="outside")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] or col < dst.shape[1]:
        dst[row, col] = 255 - src[row, col]


@wrong("lets_one_more_through", misconception="off_by_one", says="falls on the wrong side")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row <= dst.shape[0] and col <= dst.shape[1]:
        dst[row, col] = 255 - src[row, col]


@wrong("x_is_the_row", misconception="swapped_axes", says="x first")
@cuda.jit
def invert(src, dst):
    row, col = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = 255 - src[row, col]


@wrong("brackets_swapped", misconception="swapped_axes", says="gives x first")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[col, row] = 255 - src[col, row]


@wrong("numbered_down_the_columns", misconception="uncoalesced", says="sectors")
@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    n_rows, n_cols = dst.shape
    t = y * cuda.blockDim.x * cuda.gridDim.x + x
    if t < dst.size:
        dst[t % n_rows, t // n_rows] = 255 - src[t % n_rows, t // n_rows]


@wrong("minus_the_pixel", misconception="wrong_formula", says="one too large")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = -src[row, col]


@wrong("the_wrong_way_round", misconception="wrong_formula", says="other way round")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[row, col] - 255


@wrong("copies_the_picture", misconception="wrong_formula", says="not its negative")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[row, col]


@wrong("inverts_in_place", misconception="input_changed", says="changed")
@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        src[row, col] = 255 - src[row, col]
        dst[row, col] = src[row, col]


@style("xor")
@cuda.jit
def invert(src, dst):
    c = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    r = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    rows, cols = src.shape
    if r >= rows or c >= cols:
        return
    dst[r, c] = src[r, c] ^ 255


@style("row_views")
@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    if y < src.shape[0]:
        line, out = src[y], dst[y]
        if x < line.size:
            out[x] = ~line[x]


@style("tuple_index_stride")
@cuda.jit
def invert(src, dst):
    x0, y0 = cuda.grid(2)
    dx, dy = cuda.gridsize(2)
    for y in range(y0, dst.shape[0], dy):
        for x in range(x0, dst.shape[1], dx):
            at = (y, x)
            dst[at] = 255 - src[at]
