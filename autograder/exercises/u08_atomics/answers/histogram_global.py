"""Answers to atomics.histogram_global."""

from numba import cuda, int32

from autograder.exercises.catalogue import right, wrong

BINS = 256


@right("returns_early")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i >= src.size:
        return
    v = src[i]
    cuda.atomic.add(hist, v, int32(1))


@right("grid_stride")
@cuda.jit
def histogram_global(src, hist):
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(hist, src[i], 1)


@right("while_loop")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    while i < len(src):
        cuda.atomic.add(hist, int32(src[i]), 1)
        i += cuda.gridsize(1)


@right("by_subtracting_minus_one")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i < src.shape[0]:
        cuda.atomic.sub(hist, src[i], -1)


@right("private_histogram_already")
@cuda.jit
def histogram_global(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    if s[t] > 0:
        cuda.atomic.add(hist, t, s[t])


@cuda.jit(device=True)
def count(hist, v):
    cuda.atomic.add(hist, v, 1)


@right("device_function")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i < src.size:
        count(hist, src[i])


@wrong("plain_add", misconception="lost_update", says="hist[src[i]] += 1")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i < src.size:
        hist[src[i]] += 1


@wrong("reads_then_writes", misconception="lost_update", says="hist")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i < src.size:
        old = hist[src[i]]
        hist[src[i]] = old + 1


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def histogram_global(src, hist):
    cuda.atomic.add(hist, src[cuda.grid(1)], 1)


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="outside")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i <= src.size:
        cuda.atomic.add(hist, src[i], 1)


@wrong("thread_index_only", misconception="only_first_block", says="first 256 elements")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.threadIdx.x
    if i < src.size:
        cuda.atomic.add(hist, src[i], 1)


@wrong("adds_the_value", misconception="adds_the_value", says="1 should be added")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(hist, src[i], src[i])


@wrong("counts_places", misconception="no_guard", says="outside")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(hist, i, 1)


@wrong("barrier_in_place_of_an_atomic", misconception="lost_update", says="hist")
@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    cuda.syncthreads()
    if i < src.size:
        hist[src[i]] += 1
    cuda.syncthreads()
