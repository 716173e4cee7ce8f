"""Answers to memory_kinds.blur_async."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import commit_copies, copy_async, wait_copies

THREADS = 128


@cuda.jit(device=True)
def at(x, row, col):
    if 0 <= row and row < x.shape[0] and 0 <= col and col < x.shape[1]:
        return x[row, col]
    return float32(0)


@cuda.jit(device=True)
def blur(left, middle, right):
    return float32(0.25) * left + float32(0.5) * middle + float32(0.25) * right


@right("three_rows_and_one_barrier")
@cuda.jit
def blur_async(x, out):
    ring = cuda.shared.array((3, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(ring, (0, t), x, (0, col))
    else:
        for s in range(3):
            ring[s, t] = float32(0)
    commit_copies()
    for row in range(n_rows):
        if exists and row + 1 < n_rows:
            copy_async(ring, ((row + 1) % 3, t), x, (row + 1, col))
        commit_copies()
        wait_copies(1)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(ring[row % 3, t - 1], ring[row % 3, t], ring[row % 3, t + 1])


@right("waits_before_it_begins_the_next")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = col >= 0 and col < n_cols
    tile[0, t] = tile[1, t] = float32(0)
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    commit_copies()
    for row in range(n_rows):
        wait_copies(0)
        cuda.syncthreads()
        if exists and row + 1 < n_rows:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        if exists and 1 <= t and t <= 126:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@right("two_rows_ahead_in_four")
@cuda.jit
def blur_async(x, out):
    ring = cuda.shared.array((4, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if not exists:
        ring[0, t] = ring[1, t] = ring[2, t] = ring[3, t] = float32(0)
    for row in range(2):
        if exists and row < n_rows:
            copy_async(ring, (row, t), x, (row, col))
        commit_copies()
    for row in range(n_rows):
        if exists and row + 2 < n_rows:
            copy_async(ring, ((row + 2) & 3, t), x, (row + 2, col))
        commit_copies()
        wait_copies(2)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            s = row & 3
            out[row, col] = blur(ring[s, t - 1], ring[s, t], ring[s, t + 1])


@cuda.jit(device=True)
def begin_row(tile, s, t, x, row, col):
    if row < x.shape[0] and 0 <= col and col < x.shape[1]:
        copy_async(tile, (s, t), x, (row, col))
    commit_copies()


@right("a_device_function_begins_a_row")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    if col < 0 or col >= x.shape[1]:
        tile[0, t] = float32(0)
        tile[1, t] = float32(0)
    begin_row(tile, 0, t, x, 0, col)
    for row in range(x.shape[0]):
        begin_row(tile, (row + 1) % 2, t, x, row + 1, col)
        wait_copies(1)
        cuda.syncthreads()
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@right("last_row_apart")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    mine = exists and 0 < t and t < THREADS - 1
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    else:
        tile[0, t] = tile[1, t] = float32(0)
    commit_copies()
    for row in range(n_rows - 1):
        if exists:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        wait_copies(1)
        cuda.syncthreads()
        if mine:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()
    wait_copies(0)
    cuda.syncthreads()
    if mine:
        s = (n_rows - 1) % 2
        out[n_rows - 1, col] = blur(tile[s, t - 1], tile[s, t], tile[s, t + 1])


@right("two_arrays")
@cuda.jit
def blur_async(x, out):
    even = cuda.shared.array(THREADS, float32)
    odd = cuda.shared.array(THREADS, float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    mine = exists and 0 < t and t < THREADS - 1
    even[t] = odd[t] = float32(0)
    if exists:
        copy_async(even, t, x, (0, col))
    commit_copies()
    for row in range(0, n_rows, 2):
        wait_copies(0)
        cuda.syncthreads()
        if exists and row + 1 < n_rows:
            copy_async(odd, t, x, (row + 1, col))
        commit_copies()
        if mine:
            out[row, col] = blur(even[t - 1], even[t], even[t + 1])
        wait_copies(0)
        cuda.syncthreads()
        if exists and row + 2 < n_rows:
            copy_async(even, t, x, (row + 2, col))
        commit_copies()
        if mine and row + 1 < n_rows:
            out[row + 1, col] = blur(odd[t - 1], odd[t], odd[t + 1])


@right("zeros_in_every_turn")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    for row in range(n_rows + 1):
        if row < n_rows and 0 <= col and col < n_cols:
            copy_async(tile, (row % 2, t), x, (row, col))
        else:
            tile[row % 2, t] = float32(0)
        commit_copies()
        wait_copies(1)
        cuda.syncthreads()
        if row > 0 and 0 < t and t < THREADS - 1 and col < n_cols:
            s = (row - 1) % 2
            out[row - 1, col] = blur(tile[s, t - 1], tile[s, t], tile[s, t + 1])
        cuda.syncthreads()


@wrong("nobody_waits", misconception="copy_not_waited", says="nothing has waited for it")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    tile[0, t] = tile[1, t] = float32(0)
    for row in range(n_rows):
        if exists:
            copy_async(tile, (row % 2, t), x, (row, col))
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("waits_for_one_too_few", misconception="copy_not_waited", says="nothing has waited for it")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    else:
        tile[0, t] = tile[1, t] = float32(0)
    commit_copies()
    for row in range(n_rows):
        if exists and row + 1 < n_rows:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        wait_copies(2)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("never_committed", misconception="copy_not_waited", says="nothing has waited for it")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    tile[0, t] = tile[1, t] = float32(0)
    for row in range(n_rows):
        if exists:
            copy_async(tile, (row % 2, t), x, (row, col))
        wait_copies(0)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("committed_only_where_something_is_copied", misconception="copy_not_waited", says="nothing has waited for it")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    else:
        tile[0, t] = tile[1, t] = float32(0)
    commit_copies()
    for row in range(n_rows):
        if exists and row + 1 < n_rows:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
            commit_copies()
        wait_copies(1)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("no_barrier_after_the_wait", misconception="missing_barrier", says="tile[")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    else:
        tile[0, t] = tile[1, t] = float32(0)
    commit_copies()
    for row in range(n_rows):
        if exists and row + 1 < n_rows:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        wait_copies(1)
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("copied_over_while_read", misconception="missing_barrier", says="tile[")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    else:
        tile[0, t] = tile[1, t] = float32(0)
    commit_copies()
    for row in range(n_rows):
        if exists and row + 1 < n_rows:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        wait_copies(1)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("waits_for_all_at_once", misconception="waits_at_once", says="nothing to travel beside")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    tile[0, t] = tile[1, t] = float32(0)
    for row in range(n_rows):
        if exists:
            copy_async(tile, (row % 2, t), x, (row, col))
        commit_copies()
        wait_copies(0)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("through_a_register", misconception="waits_at_once", says="nothing to travel beside")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        tile[row % 2, t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("waits_for_a_number_that_changes", misconception="not_compiled", says="written out")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    tile[0, t] = tile[1, t] = float32(0)
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    commit_copies()
    for row in range(n_rows):
        under_way = 0
        if row + 1 < n_rows:
            under_way = 1
            if exists:
                copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
            commit_copies()
        wait_copies(under_way)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("edges_not_set_to_0", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    commit_copies()
    for row in range(n_rows):
        if exists and row + 1 < n_rows:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        wait_copies(1)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("copies_past_the_last_row", misconception="no_guard", says="outside")
@cuda.jit
def blur_async(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    else:
        tile[0, t] = tile[1, t] = float32(0)
    commit_copies()
    for row in range(n_rows):
        if exists:
            copy_async(tile, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        wait_copies(1)
        cuda.syncthreads()
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()
