"""Answers to atomics.best_packed."""

import math

from numba import cuda, float32, int32, int64

from autograder.exercises.catalogue import right, wrong

THREADS = 256
LAST = 0x7FFFFFFF


@cuda.jit(device=True)
def in_order(x):
    """The course's own: the bits of x as an int32 that has the order of the floats."""
    bits = cuda.libdevice.float_as_int(x)
    return bits ^ ((bits >> 31) & LAST)


@cuda.jit(device=True)
def block_best(x, i):
    """The course's own: the largest x of the block and the lowest i that has it, for every thread."""
    values = cuda.shared.array(THREADS, float32)
    indices = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    values[t], indices[t] = x, i
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            larger = values[t + d] > values[t]
            if larger or (values[t + d] == values[t] and indices[t + d] < indices[t]):
                values[t], indices[t] = values[t + d], indices[t + d]
        d //= 2
    cuda.syncthreads()
    return values[0], indices[0]


@cuda.jit(device=True)
def own_best(src):
    """The block's best of one element per thread."""
    i = cuda.grid(1)
    x = float32(-math.inf)
    if i < src.size:
        x = src[i]
    return block_best(x, i)


@right("by_compare_and_swap")
@cuda.jit
def best_packed(src, best):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        word = int64(in_order(x)) << 32 | (LAST - at)
        seen = cuda.atomic.cas(best, 0, 0, 0)
        while word > seen:
            found = cuda.atomic.cas(best, 0, seen, word)
            if found == seen:
                break
            seen = found


@right("leaves_early")
@cuda.jit
def best_packed(src, best):
    x, at = own_best(src)
    if cuda.threadIdx.x != 0:
        return
    high = int64(in_order(x))
    cuda.atomic.max(best, 0, (high << 32) + (LAST - at))


@right("times_two_to_the_32")
@cuda.jit
def best_packed(src, best):
    x, at = own_best(src)
    if cuda.threadIdx.x == THREADS - 1:
        cuda.atomic.max(best, 0, int64(in_order(x)) * (1 << 32) + LAST - at)


@right("words_in_the_tree")
@cuda.jit
def best_packed(src, best):
    s = cuda.shared.array(THREADS, int64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = -(1 << 63)
    if i < src.size:
        s[t] = int64(in_order(src[i])) << 32 | (LAST - i)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] = max(s[t], s[t + d])
        d //= 2
    if t == 0:
        cuda.atomic.max(best, 0, s[0])


@right("index_below_by_exclusive_or")
@cuda.jit
def best_packed(src, best):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        lower = LAST ^ at
        cuda.atomic.max(best, 0, (int64(in_order(x)) << 32) | int64(lower))


@right("grid_stride")
@cuda.jit
def best_packed(src, best):
    x, at = float32(-math.inf), src.size
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        if src[i] > x:
            x, at = src[i], i
    x, at = block_best(x, at)
    if cuda.threadIdx.x == 0:
        cuda.atomic.max(best, 0, int64(in_order(x)) << 32 | (LAST - at))


@wrong("index_as_it_is", misconception="tie_order", says="lower index")
@cuda.jit
def best_packed(src, best):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.max(best, 0, int64(in_order(src[i])) << 32 | i)


@wrong("bits_as_they_are", misconception="bits_compared", says="order of negative floats")
@cuda.jit
def best_packed(src, best):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.max(best, 0, int64(cuda.libdevice.float_as_int(src[i])) << 32 | (LAST - i))


@wrong("every_thread_comes", misconception="too_many_atomics", says="one thread per block")
@cuda.jit
def best_packed(src, best):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.max(best, 0, int64(in_order(src[i])) << 32 | (LAST - i))


@wrong("looks_then_stores", misconception="lost_update", says="best[0]")
@cuda.jit
def best_packed(src, best):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        word = int64(in_order(x)) << 32 | (LAST - at)
        if word > best[0]:
            best[0] = word


@wrong("exchanged", misconception="wrong_formula", says="best[0]")
@cuda.jit
def best_packed(src, best):
    x, at = own_best(src)
    if cuda.threadIdx.x == 0:
        cuda.atomic.exch(best, 0, int64(in_order(x)) << 32 | (LAST - at))


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def best_packed(src, best):
    x, at = block_best(src[cuda.grid(1)], cuda.grid(1))
    if cuda.threadIdx.x == 0:
        cuda.atomic.max(best, 0, int64(in_order(x)) << 32 | (LAST - at))


@wrong("helper_called_by_some", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def best_packed(src, best):
    i = cuda.grid(1)
    if i < src.size:
        x, at = block_best(src[i], i)
        if cuda.threadIdx.x == 0:
            cuda.atomic.max(best, 0, int64(in_order(x)) << 32 | (LAST - at))
