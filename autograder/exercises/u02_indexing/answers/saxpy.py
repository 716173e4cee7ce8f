"""Answers to indexing.saxpy."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong


@right("while_loop")
@cuda.jit
def saxpy(alpha, x, y):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    step = cuda.blockDim.x * cuda.gridDim.x
    while i < y.size:
        y[i] += alpha * x[i]
        i += step


@right("turns_counted_first")
@cuda.jit
def saxpy(alpha, x, y):
    start, threads = cuda.grid(1), cuda.gridsize(1)
    for turn in range((x.size + threads - 1) // threads):
        i = turn * threads + start
        if i < x.size:
            y[i] = y[i] + x[i] * alpha


@wrong("no_loop", misconception="missing_tail", says="one element per thread")
@cuda.jit
def saxpy(alpha, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = alpha * x[i] + y[i]


@wrong("step_of_one_block", misconception="lost_update", says="both update")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.blockDim.x):
        y[i] = alpha * x[i] + y[i]


@wrong("starts_at_the_thread", misconception="lost_update", says="both update")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.threadIdx.x, y.size, cuda.gridsize(1)):
        y[i] = alpha * x[i] + y[i]


@wrong("every_thread_does_everything", misconception="lost_update", says="both update")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(y.size):
        y[i] = alpha * x[i] + y[i]


@wrong("a_stretch_for_each_thread", misconception="uncoalesced", says="sectors")
@cuda.jit
def saxpy(alpha, x, y):
    per_thread = (y.size + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * per_thread
    for i in range(first, min(first + per_thread, y.size)):
        y[i] = alpha * x[i] + y[i]


@wrong("whole_turns_only", misconception="missing_tail", says="tail")
@cuda.jit
def saxpy(alpha, x, y):
    start, threads = cuda.grid(1), cuda.gridsize(1)
    for turn in range(y.size // threads):
        i = turn * threads + start
        y[i] = alpha * x[i] + y[i]


@wrong("last_turn_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def saxpy(alpha, x, y):
    start, threads = cuda.grid(1), cuda.gridsize(1)
    for turn in range((y.size + threads - 1) // threads):
        i = turn * threads + start
        y[i] = alpha * x[i] + y[i]


@wrong("float64_factor", misconception="float64_arithmetic", says="float64")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = 1.0 * alpha * x[i] + y[i]


@wrong("y_not_added", misconception="wrong_formula", says="y itself was never added")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = alpha * x[i]


@wrong("the_other_array_scaled", misconception="wrong_formula", says="alpha belongs to x")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = x[i] + alpha * y[i]


@wrong("the_sum_scaled", misconception="wrong_formula", says="alpha belongs to x")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = alpha * (x[i] + y[i])


@wrong("alpha_left_out", misconception="wrong_formula", says="alpha was left out")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = x[i] + y[i]


@wrong("x_scaled_in_place", misconception="input_changed", says="changed")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        x[i] *= alpha
        y[i] += x[i]


@wrong("never_moves_on", misconception="infinite_loop", says="loop", outcome="TimedOut")
@cuda.jit
def saxpy(alpha, x, y):
    i = cuda.grid(1)
    while i < y.size:
        y[i] = alpha * x[i] + y[i]


@wrong("starts_from_zero", misconception="wrong_formula", says="y itself was never added")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = float32(0)
        y[i] += alpha * x[i]


@style("while")
@cuda.jit
def saxpy(alpha, x, y):
    i, step, n = cuda.grid(1), cuda.gridsize(1), x.shape[0]
    while i < n:
        y[i] += alpha * x[i]
        i = i + step


@style("views_with_steps")
@cuda.jit
def saxpy(alpha, x, y):
    first, step = cuda.grid(1), cuda.gridsize(1)
    xs, ys = x[first::step], y[first::step]
    for k in range(ys.size):
        ys[k] = ys[k] + alpha * xs[k]


@style("block_stretches")
@cuda.jit
def saxpy(alpha, x, y):
    w = cuda.blockDim.x
    for base in range(cuda.blockIdx.x * w, y.size, cuda.gridDim.x * w):
        i = base + cuda.threadIdx.x
        if i < y.size:
            y[i] = y[i] + x[i] * alpha


@wrong("nothing_to_do_for_0", misconception="infinity_left_out", says="0 * inf is NaN")
@cuda.jit
def saxpy(alpha, x, y):
    if alpha == 0:
        return
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = alpha * x[i] + y[i]


@wrong("moves_by_1024", misconception="missing_tail", says="whatever it is")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, 1024):
        y[i] = alpha * x[i] + y[i]


@wrong("moves_by_the_blocks", misconception="lost_update", says="the number of blocks")
@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridDim.x):
        y[i] = alpha * x[i] + y[i]
