"""Answers to indexing.broadcast_add."""

from numba import cuda

from autograder.exercises.catalogue import right, style, wrong


@right("while_loop")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if j >= row.size:
        return
    mine = row[j]
    i = cuda.blockIdx.y
    while i < col.size:
        dst[i, j] = col[i] + mine
        i += cuda.gridDim.y


@right("grid_of_two_axes")
@cuda.jit
def broadcast_add(row, col, dst):
    n_rows, n_cols = dst.shape
    j, first = cuda.grid(2)
    step = cuda.gridsize(2)[1]
    if j < n_cols:
        value = row[j]
        for i in range(first, n_rows, step):
            dst[i, j] = value + col[i]


@wrong("row_loaded_in_every_turn", misconception="too_much_traffic", says="register")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j < dst.shape[1]:
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):
            dst[i, j] = row[j] + col[i]


@wrong("no_loop", misconception="missing_tail", says="one row per block")
@cuda.jit
def broadcast_add(row, col, dst):
    j, i = cuda.grid(2)
    if i < dst.shape[0] and j < dst.shape[1]:
        dst[i, j] = row[j] + col[i]


@wrong("every_block_walks_all_rows", misconception="work_repeated", says="repeat one another's work")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = row[j]
        for i in range(dst.shape[0]):
            dst[i, j] = along + col[i]


@wrong("step_of_the_block", misconception="missing_tail", says="launched as (16, 3) x (32, 4)")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = row[j]
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.blockDim.y):
            dst[i, j] = along + col[i]


@wrong("step_of_the_other_axis", misconception="missing_tail", says="in steps of gridDim.y")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = row[j]
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.blockDim.x):
            dst[i, j] = along + col[i]


@wrong("columns_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    along = row[j]
    for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):
        dst[i, j] = along + col[i]


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="falls on the wrong side")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j <= dst.shape[1]:
        along = row[j]
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):
            dst[i, j] = along + col[i]


@wrong("row_and_col_exchanged", misconception="no_guard", says="reads col[8]")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = col[j]
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):
            dst[i, j] = along + row[i]


@wrong("one_thread_a_row", misconception="uncoalesced", says="sectors")
@cuda.jit
def broadcast_add(row, col, dst):
    step = cuda.gridsize(1)
    for i in range(cuda.grid(1), dst.shape[0], step):
        down = col[i]
        for j in range(cuda.blockIdx.y, dst.shape[1], cuda.gridDim.y):
            dst[i, j] = row[j] + down


@wrong("only_the_row", misconception="wrong_formula", says="col was never added")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = row[j]
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):
            dst[i, j] = along


@wrong("adds_to_the_output", misconception="output_accumulates", says="nobody has written it yet")
@cuda.jit
def broadcast_add(row, col, dst):
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = row[j]
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):
            dst[i, j] += along + col[i]


@style("column_view")
@cuda.jit
def broadcast_add(row, col, dst):
    j, i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x, cuda.blockIdx.y
    if j >= row.size:
        return
    mine, r = dst[:, j], row[j]
    while i < mine.size:
        mine[i] = col[i] + r
        i += cuda.gridDim.y
