"""Barriers that some threads miss, loops that never end, and warp operations whose lanes are not there."""

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import int32
from tests.golden.findings.example import Catalogue, zeros

EXAMPLES = Catalogue()


@EXAMPLES.kernel(1, 64, zeros(64))
def barrier_in_an_if(out):
    t = cuda.threadIdx.x
    if t < 40:
        cuda.syncthreads()
    out[t] = t


@EXAMPLES.kernel(1, 64, zeros(64))
def barrier_in_an_else(out):
    t = cuda.threadIdx.x
    if t >= 40:
        out[t] = 0
    else:
        cuda.syncthreads()


@EXAMPLES.kernel(1, 64, zeros(64))
def barrier_on_each_side(out):
    t = cuda.threadIdx.x
    if t < 32:
        cuda.syncthreads()
    else:
        cuda.syncthreads()
    out[t] = t


@EXAMPLES.kernel(1, 64, zeros(100))
def barrier_in_a_loop_of_different_lengths(out):
    t = cuda.threadIdx.x
    for k in range(t, 100, 64):
        out[k] = k
        cuda.syncthreads()


@EXAMPLES.kernel(1, 64, zeros(64))
def loop_that_some_threads_leave(out):
    t = cuda.threadIdx.x
    for k in range(4):
        if t > 40 + k:
            break
        cuda.syncthreads()
    out[t] = t


@EXAMPLES.kernel(1, 64, zeros(64))
def only_one_thread_arrives(out):
    t = cuda.threadIdx.x
    if t == 0:
        out[0] = cuda.syncthreads_count(t)


def meet(wanted):
    if wanted:
        cuda.syncthreads()


@EXAMPLES.kernel(1, 64, zeros(64), uses=(meet,))
def barrier_in_a_device_function(out):
    t = cuda.threadIdx.x
    if t < 10:
        meet(True)
    out[t] = t


@EXAMPLES.kernel(1, 64, zeros(64))
def some_leave_behind_the_barrier_of_a_turn(out):
    t = cuda.threadIdx.x
    turns = 0
    while True:
        cuda.syncthreads()
        turns += 1
        if turns > t:
            break
    out[t] = turns


@EXAMPLES.kernel(2, 64, zeros(100))
def threads_that_returned_before_a_barrier(out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    cuda.syncthreads()
    out[i] = 1


@EXAMPLES.kernel(1, 64, zeros(64), strict=True)
def barrier_in_an_if_and_nobody_listens(out):
    if cuda.threadIdx.x < 40:
        cuda.syncthreads()


@EXAMPLES.kernel(4, 32, zeros(4))
def grid_barrier_that_some_blocks_miss(out):
    grid = cuda.cg.this_grid()
    if cuda.blockIdx.x < 2:
        grid.sync()
    out[0] = 1


@EXAMPLES.kernel(1, 32, zeros(1, dtype=np.int32))
def spin_lock(lock):
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    cuda.atomic.exch(lock, 0, 0)


@EXAMPLES.kernel(2, 32, zeros(2, dtype=np.int32), zeros(1))
def lock_that_is_never_opened(lock, total):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        total[0] += 1


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32))
def lock_that_each_try_adds_to(lock, total):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.add(lock, 0, 1) != 0:
            pass
        cuda.threadfence()
        total[0] += 1
        cuda.threadfence()
        cuda.atomic.add(lock, 0, -1)


@EXAMPLES.kernel(2, 32, zeros(2, dtype=np.int32), zeros(1))
def lock_that_is_kept_after_the_work(lock, total):
    done = cuda.threadIdx.x > 0
    while not done:
        if cuda.atomic.cas(lock, 0, 0, 1) == 0:
            total[0] = 1
            done = True


@EXAMPLES.kernel(1, 32, zeros(1, dtype=np.int32))
def swap_that_expects_an_old_value(cell):
    seen = cell[0]
    while True:
        if cuda.atomic.cas(cell, 0, seen, cuda.threadIdx.x + 1) == seen:
            break


@EXAMPLES.kernel(1, 1, zeros(16, dtype=np.int32), zeros(1, dtype=np.int32))
def search_round_a_table_without_the_key(table, found):
    place = 3
    while table[place] != 7:
        place = (place + 1) % 16
    found[0] = place


@EXAMPLES.kernel(4, 32, zeros(4, dtype=np.int32), strict=True, together=2)
def waits_for_a_block_that_has_not_started(flags):
    tile = cuda.gridDim.x - 1 - cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        if tile > 0:
            while cuda.atomic.add(flags, tile - 1, 0) == 0:
                pass
        cuda.threadfence()
        cuda.atomic.exch(flags, tile, 1)


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32))
def waits_for_a_flag_of_the_next_block(flag):
    if cuda.blockIdx.x == 0:
        while flag[0] == 0:
            pass
    else:
        flag[0] = 1


@EXAMPLES.kernel(1, 1, zeros(8))
def counter_that_is_not_advanced(out):
    i = 0
    while i < 8:
        out[i] = 1


def deeper(n):
    return deeper(n + 1)


@EXAMPLES.kernel(1, 1, zeros(1), uses=(deeper,))
def recursion_without_an_end(out):
    out[0] = deeper(1)


@EXAMPLES.kernel(1, 32, zeros(32, dtype=np.int32))
def mask_of_lanes_that_stay_away(out):
    t = cuda.threadIdx.x
    if t < 16:
        out[t] = cuda.shfl_down_sync(0xFFFFFFFF, t, 1)


@EXAMPLES.kernel(1, 32, zeros(32, dtype=np.int32))
def mask_of_one_lane_that_stays_away(out):
    t = cuda.threadIdx.x
    if t != 7:
        out[t] = cuda.ballot_sync(0xFFFFFFFF, t > 3)


@EXAMPLES.kernel(1, 32, zeros(32, dtype=np.int32))
def mask_of_scattered_lanes_that_stay_away(out):
    t = cuda.threadIdx.x
    if t % 2:
        out[t] = cuda.ballot_sync(0xFFFFFFFF, t > 3)


@EXAMPLES.kernel(1, 32, zeros(32, dtype=np.int32))
def mask_without_the_lane_itself(out):
    t = cuda.threadIdx.x
    out[t] = cuda.shfl_sync(0x0000FFFF, t, 0)


@EXAMPLES.kernel(1, 20, zeros(20, dtype=np.int32))
def shuffle_from_beyond_the_block(out):
    t = cuda.threadIdx.x
    out[t] = cuda.shfl_down_sync(0xFFFFFFFF, t, 4)


@EXAMPLES.kernel(1, 32, zeros(32, dtype=np.int32))
def shuffle_from_a_lane_that_the_mask_omits(out):
    t = cuda.threadIdx.x
    copied = cuda.shared.array(32, int32)
    if t < 16:
        copied[t] = cuda.shfl_sync(0x0000FFFF, t, 20)
        out[t] = copied[t]
