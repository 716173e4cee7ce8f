"""Answers to atomics.last_block_sum."""

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

THREADS = 256
WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def block_sum(x):
    """The course's own: the sum over the block, for every thread."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    cuda.syncthreads()
    s[t] = x
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    cuda.syncthreads()
    return s[0]


@cuda.jit(device=True)
def share(src):
    """The sum of what the thread visits."""
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    return acc


@cuda.jit(device=True)
def add_up(partial):
    """The thread's part of the sum of all partial sums, in a fixed order."""
    acc = float32(0)
    for b in range(cuda.threadIdx.x, partial.size, THREADS):
        acc += partial[b]
    return acc


@right("others_return")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    drawn = cuda.shared.array(1, int32)
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        drawn[0] = cuda.atomic.add(finished, 0, 1)
    cuda.syncthreads()
    if drawn[0] != partial.size - 1:
        return
    acc = block_sum(add_up(partial))
    if cuda.threadIdx.x == 0:
        total[0] = acc
        cuda.atomic.exch(finished, 0, 0)


@right("vote_tells_everybody")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    last = 0
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        last = 1 if cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1 else 0
    if cuda.syncthreads_or(last):
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@right("fence_by_everybody")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    is_last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.threadfence()
    cuda.syncthreads()
    if t == 0:
        is_last[0] = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if is_last[0]:
        cuda.threadfence()
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@right("one_warp_adds_up")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    drawn = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        drawn[0] = cuda.atomic.add(finished, 0, 1)
    cuda.syncthreads()
    if drawn[0] == cuda.gridDim.x - 1 and t < WARP:
        acc = float32(0)
        for b in range(t, partial.size, WARP):
            acc += partial[b]
        d = WARP // 2
        while d > 0:
            acc += cuda.shfl_down_sync(FULL_WARP, acc, d)
            d //= 2
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@right("counts_down")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    left = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = float32(0)
    i = cuda.grid(1)
    while i < src.size:
        acc += src[i]
        i += cuda.gridDim.x * THREADS
    acc = block_sum(acc)
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        left[0] = cuda.gridDim.x - 1 - cuda.atomic.add(finished, 0, 1)
    cuda.syncthreads()
    if left[0] > 0:
        return
    acc = float32(0)
    for b in range(t, cuda.gridDim.x, THREADS):
        acc += partial[b]
    acc = block_sum(acc)
    if t == 0:
        total[0] = acc
        cuda.atomic.exch(finished, 0, 0)


@wrong("one_thread_adds_up", misconception="one_thread_works", says="the others of its block wait")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        if cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1:
            acc = float32(0)
            for b in range(partial.size):
                acc += partial[b]
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@wrong("no_fence", misconception="grid_order", says="partial")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    is_last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        is_last[0] = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if is_last[0]:
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@wrong("fence_after_counting", misconception="grid_order", says="partial")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    is_last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        is_last[0] = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1
        cuda.threadfence()
    cuda.syncthreads()
    if is_last[0]:
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@wrong("counter_not_reset", misconception="counter_not_reset", says="the next launch")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    is_last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        is_last[0] = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if is_last[0]:
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc


@wrong("block_0_adds_up", misconception="grid_order", says="partial")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.blockIdx.x == 0:
        acc = block_sum(add_up(partial))
        if cuda.threadIdx.x == 0:
            total[0] = acc


@wrong("off_by_one", misconception="store_not_reached", says="finished[0] is 5")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    is_last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        is_last[0] = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x
    cuda.syncthreads()
    if is_last[0]:
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@wrong("no_barrier_before_is_last", misconception="missing_barrier", says="no barrier")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    is_last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        is_last[0] = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1
    if is_last[0]:
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@wrong("every_thread_counts", misconception="too_many_atomics", says="one thread per block")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.threadfence()
    last = cuda.atomic.add(finished, 0, 1) == cuda.gridsize(1) - 1
    if cuda.syncthreads_or(int32(last)):
        acc = block_sum(add_up(partial))
        if cuda.threadIdx.x == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@wrong("waits_for_the_others", misconception="grid_order", says="no block knows when the others")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        cuda.atomic.add(finished, 0, 1)
        while finished[0] < cuda.gridDim.x:
            pass
        acc = float32(0)
        for b in range(partial.size):
            acc += partial[b]
        total[0] = acc


@wrong("atomic_on_the_total", misconception="output_accumulates", says="An atomic starts from what is there")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, acc)


@wrong("last_by_its_number", misconception="grid_order", says="does not ask the counter")
@cuda.jit
def last_block_sum(src, partial, finished, total):
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        cuda.atomic.add(finished, 0, 1)
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.blockIdx.x == cuda.gridDim.x - 1:
        acc = block_sum(add_up(partial))
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)
