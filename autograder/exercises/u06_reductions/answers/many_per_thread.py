"""Answers to reductions.many_per_thread."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256


@right("while_loop")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    acc = float32(0)
    while i < src.size:
        acc += src[i]
        i += cuda.gridDim.x * cuda.blockDim.x
    s[t] = acc
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@right("sum_in_the_shared_cell")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    first, second = float32(0), float32(0)
    step = cuda.gridsize(1)
    for i in range(cuda.grid(1), src.size, 2 * step):
        first += src[i]
        if i + step < src.size:
            second += src[i + step]
    s[t] = first + second
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t % THREADS < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("stride_of_the_block", misconception="stride_of_block", says="later blocks")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.blockDim.x):
        acc += src[i]
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("accumulator_is_an_integer", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = 0
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("one_element_a_thread", misconception="first_turn_only", says="first iteration of the grid")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("keeps_the_last", misconception="last_visited", says="last element it saw")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc = src[i]
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("tree_in_every_turn", misconception="tree_every_turn", says="one tree per block")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for first in range(cuda.blockIdx.x * THREADS, src.size, cuda.gridsize(1)):
        s[t] = src[first + t] if first + t < src.size else float32(0)
        d = THREADS // 2
        while d > 0:
            cuda.syncthreads()
            if t < d:
                s[t] += s[t + d]
            d //= 2
        cuda.syncthreads()
        if t == 0:
            acc += s[0]
    if t == 0:
        partial[cuda.blockIdx.x] = acc


@wrong("barrier_inside_the_loop_of_a_thread", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        s[t] += src[i]
        cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("shared_cell_not_cleared", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        s[t] += src[i]
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("no_barrier_between_turns", misconception="missing_barrier", says="race")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    s[t] = acc
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong(
    "tile_refilled_too_early_after_twenty_turns",
    misconception="missing_barrier",
    says="in the next iteration of the loop",
)
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    turn = 0
    for base in range(cuda.blockIdx.x * THREADS, src.size, cuda.gridsize(1)):
        s[t] = src[base + t] if base + t < src.size else float32(0)
        cuda.syncthreads()
        acc += s[THREADS - 1 - t]
        if turn < 20:
            cuda.syncthreads()
        turn += 1
    cuda.syncthreads()
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@style("two_sums")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t, step = cuda.threadIdx.x, cuda.gridsize(1)
    a, b = float32(0), float32(0)
    i = cuda.grid(1)
    while i < src.size:
        a += src[i]
        if i + step < src.size:
            b += src[i + step]
        i += 2 * step
    s[t] = a + b
    cuda.syncthreads()
    for d in (128, 64, 32, 16, 8, 4, 2, 1):
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@style("strided_view")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    mine = src[cuda.grid(1) :: cuda.gridsize(1)]
    for x in mine:
        acc += x
    s[t] = acc
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        d //= 2
        cuda.syncthreads()
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("a_stretch_for_each_thread", misconception="stretches", says="a stretch of neighbours")
@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    share = (src.size + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    acc = float32(0)
    for i in range(cuda.grid(1) * share, min((cuda.grid(1) + 1) * share, src.size)):
        acc += src[i]
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
