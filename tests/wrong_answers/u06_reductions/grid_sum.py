"""Answers to reductions.grid_sum."""

from numba import cuda, float32

from tests.wrong_answers import right, wrong

THREADS = 256
WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def block_total(value):
    """The sum over a block of 256, every thread must call."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = value
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    cuda.syncthreads()
    return s[0]


@right("a_whole_block_adds_the_partial_sums")
@cuda.jit
def grid_sum(src, partial, total):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
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
    grid = cuda.cg.this_grid()
    grid.sync()
    if cuda.blockIdx.x == 0:
        acc = float32(0)
        for b in range(t, partial.size, THREADS):
            acc += partial[b]
        s[t] = acc
        d = THREADS // 2
        while d > 0:
            cuda.syncthreads()
            if t < d:
                s[t] += s[t + d]
            d //= 2
        if t == 0:
            total[0] = s[0]


@right("last_block_adds")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    i = cuda.grid(1)
    while i < src.size:
        acc += src[i]
        i += cuda.gridsize(1)
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()
    if cuda.threadIdx.x == 0 and cuda.blockIdx.x == cuda.gridDim.x - 1:
        acc = float32(0)
        for b in range(cuda.gridDim.x):
            acc += partial[b]
        total[0] = acc


@wrong("no_barrier_of_the_grid", misconception="grid_order", says="in no particular order")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    if cuda.grid(1) == 0:
        acc = float32(0)
        for b in range(partial.size):
            acc += partial[b]
        total[0] = acc


@wrong("syncthreads_for_the_grid", misconception="grid_order", says="in no particular order")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.syncthreads()
    if cuda.grid(1) == 0:
        acc = float32(0)
        for b in range(partial.size):
            acc += partial[b]
        total[0] = acc


@wrong("fence_for_a_barrier", misconception="grid_order", says="in no particular order")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
    if cuda.grid(1) == 0:
        acc = float32(0)
        for b in range(partial.size):
            acc += partial[b]
        total[0] = acc


@wrong("barrier_inside_the_if", misconception="barrier_in_branch", says="every thread")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.cg.this_grid().sync()
    if cuda.grid(1) == 0:
        acc = float32(0)
        for b in range(partial.size):
            acc += partial[b]
        total[0] = acc


@wrong("block_zero_waits_alone", misconception="barrier_in_branch", says="of the grid's")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    if cuda.blockIdx.x == 0:
        cuda.cg.this_grid().sync()
    if cuda.grid(1) == 0:
        acc = float32(0)
        for b in range(partial.size):
            acc += partial[b]
        total[0] = acc


@wrong("only_block_zero_counts", misconception="first_partial", says="first block's sum")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()
    if cuda.grid(1) == 0:
        total[0] = partial[0]


@wrong("every_block_adds_to_the_total", misconception="output_accumulates", says="total[0]")
@cuda.jit
def grid_sum(src, partial, total):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, acc)
    cuda.cg.this_grid().sync()


@wrong("clears_then_adds", misconception="too_many_atomics", says="no block needs an atomic")
@cuda.jit
def grid_sum(src, partial, total):
    if cuda.grid(1) == 0:
        total[0] = float32(0)
    cuda.cg.this_grid().sync()
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_total(acc)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, acc)
