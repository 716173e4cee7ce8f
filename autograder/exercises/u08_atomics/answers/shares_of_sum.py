"""Answers to atomics.shares_of_sum."""

import numpy as np
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
def left_by_some(partial):
    """The thread's part of the sum of what all blocks left."""
    acc = float32(0)
    for b in range(cuda.threadIdx.x, cuda.gridDim.x, THREADS):
        acc += partial[b]
    return acc


@cuda.jit
def a_group_by_name(src, partial, dst):
    grid = cuda.cg.this_grid()
    t, step = cuda.threadIdx.x, cuda.gridDim.x * cuda.blockDim.x
    acc = float32(0)
    i = cuda.grid(1)
    while i < src.size:
        acc += src[i]
        i += step
    acc = block_sum(acc)
    if t == 0:
        partial[cuda.blockIdx.x] = acc
    grid.sync()
    total = float32(0)
    for b in range(cuda.gridDim.x):
        total += partial[b]
    i = cuda.grid(1)
    while i < src.size:
        dst[i] = src[i] / total
        i += step


@right("every_thread_adds_up_the_sums")
def shares_of_sum(src, partial, n_fit, dst):
    a_group_by_name[n_fit, THREADS](src, partial, dst)


@cuda.jit
def block_0_adds_up(src, partial, dst):
    grid = cuda.cg.this_grid()
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    grid.sync()
    if cuda.blockIdx.x == 0:
        acc = block_sum(left_by_some(partial))
        if cuda.threadIdx.x == 0:
            partial[0] = acc
    grid.sync()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / partial[0]


@right("block_0_adds_up_and_a_second_barrier")
def shares_of_sum(src, partial, n_fit, dst):
    n_blocks = min(n_fit, (src.size + THREADS - 1) // THREADS)
    block_0_adds_up[n_blocks, THREADS](src, partial, dst)


@cuda.jit
def one_atomic_cell(src, partial, dst):
    grid = cuda.cg.this_grid()
    if cuda.grid(1) == 0:
        partial[0] = 0
    grid.sync()
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(partial, 0, acc)
    grid.sync()
    reciprocal = float32(1) / partial[0]
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] * reciprocal


@right("an_atomic_between_two_barriers_and_the_reciprocal")
def shares_of_sum(src, partial, n_fit, dst):
    one_atomic_cell[n_fit, THREADS](src, partial, dst)


