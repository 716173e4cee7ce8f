"""Answers to memory_kinds.blur_rows."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 128


@cuda.jit(device=True)
def at(x, row, col):
    if 0 <= row and row < x.shape[0] and 0 <= col and col < x.shape[1]:
        return x[row, col]
    return float32(0)


@cuda.jit(device=True)
def blur(left, middle, right):
    return float32(0.25) * left + float32(0.5) * middle + float32(0.25) * right


@right("two_arrays_and_two_rows_a_turn")
@cuda.jit
def blur_rows(x, out):
    even = cuda.shared.array(THREADS, float32)
    odd = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = t != 0 and t != THREADS - 1 and col < x.shape[1]
    ahead = at(x, 0, col)
    for row in range(0, x.shape[0], 2):
        even[t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if mine:
            out[row, col] = blur(even[t - 1], even[t], even[t + 1])
        odd[t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 2, col)
        if mine and row + 1 < x.shape[0]:
            out[row + 1, col] = blur(odd[t - 1], odd[t], odd[t + 1])


@right("with_while_and_guards_of_its_own")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, 128), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = 126 * cuda.blockIdx.x + t - 1
    inside = col >= 0 and col < n_cols
    ahead = float32(0)
    if inside:
        ahead = x[0, col]
    row = 0
    now = 0
    while row < n_rows:
        tile[now, t] = ahead
        cuda.syncthreads()
        if inside and row + 1 < n_rows:
            ahead = x[row + 1, col]
        if inside and 1 <= t and t <= 126:
            left, middle, right = tile[now, t - 1], tile[now, t], tile[now, t + 1]
            out[row, col] = (left + right) * float32(0.25) + middle * float32(0.5)
        now = 1 - now
        row += 1


@right("two_rows_ahead")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    first, second = at(x, 0, col), at(x, 1, col)
    for row in range(x.shape[0]):
        tile[row & 1, t] = first
        cuda.syncthreads()
        first, second = second, at(x, row + 2, col)
        if mine:
            out[row, col] = blur(tile[row & 1, t - 1], tile[row & 1, t], tile[row & 1, t + 1])


@right("three_rows_in_a_ring")
@cuda.jit
def blur_rows(x, out):
    ring = cuda.shared.array((3, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    ring[0, t] = at(x, 0, col)
    for row in range(x.shape[0]):
        ahead = at(x, row + 1, col)
        cuda.syncthreads()
        if mine:
            now = row % 3
            out[row, col] = blur(ring[now, t - 1], ring[now, t], ring[now, t + 1])
        ring[(row + 1) % 3, t] = ahead


@right("stored_at_the_end_of_the_turn")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    tile[0, t] = at(x, 0, col)
    cuda.syncthreads()
    for row in range(x.shape[0]):
        ahead = at(x, row + 1, col)
        if mine:
            now = row % 2
            out[row, col] = blur(tile[now, t - 1], tile[now, t], tile[now, t + 1])
        tile[(row + 1) % 2, t] = ahead
        cuda.syncthreads()


@right("own_element_stays_in_a_register")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    here = at(x, 0, col)
    for row in range(x.shape[0]):
        now = row % 2
        tile[now, t] = here
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if mine:
            out[row, col] = blur(tile[now, t - 1], here, tile[now, t + 1])
        here = ahead


@wrong("loads_at_once", misconception="not_ahead", says="keep it in a variable")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    for row in range(x.shape[0]):
        tile[row % 2, t] = at(x, row, col)
        cuda.syncthreads()
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("next_row_stored_at_once", misconception="not_ahead", says="keep it in a variable")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    tile[0, t] = at(x, 0, col)
    cuda.syncthreads()
    for row in range(x.shape[0]):
        tile[(row + 1) % 2, t] = at(x, row + 1, col)
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])
        cuda.syncthreads()


@wrong("two_barriers_a_row", misconception="two_barriers", says="one barrier per row")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        tile[t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[t - 1], tile[t], tile[t + 1])
        cuda.syncthreads()


@wrong("one_row_and_one_barrier", misconception="missing_barrier", says="tile[")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        tile[t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[t - 1], tile[t], tile[t + 1])


@wrong("no_barrier", misconception="missing_barrier", says="tile[")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        tile[row % 2, t] = ahead
        ahead = at(x, row + 1, col)
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("barrier_for_some", misconception="barrier_in_branch", says="barrier")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        tile[row % 2, t] = ahead
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            cuda.syncthreads()
            ahead = at(x, row + 1, col)
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("blurs_the_row_behind", misconception="row_behind", says="the row after it")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 1, col)
    for row in range(x.shape[0]):
        tile[row % 2, t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 2, col)
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("no_guard_along_the_row", misconception="no_guard", says="outside")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        tile[row % 2, t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("outer_threads_blur_as_well", misconception="off_by_one", says="outside")
@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        tile[row % 2, t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if 0 < t and col < x.shape[1]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


@wrong("no_tile_at_all", misconception="not_ahead", says="keep it in a variable")
@cuda.jit
def blur_rows(x, out):
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    for row in range(x.shape[0]):
        if 0 < t and t < THREADS - 1 and col < x.shape[1]:
            out[row, col] = blur(at(x, row, col - 1), at(x, row, col), at(x, row, col + 1))
