"""Answers to memory_access.box_down."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def at(src, row, col):
    if 0 <= row < src.shape[0]:
        return src[row, col]
    return float32(0)


@right("edges_asked_in_place")
@cuda.jit
def box_down(src, dst):
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    n_rows, n_cols = src.shape
    if col >= n_cols:
        return
    share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
    first = cuda.blockIdx.y * share
    if first >= n_rows:
        return
    above = src[first - 1, col] if first > 0 else float32(0)
    here = src[first, col]
    for row in range(first, min(first + share, n_rows)):
        below = float32(0)
        if row + 1 < n_rows:
            below = src[row + 1, col]
        dst[row, col] = above + here + below
        above = here
        here = below


@right("sum_of_two_carried")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows = dst.shape[0]
    if col < dst.shape[1]:
        share = -(-n_rows // cuda.gridDim.y)
        row = cuda.blockIdx.y * share
        end = min(row + share, n_rows)
        here = at(src, row, col)
        two = at(src, row - 1, col) + here
        while row < end:
            below = at(src, row + 1, col)
            dst[row, col] = two + below
            two = here + below
            here = below
            row += 1


@right("last_strip_is_longer")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    y, n_strips = cuda.blockIdx.y, cuda.gridDim.y
    first, end = y * n_rows // n_strips, (y + 1) * n_rows // n_strips
    if col < n_cols and first < end:
        above, here = at(src, first - 1, col), src[first, col]
        for row in range(first, end):
            below = at(src, row + 1, col)
            dst[row, col] = above + here + below
            above, here = here, below


@right("from_the_bottom_up")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        row = min(first + share, n_rows) - 1
        below, here = at(src, row + 1, col), at(src, row, col)
        while row >= first:
            above = at(src, row - 1, col)
            dst[row, col] = above + here + below
            below, here = here, above
            row -= 1


@right("columns_in_a_grid_stride")
@cuda.jit
def box_down(src, dst):
    n_rows, n_cols = dst.shape
    share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
    first = cuda.blockIdx.y * share
    for col in range(cuda.grid(1), n_cols, cuda.gridDim.x * cuda.blockDim.x):
        above, here = at(src, first - 1, col), at(src, first, col)
        for row in range(first, min(first + share, n_rows)):
            below = at(src, row + 1, col)
            dst[row, col] = above + here + below
            above, here = here, below


@right("three_in_a_local_array")
@cuda.jit
def box_down(src, dst):
    window = cuda.local.array(3, float32)
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        window[0] = at(src, first - 1, col)
        window[1] = at(src, first, col)
        for row in range(first, min(first + share, n_rows)):
            window[2] = at(src, row + 1, col)
            dst[row, col] = window[0] + window[1] + window[2]
            window[0] = window[1]
            window[1] = window[2]


@right("one_row_ahead")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        end = min(first + share, n_rows)
        if first < end:
            above, here, below = at(src, first - 1, col), at(src, first, col), at(src, first + 1, col)
            for row in range(first, end):
                ahead = at(src, row + 2, col) if row + 1 < end else float32(0)
                dst[row, col] = above + here + below
                above, here, below = here, below, ahead


@wrong("three_loads_each", misconception="too_much_traffic", says="kept in a register")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        for row in range(first, min(first + share, n_rows)):
            dst[row, col] = at(src, row - 1, col) + at(src, row, col) + at(src, row + 1, col)


@wrong("walks_along", misconception="few_threads", says="nothing to do")
@cuda.jit
def box_down(src, dst):
    t = cuda.blockIdx.y * cuda.gridDim.x * cuda.blockDim.x + cuda.grid(1)
    n_rows, n_cols = dst.shape
    for row in range(t, n_rows, cuda.gridDim.y * cuda.gridDim.x * cuda.blockDim.x):
        for col in range(n_cols):
            dst[row, col] = at(src, row - 1, col) + at(src, row, col) + at(src, row + 1, col)


@wrong("edges_left_alone", misconception="edges_missing", says="first and the last row")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        for row in range(max(1, first), min(first + share, n_rows - 1)):
            dst[row, col] = src[row - 1, col] + src[row, col] + src[row + 1, col]


@wrong("edges_clamped", misconception="edges_repeated", says="counts as 0")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        for row in range(first, min(first + share, n_rows)):
            dst[row, col] = src[max(row - 1, 0), col] + src[row, col] + src[min(row + 1, n_rows - 1), col]


@wrong("strips_are_pictures", misconception="strip_edges", says="row above it is missing")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        above, here = float32(0), at(src, first, col)
        for row in range(first, min(first + share, n_rows)):
            below = at(src, row + 1, col)
            dst[row, col] = above + here + below
            above, here = here, below


@wrong("row_minus_one_wraps", misconception="negative_index", says="counts from the end")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        if first < n_rows:
            above, here = src[first - 1, col], src[first, col]
            for row in range(first, min(first + share, n_rows)):
                below = at(src, row + 1, col)
                dst[row, col] = above + here + below
                above, here = here, below


@wrong("running_sum_with_subtraction", misconception="rounding", says="general values")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        oldest, above, here = float32(0), at(src, first - 1, col), at(src, first, col)
        acc = above + here
        for row in range(first, min(first + share, n_rows)):
            below = at(src, row + 1, col)
            acc += below - oldest
            dst[row, col] = acc
            oldest, above, here = above, here, below


@wrong("strips_of_32_assumed", misconception="missing_tail", says="launched as")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        first = 32 * cuda.blockIdx.y
        above, here = at(src, first - 1, col), at(src, first, col)
        for row in range(first, min(first + 32, n_rows)):
            below = at(src, row + 1, col)
            dst[row, col] = above + here + below
            above, here = here, below


@wrong("neighbours_along_the_row", misconception="swapped_axes", says="left and to the right")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        for row in range(first, min(first + share, n_rows)):
            acc = src[row, col]
            if col > 0:
                acc += src[row, col - 1]
            if col + 1 < n_cols:
                acc += src[row, col + 1]
            dst[row, col] = acc


@wrong("shifted_the_wrong_way", misconception="wrong_formula", says="still needs what was there before")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        above, here = at(src, first - 1, col), at(src, first, col)
        for row in range(first, min(first + share, n_rows)):
            below = at(src, row + 1, col)
            dst[row, col] = above + here + below
            here = below
            above = here


@wrong("first_strip_does_it_all", misconception="few_threads", says="share the work")
@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    if cuda.blockIdx.y == 0 and col < dst.shape[1]:
        above, here = float32(0), src[0, col]
        for row in range(dst.shape[0]):
            below = at(src, row + 1, col)
            dst[row, col] = above + here + below
            above, here = here, below
