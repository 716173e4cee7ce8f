"""Answers to reductions.sum_atomic."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256


@right("register_first")
@cuda.jit
def sum_atomic(src, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    cuda.atomic.add(total, 0, acc)


@right("tree_then_one_atomic_a_block")
@cuda.jit
def sum_atomic(src, total):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = float32(0)
    if i < src.size:
        s[t] = src[i]
    cuda.syncthreads()
    d = THREADS // 2
    while d:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d >>= 1
    if t == 0:
        cuda.atomic.add(total, 0, s[0])


@wrong("plain_add", misconception="lost_update", says="total[0] += src[i]")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i < src.size:
        total[0] += src[i]


@wrong("assigns", misconception="lost_update", says="total[0]")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i < src.size:
        total[0] = src[i]


@wrong("clears_the_total_first", misconception="grid_order", says="total[0]")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i == 0:
        total[0] = float32(0)
    if i < src.size:
        cuda.atomic.add(total, 0, src[i])


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    cuda.atomic.add(total, 0, src[i])


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="outside")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i <= src.size:
        cuda.atomic.add(total, 0, src[i])


@wrong("thread_index_only", misconception="only_first_block", says="first 256 elements")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.threadIdx.x
    if i < src.size:
        cuda.atomic.add(total, 0, src[i])


@wrong("accumulator_is_a_double", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def sum_atomic(src, total):
    acc = 0.0
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    cuda.atomic.add(total, 0, acc)


@wrong("writes_beside_the_total", misconception="no_guard", says="outside")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(total, cuda.blockIdx.x, src[i])


@style("returns")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i >= len(src):
        return
    x = src[i]
    cuda.atomic.add(total, 0, x)


@wrong("value_for_index", misconception="not_compiled", says="the array, the index, the value")
@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(total, src[i], 0)