@cuda.jit(device=True)
def warp_total(x):
    """The sum over a warp, for every lane."""
    d = WARP // 2
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit
def by_warps(src, partial, dst):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    acc = warp_total(share(src))
    if t % WARP == 0:
        s[t // WARP] = acc
    cuda.syncthreads()
    if t == 0:
        for w in range(1, cuda.blockDim.x // WARP):
            acc += s[w]
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()
    acc = float32(0)
    for b in range(t % WARP, cuda.gridDim.x, WARP):
        acc += partial[b]
    acc = warp_total(acc)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / acc


@right("shuffles_in_place_of_trees")
def shares_of_sum(src, partial, n_fit, dst):
    by_warps[n_fit, 2 * THREADS // 2](src, partial, dst)


@cuda.jit(device=True)
def all_meet():
    cuda.cg.this_grid().sync()


@cuda.jit
def with_a_helper(src, partial, dst):
    t = cuda.threadIdx.x
    acc = block_sum(share(src))
    if t == 0:
        partial[cuda.blockIdx.x] = acc
    all_meet()
    whole = cuda.shared.array(1, float32)
    if t == 0:
        acc = float32(0)
        for b in range(cuda.gridDim.x):
            acc += partial[b]
        whole[0] = acc
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / whole[0]


@right("the_barrier_in_a_helper")
def shares_of_sum(src, partial, n_fit, dst):
    room = partial[:n_fit]
    with_a_helper[room.size, THREADS](src, room, dst)


@cuda.jit
def a_part_for_each_block(src, partial, dst):
    t, n = cuda.threadIdx.x, src.size
    size = (n + cuda.gridDim.x - 1) // cuda.gridDim.x
    first = cuda.blockIdx.x * size
    end = min(first + size, n)
    acc = float32(0)
    for i in range(first + t, end, THREADS):
        acc += src[i]
    acc = block_sum(acc)
    if t == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()
    total = block_sum(left_by_some(partial))
    for i in range(first + t, end, THREADS):
        dst[i] = src[i] / total


@right("neighbouring_elements_for_each_block")
def shares_of_sum(src, partial, n_fit, dst):
    a_part_for_each_block[n_fit, THREADS](src, partial, dst)


@cuda.jit
def no_barrier(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    total = block_sum(left_by_some(partial))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / total


@wrong("no_barrier", misconception="grid_order", says="partial")
def shares_of_sum(src, partial, n_fit, dst):
    no_barrier[n_fit, THREADS](src, partial, dst)


@cuda.jit
def barrier_of_the_block(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.syncthreads()
    total = block_sum(left_by_some(partial))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / total


@wrong("syncthreads_in_its_place", misconception="grid_order", says="partial")
def shares_of_sum(src, partial, n_fit, dst):
    barrier_of_the_block[n_fit, THREADS](src, partial, dst)


@cuda.jit
def fence_alone(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.threadfence()
    cuda.syncthreads()
    total = block_sum(left_by_some(partial))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / total


@wrong("a_fence_in_its_place", misconception="grid_order", says="partial")
def shares_of_sum(src, partial, n_fit, dst):
    fence_alone[n_fit, THREADS](src, partial, dst)


@cuda.jit
def barrier_for_one_thread(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.cg.this_grid().sync()
    total = block_sum(left_by_some(partial))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / total


@wrong("one_thread_per_block_waits", misconception="barrier_in_branch", says="Only 1 of the 256 threads")
def shares_of_sum(src, partial, n_fit, dst):
    barrier_for_one_thread[n_fit, THREADS](src, partial, dst)


@cuda.jit
def barrier_behind_a_guard(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    if cuda.blockIdx.x * THREADS < src.size:
        cuda.cg.this_grid().sync()
        total = block_sum(left_by_some(partial))
        for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
            dst[i] = src[i] / total


@wrong("blocks_without_elements_stay_away", misconception="barrier_in_branch", says="of the grid's")
def shares_of_sum(src, partial, n_fit, dst):
    barrier_behind_a_guard[n_fit, THREADS](src, partial, dst)


@cuda.jit
def right_for_any_grid(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()
    total = block_sum(left_by_some(partial))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / total


@wrong("a_thread_per_element", misconception="grid_does_not_fit", says="8,192 threads at work, at most 1,280")
def shares_of_sum(src, partial, n_fit, dst):
    right_for_any_grid[(src.size + THREADS - 1) // THREADS, THREADS](src, partial, dst)


@wrong("more_blocks_than_fit", misconception="grid_does_not_fit", says="no block may wait")
def shares_of_sum(src, partial, n_fit, dst):
    right_for_any_grid[min(partial.size, 24), THREADS](src, partial, dst)


@cuda.jit
def adds_up_all_the_room(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()
    acc = float32(0)
    for b in range(cuda.threadIdx.x, partial.size, THREADS):
        acc += partial[b]
    acc = block_sum(acc)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / acc


@wrong("adds_up_cells_that_nobody_wrote", misconception="uninitialised_read", says="partial")
def shares_of_sum(src, partial, n_fit, dst):
    adds_up_all_the_room[n_fit, THREADS](src, partial, dst)


@cuda.jit
def leave_sums(src, partial):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc


@cuda.jit
def divide(src, partial, dst):
    total = block_sum(left_by_some(partial))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / total


@cuda.jit(device=True)
def total_of(partial):
    return block_sum(left_by_some(partial))


@cuda.jit
def sums_in_two_ways(src, partial, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()
    acc = total_of(partial)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / acc


@wrong("a_shared_array_by_two_ways", misconception="not_compiled", says="block_sum")
def shares_of_sum(src, partial, n_fit, dst):
    sums_in_two_ways[n_fit, THREADS](src, partial, dst)


@wrong("two_launches", misconception="too_many_launches", says="a barrier inside the kernel")
def shares_of_sum(src, partial, n_fit, dst):
    leave_sums[n_fit, THREADS](src, partial)
    divide[n_fit, THREADS](src, partial, dst)


@wrong("one_block", misconception="few_threads", says="multiprocessors but one")
def shares_of_sum(src, partial, n_fit, dst):
    right_for_any_grid[1, THREADS](src, partial, dst)


@cuda.jit
def each_block_alone(src, dst):
    acc = float32(0)
    for i in range(cuda.threadIdx.x, src.size, THREADS):
        acc += src[i]
    acc = block_sum(acc)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / acc


@wrong("every_block_adds_up_everything", misconception="work_repeated", says="read twice")
def shares_of_sum(src, partial, n_fit, dst):
    each_block_alone[n_fit, THREADS](src, dst)


@cuda.jit
def own_sum(src, dst):
    acc = block_sum(share(src))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / acc


@wrong("divides_by_its_own_sum", misconception="own_block_only", says="its own sum")
def shares_of_sum(src, partial, n_fit, dst):
    own_sum[n_fit, THREADS](src, dst)


@cuda.jit
def waits_in_a_loop(src, partial, arrived, dst):
    acc = block_sum(share(src))
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        cuda.atomic.add(arrived, 0, int32(1))
        while arrived[0] < cuda.gridDim.x:
            pass
    cuda.syncthreads()
    total = block_sum(left_by_some(partial))
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / total


@wrong("a_barrier_of_ones_own", misconception="grid_order", says="no block knows when the others")
def shares_of_sum(src, partial, n_fit, dst):
    waits_in_a_loop[n_fit, THREADS](src, partial, cuda.to_device(np.zeros(1, np.int32)), dst)


@wrong("divided_on_the_host", misconception="nothing_on_device", says="ran on the device")
def shares_of_sum(src, partial, n_fit, dst):
    x = src.copy_to_host()
    dst.copy_to_device(x / x.sum())
