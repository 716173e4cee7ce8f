"""Answers to reductions.device_sum."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 256
SUM_THREADS = 512
SUM_WARPS = 16
WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_total(value):
    """The sum over a warp, valid in lane 0."""
    d = 16
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@cuda.jit
def tree_pass(src, out):
    """out[b] = the sum of what block b visits, through a shared tree."""
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
        out[cuda.blockIdx.x] = s[0]


@cuda.jit
def one_element_pass(src, out):
    """out[b] = the sum of block b's own 256 elements; what lies behind the grid is not visited."""
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
        out[cuda.blockIdx.x] = s[0]


@cuda.jit
def clear(total):
    """total[0] = 0."""
    total[0] = float32(0)


@cuda.jit
def add_to_total(src, total):
    """total[0] += the sum of src, one atomic per block."""
    s = cuda.shared.array(SUM_WARPS, float32)
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total(acc)
    if cuda.threadIdx.x % WARP == 0:
        s[cuda.threadIdx.x // WARP] = acc
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        for w in range(1, SUM_WARPS):
            acc += s[w]
        cuda.atomic.add(total, 0, acc)


@cuda.jit
def every_thread_adds(src, total):
    """total[0] += the sum of src, one atomic per thread."""
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    cuda.atomic.add(total, 0, acc)


@cuda.jit
def four_a_turn_pass(src, out):
    """out[b] = the sum of what block b visits, four elements per iteration; the last few of src do not fill one."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    step = cuda.gridsize(1)
    acc = float32(0)
    for i in range(cuda.grid(1), src.size - 3 * step, 4 * step):
        acc += (src[i] + src[i + step]) + (src[i + 2 * step] + src[i + 3 * step])
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


@cuda.jit
def all_in_one(src, partial, total):
    """Every block leaves its sum, and block 0 adds them up without waiting for the others."""
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
    cuda.syncthreads()
    if cuda.grid(1) == 0:
        acc = float32(0)
        for b in range(cuda.gridDim.x):
            acc += partial[b]
        total[0] = acc


@cuda.jit(device=True)
def tree(s, t):
    """s[0] = the sum of s."""
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2


@cuda.jit
def all_in_one_with_grid_sync(src, partial, total):
    """Every block leaves its sum; after a barrier of the whole grid, the first one adds them up."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    s[t] = acc
    tree(s, t)
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
    cuda.cg.this_grid().sync()
    if cuda.blockIdx.x == 0:
        acc = float32(0)
        for b in range(t, cuda.gridDim.x, THREADS):
            acc += partial[b]
        s[t] = acc
        tree(s, t)
        if t == 0:
            total[0] = s[0]


@cuda.jit
def all_in_one_with_one_thread_at_the_end(src, partial, total):
    """The same, but one thread adds up what the blocks left."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    s[t] = acc
    tree(s, t)
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
    cuda.cg.this_grid().sync()
    if cuda.grid(1) == 0:
        acc = float32(0)
        for b in range(cuda.gridDim.x):
            acc += partial[b]
        total[0] = acc


@right("two_trees")
def device_sum(src, partial, total):
    n_blocks = min(partial.size, (src.size + THREADS - 1) // THREADS + 1)
    tree_pass[n_blocks, THREADS](src, partial)
    tree_pass[1, THREADS](partial[:n_blocks], total)


@right("one_pass_one_atomic_a_block")
def device_sum(src, partial, total):
    clear[1, 1](total)
    add_to_total[partial.size, SUM_THREADS](src, total)


@right("one_launch_with_a_grid_barrier")
def device_sum(src, partial, total):
    n_blocks = min(partial.size, 128)
    all_in_one_with_grid_sync[n_blocks, THREADS](src, partial, total)


@wrong("one_thread_adds_up_behind_the_barrier", misconception="one_thread_works", says="the others of its block wait")
def device_sum(src, partial, total):
    n_blocks = min(partial.size, 128)
    all_in_one_with_one_thread_at_the_end[n_blocks, THREADS](src, partial, total)


@wrong("forgets_to_clear_the_total", misconception="uninitialised_read", says="total[0]")
def device_sum(src, partial, total):
    add_to_total[partial.size, SUM_THREADS](src, total)


@wrong("blocks_rounded_down", misconception="missing_tail", says="which fill no block of 256")
def device_sum(src, partial, total):
    n_blocks = src.size // THREADS
    clear[1, 1](total)
    if n_blocks > 0:
        add_to_total[partial.size, SUM_THREADS](src[: n_blocks * THREADS], total)


@wrong("four_a_turn_without_a_rest", misconception="output_not_written", says="zero everywhere")
def device_sum(src, partial, total):
    four_a_turn_pass[partial.size, THREADS](src, partial)
    tree_pass[1, THREADS](partial, total)


@wrong("assumes_room_for_a_block_each", misconception="no_guard", says="outside")
def device_sum(src, partial, total):
    n_blocks = max(1, (src.size + THREADS - 1) // THREADS)
    one_element_pass[n_blocks, THREADS](src, partial)
    tree_pass[1, THREADS](partial, total)


@wrong("second_pass_forgotten", misconception="first_partial", says="first block's sum")
def device_sum(src, partial, total):
    n_blocks = max(1, min(partial.size, (src.size + THREADS - 1) // THREADS))
    tree_pass[n_blocks, THREADS](src, partial)
    tree_pass[1, THREADS](partial[:1], total)


@wrong("reads_partials_without_ordering", misconception="grid_order", says="in no particular order")
def device_sum(src, partial, total):
    all_in_one[partial.size, THREADS](src, partial, total)


@wrong("stale_partials", misconception="uninitialised_read", says="hands partial over as src")
def device_sum(src, partial, total):
    n_blocks = max(1, min(partial.size, (src.size + THREADS - 1) // THREADS))
    tree_pass[n_blocks, THREADS](src, partial)
    tree_pass[1, THREADS](partial, total)


@wrong("one_atomic_a_thread", misconception="too_many_atomics", says="one per block")
def device_sum(src, partial, total):
    clear[1, 1](total)
    every_thread_adds[partial.size, SUM_THREADS](src, total)


@wrong("allocates_in_every_call", misconception="allocates_per_call", says="room there is")
def device_sum(src, partial, total):
    n_blocks = max(1, min(1024, (src.size + THREADS - 1) // THREADS))
    sums = cuda.device_array(n_blocks, np.float32)
    tree_pass[n_blocks, THREADS](src, sums)
    tree_pass[1, THREADS](sums, total)


@wrong("sums_on_the_host", misconception="too_many_transfers", says="on the device already")
def device_sum(src, partial, total):
    n_blocks = max(1, min(partial.size, (src.size + THREADS - 1) // THREADS))
    tree_pass[n_blocks, THREADS](src, partial)
    total[0] = partial[:n_blocks].copy_to_host().sum()


@wrong("sixty_four_blocks_at_most", misconception="few_threads", says="The widest launch has 16,384 threads")
def device_sum(src, partial, total):
    blocks = max(1, min(64, partial.size, (src.size + THREADS - 1) // THREADS))
    tree_pass[blocks, THREADS](src, partial)
    tree_pass[1, THREADS](partial[:blocks], total)
