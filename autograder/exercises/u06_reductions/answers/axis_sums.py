"""Answers to reductions.axis_sums."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
ROWS = 8
FULL_WARP = 0xFFFFFFFF
THREADS = 256


def ceil_div(a, b):
    """Blocks of b that cover a."""
    return -(-a // b)


@cuda.jit(device=True)
def warp_total(value):
    """The sum over a warp, valid in lane 0."""
    d = 16
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@cuda.jit
def rows_by_warp(src, row_sums):
    """One warp per row."""
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    if row < src.shape[0]:
        acc = float32(0)
        for col in range(cuda.threadIdx.x, src.shape[1], WARP):
            acc += src[row, col]
        acc = warp_total(acc)
        if cuda.threadIdx.x == 0:
            row_sums[row] = acc


@cuda.jit
def rows_by_block(src, row_sums):
    """One block per row, and a tree."""
    s = cuda.shared.array(THREADS, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    acc = float32(0)
    for col in range(t, src.shape[1], THREADS):
        acc += src[row, col]
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        row_sums[row] = s[0]


@cuda.jit
def rows_by_thread(src, row_sums):
    """One thread per row: 32 lanes on 32 rows."""
    row = cuda.grid(1)
    if row < src.shape[0]:
        acc = float32(0)
        for col in range(src.shape[1]):
            acc += src[row, col]
        row_sums[row] = acc


@cuda.jit
def columns_by_thread(src, col_sums):
    """One thread per column."""
    col = cuda.grid(1)
    if col < src.shape[1]:
        acc = float32(0)
        for row in range(src.shape[0]):
            acc += src[row, col]
        col_sums[col] = acc


@cuda.jit
def columns_by_warp(src, col_sums):
    """One warp per column: 32 lanes on 32 rows."""
    col = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    if col < src.shape[1]:
        acc = float32(0)
        for row in range(cuda.threadIdx.x, src.shape[0], WARP):
            acc += src[row, col]
        acc = warp_total(acc)
        if cuda.threadIdx.x == 0:
            col_sums[col] = acc


@cuda.jit
def columns_with_atomics(src, col_sums):
    """Each block adds a share of the rows to col_sums."""
    col = cuda.grid(1)
    if col < src.shape[1]:
        acc = float32(0)
        for row in range(cuda.blockIdx.y, src.shape[0], cuda.gridDim.y):
            acc += src[row, col]
        cuda.atomic.add(col_sums, col, acc)


@cuda.jit
def columns_without_atomics(src, col_sums):
    """Four threads share a column, and all of them add to the one cell."""
    col = cuda.blockIdx.x * WARP + cuda.threadIdx.x
    if col < src.shape[1]:
        acc = float32(0)
        for row in range(cuda.threadIdx.y, src.shape[0], 4):
            acc += src[row, col]
        col_sums[col] += acc


@cuda.jit
def columns_by_atomics_alone(src, col_sums):
    row = cuda.blockIdx.x
    for col in range(cuda.blockIdx.y * WARP + cuda.threadIdx.x, src.shape[1], cuda.gridDim.y * WARP):
        cuda.atomic.add(col_sums, col, src[row, col])


@cuda.jit
def columns_of_all_rows(src, col_sums):
    """Every block of a column adds all rows: blockIdx.y is forgotten."""
    col = cuda.blockIdx.x * WARP + cuda.threadIdx.x
    if col < src.shape[1]:
        acc = float32(0)
        for row in range(cuda.threadIdx.y, src.shape[0], ROWS):
            acc += src[row, col]
        cuda.atomic.add(col_sums, col, acc)


@cuda.jit
def columns_without_barrier(src, col_sums):
    """Eight warps share the rows, and the first adds their sums before they are there."""
    tile = cuda.shared.array((ROWS, WARP), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col = cuda.blockIdx.x * WARP + tx
    acc = float32(0)
    if col < src.shape[1]:
        for row in range(ty, src.shape[0], ROWS):
            acc += src[row, col]
    tile[ty, tx] = acc
    if ty == 0 and col < src.shape[1]:
        for k in range(1, ROWS):
            acc += tile[k, tx]
        col_sums[col] = acc


@cuda.jit
def clear(out):
    """out = 0."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(0)


@cuda.jit
def rows_without_guard(src, row_sums):
    """One warp per row, for every row of every block."""
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    acc = float32(0)
    for col in range(cuda.threadIdx.x, src.shape[1], WARP):
        acc += src[row, col]
    acc = warp_total(acc)
    if cuda.threadIdx.x == 0:
        row_sums[row] = acc


@cuda.jit
def rows_of_one_lane(src, row_sums):
    """One warp per row, and lane 0 writes what it found alone."""
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    if row < src.shape[0]:
        acc = float32(0)
        for col in range(cuda.threadIdx.x, src.shape[1], WARP):
            acc += src[row, col]
        if cuda.threadIdx.x == 0:
            row_sums[row] = acc


@cuda.jit
def rows_in_double(src, row_sums):
    """One warp per row, added up in float64."""
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.y
    acc = 0
    if row < src.shape[0]:
        for col in range(cuda.threadIdx.x, src.shape[1], WARP):
            acc += src[row, col]
    acc = warp_total(acc)
    if cuda.threadIdx.x == 0 and row < src.shape[0]:
        row_sums[row] = acc


