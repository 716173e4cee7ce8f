"""Two threads, one element, and nothing that orders them."""

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, int32
from tests.golden.findings.example import Catalogue, floats, zeros

EXAMPLES = Catalogue()


@EXAMPLES.kernel(1, 64, floats(64), zeros(64))
def no_barrier_between_store_and_load(src, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = src[t]
    out[t] = tile[63 - t]


@EXAMPLES.kernel(1, (8, 8), floats(8, 8), zeros(8, 8))
def no_barrier_in_two_dimensions(src, out):
    tile = cuda.shared.array((8, 8), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    tile[y, x] = src[y, x]
    out[y, x] = tile[x, y]


@EXAMPLES.kernel(1, 64, floats(64), zeros(64))
def neighbours_of_one_warp(src, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = src[t]
    out[t] = tile[t ^ 1]


@EXAMPLES.kernel(1, 64, floats(64), zeros(64))
def neighbours_in_a_kernel_that_thinks_in_warps(src, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = cuda.shfl_down_sync(0xFFFFFFFF, src[t], 1)
    out[t] = tile[t ^ 1]


@EXAMPLES.kernel(1, 64, floats(64), zeros(64))
def store_of_some_threads(src, out):
    tile = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    if t < 32:
        tile[t] = src[t]
    out[t] = tile[t % 32]


@EXAMPLES.kernel(1, 64, floats(256), zeros(64))
def tile_overwritten_before_all_have_read_it(src, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    total = 0.0
    for k in range(4):
        tile[t] = src[k * 64 + t]
        cuda.syncthreads()
        for j in range(64):
            total += tile[j]
    out[t] = total


@EXAMPLES.kernel(1, 128, floats(128), zeros(128))
def steps_of_a_tree_without_barriers(src, out):
    tile = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    tile[t] = src[t]
    cuda.syncthreads()
    step = 64
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        step //= 2
    out[t] = tile[t]


@EXAMPLES.kernel(1, 64, floats(64), zeros(64))
def loop_that_fills_before_others_read(src, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    for k in range(t, 64, 64):
        tile[k] = src[k]
    out[t] = tile[63 - t]


@EXAMPLES.kernel(1, 64, floats(64), zeros(64))
def shift_within_one_statement(src, out):
    tile = cuda.shared.array(65, float32)
    t = cuda.threadIdx.x
    tile[t] = src[t]
    if t == 0:
        tile[64] = 0
    cuda.syncthreads()
    tile[t] = tile[t + 1]
    cuda.syncthreads()
    out[t] = tile[t]


@EXAMPLES.kernel(1, 64, zeros(4))
def one_element_for_all(out):
    out[0] = cuda.threadIdx.x


@EXAMPLES.kernel(4, 32, floats(128))
def smoothed_in_place(x):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        x[i] = 0.5 * (x[i - 1] + x[i + 1])


@EXAMPLES.kernel(1, 64, floats(64), zeros(1))
def largest_without_an_atomic(x, out):
    i = cuda.grid(1)
    if x[i] > out[0]:
        out[0] = x[i]


@EXAMPLES.kernel(1, 64, floats(64), zeros(1))
def product_without_an_atomic(x, out):
    out[0] *= x[cuda.grid(1)]


@EXAMPLES.kernel(4, 32, zeros(4))
def one_element_for_all_blocks(out):
    out[0] = cuda.blockIdx.x


@EXAMPLES.kernel(1, 64, zeros(4))
def a_flag_that_everybody_sets(out):
    out[0] = 1


@EXAMPLES.kernel(2, 32, np.arange(64) % 4, zeros(4, dtype=np.int32))
def histogram_without_atomics(values, bins):
    i = cuda.grid(1)
    bins[values[i]] += 1


@EXAMPLES.kernel(1, 64, np.arange(64) % 4, zeros(4, dtype=np.int32))
def histogram_in_two_lines(values, bins):
    i = cuda.grid(1)
    before = bins[values[i]]
    bins[values[i]] = before + 1


@EXAMPLES.kernel(4, 32, floats(128), zeros(128))
def block_reads_what_its_neighbour_writes(src, out):
    i = cuda.grid(1)
    src[i] = src[i] * 2
    out[i] = src[(i + 32) % 128]


@EXAMPLES.kernel(4, 32, floats(128), zeros(128))
def bodies_move_while_others_look_at_them(place, force):
    i = cuda.grid(1)
    for j in range(place.size):
        force[i] += place[j] - place[i]
    place[i] += force[i]


@EXAMPLES.kernel(1, 64, zeros(1, dtype=np.int32))
def counter_set_beside_its_updates(count):
    if cuda.threadIdx.x == 0:
        count[0] = 0
    cuda.atomic.add(count, 0, 1)


@EXAMPLES.kernel(4, 32, zeros(1, dtype=np.int32))
def counter_set_by_one_block_of_many(count):
    if cuda.grid(1) == 0:
        count[0] = 0
    cuda.atomic.add(count, 0, 1)


@EXAMPLES.kernel(4, 32, zeros(1, dtype=np.int32), zeros(128, dtype=np.int32))
def sum_read_while_others_add(count, out):
    cuda.atomic.add(count, 0, 1)
    out[cuda.grid(1)] = count[0]


@EXAMPLES.kernel(2, 32, zeros(2), zeros(1, dtype=np.int32), zeros(1))
def last_block_reads_what_all_published(partial, done, out):
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = 1
        cuda.threadfence()
        if cuda.atomic.add(done, 0, 1) == 1:
            out[0] = partial[0] + partial[1]


@EXAMPLES.kernel(1, 64, floats(64), zeros(64), dynamic_shared_bytes=256)
def two_names_for_dynamic_shared_memory(src, out):
    values = cuda.shared.array(0, float32)
    counts = cuda.shared.array(0, int32)
    t = cuda.threadIdx.x
    values[t] = src[t]
    out[t] = counts[63 - t]


@EXAMPLES.kernel(1, 64, zeros(64, dtype=np.int32), zeros(64))
def two_lines_that_write_one_element(index, out):
    t = cuda.threadIdx.x
    part = cuda.shared.array(64, int32)
    part[t] = t
    part[63 - t] = t
    cuda.syncthreads()
    out[t] = part[t]


@EXAMPLES.kernel(2, 32, zeros(2), zeros(1, dtype=np.int32), zeros(1))
def last_block_behind_a_fence_of_the_block(partial, done, out):
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = 1
        cuda.threadfence_block()
        if cuda.atomic.add(done, 0, 1) == 1:
            out[0] = partial[0] + partial[1]


@EXAMPLES.kernel(3, 32, zeros(3), zeros(1, dtype=np.int32), zeros(1))
def a_block_adds_up_without_asking_the_counter(partial, done, out):
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = 1
        cuda.threadfence()
        cuda.atomic.add(done, 0, 1)
        cuda.threadfence()
        if cuda.blockIdx.x == 1:
            out[0] = partial[0] + partial[2]


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32))
def guess_that_a_compare_and_swap_checks(best):
    mine = cuda.grid(1)
    seen = best[0]
    while mine > seen:
        found = cuda.atomic.cas(best, 0, seen, mine)
        if found == seen:
            break
        seen = found


@EXAMPLES.kernel(2, 32, zeros(8, dtype=np.int32))
def place_that_is_looked_for_and_taken(taken):
    key = cuda.grid(1) + 1
    place = key % 8
    if taken[place] == 0:
        taken[place] = key


@EXAMPLES.kernel(1, 64, zeros(64))
def neighbours_in_place(a):
    i = cuda.grid(1)
    a[i] = a[63 - i] + 1


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32))
def what_an_atomic_returns_is_stored(count):
    count[0] = cuda.atomic.add(count, 0, 1)


@EXAMPLES.kernel(1, 64, zeros(2, dtype=np.int32) + 99)
def condition_before_an_atomic(best):
    if cuda.grid(1) < best[0]:
        cuda.atomic.min(best, 0, cuda.grid(1))


@EXAMPLES.kernel(2, 32, zeros(4, 64))
def row_after_row(table):
    col = cuda.grid(1)
    for row in range(1, 4):
        table[row, col] = table[row - 1, 63 - col] + 1