@right("block_a_row_and_16_threads_a_column")
def axis_sums(src, row_sums, col_sums):
    n_rows, n_cols = src.shape
    rows_by_block[n_rows, THREADS](src, row_sums)
    clear[ceil_div(n_cols, THREADS), THREADS](col_sums)
    columns_with_atomics[(ceil_div(n_cols, THREADS), min(n_rows, 16)), THREADS](src, col_sums)


@wrong("thread_a_column", misconception="few_threads", says="share its rows")
def axis_sums(src, row_sums, col_sums):
    rows_by_block[src.shape[0], THREADS](src, row_sums)
    columns_by_thread[ceil_div(src.shape[1], THREADS), THREADS](src, col_sums)


@right("atomics_for_the_columns")
def axis_sums(src, row_sums, col_sums):
    n_rows, n_cols = src.shape
    clear[ceil_div(n_cols, THREADS), THREADS](col_sums)
    columns_with_atomics[(ceil_div(n_cols, WARP), min(n_rows, 16)), WARP](src, col_sums)
    rows_by_warp[ceil_div(n_rows, ROWS), (WARP, ROWS)](src, row_sums)


@wrong("one_thread_a_row", misconception="uncoalesced", says="touch 32")
def axis_sums(src, row_sums, col_sums):
    rows_by_thread[ceil_div(src.shape[0], THREADS), THREADS](src, row_sums)
    columns_by_thread[ceil_div(src.shape[1], THREADS), THREADS](src, col_sums)


@wrong("one_warp_a_column", misconception="uncoalesced", says="touch 32")
def axis_sums(src, row_sums, col_sums):
    rows_by_warp[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, row_sums)
    columns_by_warp[ceil_div(src.shape[1], ROWS), (WARP, ROWS)](src, col_sums)


@wrong("outputs_exchanged", misconception="no_guard", says="outside the array")
def axis_sums(src, row_sums, col_sums):
    rows_by_warp[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, col_sums)
    columns_by_thread[ceil_div(src.shape[1], THREADS), THREADS](src, row_sums)


@wrong("blocks_rounded_down", misconception="missing_tail", says="never written")
def axis_sums(src, row_sums, col_sums):
    rows_by_warp[max(1, src.shape[0] // ROWS), (WARP, ROWS)](src, row_sums)
    columns_by_thread[ceil_div(src.shape[1], THREADS), THREADS](src, col_sums)


@wrong("no_guard_for_rows", misconception="no_guard", says="outside")
def axis_sums(src, row_sums, col_sums):
    rows_without_guard[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, row_sums)
    columns_by_thread[ceil_div(src.shape[1], THREADS), THREADS](src, col_sums)


@wrong("adds_to_whatever_was_there", misconception="uninitialised_read", says="col_sums[0]")
def axis_sums(src, row_sums, col_sums):
    n_rows, n_cols = src.shape
    columns_with_atomics[(ceil_div(n_cols, WARP), min(n_rows, 16)), WARP](src, col_sums)
    rows_by_warp[ceil_div(n_rows, ROWS), (WARP, ROWS)](src, row_sums)


@wrong("warps_share_a_cell_without_atomics", misconception="lost_update", says="without an atomic")
def axis_sums(src, row_sums, col_sums):
    clear[ceil_div(src.shape[1], THREADS), THREADS](col_sums)
    columns_without_atomics[ceil_div(src.shape[1], WARP), (WARP, 4)](src, col_sums)
    rows_by_warp[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, row_sums)


@wrong("accumulator_is_an_integer", misconception="float64_arithmetic", says="double precision")
def axis_sums(src, row_sums, col_sums):
    rows_in_double[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, row_sums)
    columns_by_thread[ceil_div(src.shape[1], THREADS), THREADS](src, col_sums)


@wrong("lanes_not_added_up", misconception="lanes_alone", says="lane 0 alone")
def axis_sums(src, row_sums, col_sums):
    rows_of_one_lane[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, row_sums)
    columns_by_thread[ceil_div(src.shape[1], THREADS), THREADS](src, col_sums)


@wrong("columns_forgotten", misconception="output_not_written", says="col_sums")
def axis_sums(src, row_sums, col_sums):
    rows_by_warp[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, row_sums)


@wrong("one_atomic_an_element", misconception="too_many_atomics", says="one long queue per column")
def axis_sums(src, row_sums, col_sums):
    n_rows, n_cols = src.shape
    clear[ceil_div(n_cols, THREADS), THREADS](col_sums)
    columns_by_atomics_alone[(n_rows, min(ceil_div(n_cols, WARP), 65535)), WARP](src, col_sums)
    rows_by_warp[ceil_div(n_rows, ROWS), (WARP, ROWS)](src, row_sums)


@wrong("every_block_adds_all_rows", misconception="rows_not_shared", says="every row several times")
def axis_sums(src, row_sums, col_sums):
    n_rows, n_cols = src.shape
    clear[ceil_div(n_cols, THREADS), THREADS](col_sums)
    shares = min(32, ceil_div(n_rows, ROWS))
    columns_of_all_rows[(ceil_div(n_cols, WARP), shares), (WARP, ROWS)](src, col_sums)
    rows_by_warp[ceil_div(n_rows, ROWS), (WARP, ROWS)](src, row_sums)


@wrong("tile_read_too_early", misconception="missing_barrier", says="syncthreads")
def axis_sums(src, row_sums, col_sums):
    columns_without_barrier[ceil_div(src.shape[1], WARP), (WARP, ROWS)](src, col_sums)
    rows_by_warp[ceil_div(src.shape[0], ROWS), (WARP, ROWS)](src, row_sums)
