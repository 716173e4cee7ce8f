"""The accesses of each thread are counted, whatever the batch, the branch or the kind of memory."""

from __future__ import annotations

import numpy as np

import simt
from simt.analyses.costs.load_balance import LoadBalance
from simt.tracing import Tracer
from tests.simt.kernels import cuda, float32


def copy(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i]


def copy_alone(src, dst):
    if cuda.grid(1) == 0:
        for i in range(dst.size):
            dst[i] = src[i]


def copy_by_everybody(src, dst):
    for i in range(dst.size):
        dst[i] = src[i]


def sum_of_block(src, dst):
    s = cuda.shared.array(4, float32)
    t = cuda.threadIdx.x
    s[t] = src[cuda.grid(1)]
    cuda.syncthreads()
    if t == 0:
        dst[cuda.blockIdx.x] = s[0] + s[1] + s[2] + s[3]


def four_loads_first(src, dst):
    i = 4 * cuda.grid(1)
    w, x, y, z = src[i], src[i + 1], src[i + 2], src[i + 3]
    dst[i] = w
    dst[i + 1] = x
    dst[i + 2] = y
    dst[i + 3] = z


def balance_of(kernel, grid, block, n_src, n_dst) -> LoadBalance:
    return simt.trace(kernel, grid, block, np.ones(n_src, np.float32), np.zeros(n_dst, np.float32)).balance


def test_an_even_share_is_told_as_one():
    balance = balance_of(copy, 4, 32, 100, 100)

    assert LoadBalance(launches=1, total=200, busiest=2, threads=100, blocks=4, loads_in_a_row=1) == balance
    assert 2.0 == balance.mean


def test_one_thread_that_does_it_all_is_the_busiest():
    assert LoadBalance(
        launches=1, total=200, busiest=200, threads=1, blocks=1, loads_in_a_row=1, alone=200
    ) == balance_of(copy_alone, 4, 32, 100, 100)


def test_work_that_everybody_repeats_adds_up():
    assert LoadBalance(launches=1, total=2 * 10 * 64, busiest=20, threads=64, blocks=2, loads_in_a_row=1) == balance_of(
        copy_by_everybody, 2, 32, 10, 10
    )


def test_shared_memory_counts_like_global_memory():
    assert LoadBalance(
        launches=1, total=2 * 12 + 3 * 5, busiest=7, threads=12, blocks=3, loads_in_a_row=1, alone=5
    ) == balance_of(sum_of_block, 3, 4, 12, 3)


def test_of_several_launches_the_widest_says_how_many_threads_worked():
    tracer = Tracer()
    for n in (40, 100):
        tracer.launch(copy, 4, 32, np.ones(n, np.float32), np.zeros(n, np.float32))

    assert (
        LoadBalance(launches=2, total=280, busiest=2, threads=100, blocks=4, loads_in_a_row=1)
        == tracer.result().balance
    )


def test_what_one_thread_makes_beyond_any_that_is_not_the_busiest_of_its_block_it_makes_alone():
    """A block that holds a single element of an edge has one busy thread, and others elsewhere are as busy."""
    assert [100, 100, 5, 0, 0] == [
        balance_of(copy_alone, 1, 32, 50, 50).alone,
        balance_of(copy_alone, 4, 32, 50, 50).alone,
        balance_of(sum_of_block, 1, 4, 4, 1).alone,
        balance_of(copy, 1, 32, 32, 32).alone,
        balance_of(copy, 2, 32, 33, 33).alone,
    ]


def test_loads_before_the_first_store_are_a_row():
    assert 4 == balance_of(four_loads_first, 2, 8, 64, 64).loads_in_a_row


def rows_blurred(ahead):
    """A row at a time through shared memory, loaded before the work on the row above it, or only then."""

    @cuda.jit
    def down(x, out):
        tile = cuda.shared.array(64, float32)
        t = cuda.threadIdx.x
        value = x[0, t]
        for row in range(x.shape[0]):
            if not ahead:
                value = x[row, t]
            tile[t] = value
            cuda.syncthreads()
            if ahead and row + 1 < x.shape[0]:
                value = x[row + 1, t]
            out[row, t] = tile[63 - t]
            cuda.syncthreads()

    return down


def test_a_load_is_ahead_where_the_thread_reads_shared_memory_before_it_stores_there():
    x, out = np.ones((5, 64), np.float32), np.zeros((5, 64), np.float32)
    ahead, at_once = (
        simt.trace(rows_blurred(one), 1, 64, x, out).balance.counters["loads_ahead"] for one in (True, False)
    )

    assert (4 * 64, 0) == (ahead, at_once)


def sums_before(sums, out):
    """Every block adds up what the blocks before it left, its threads together; the last one reads all but one."""
    s = cuda.shared.array(1, float32)
    if cuda.threadIdx.x == 0:
        s[0] = 0
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockDim.x):
        cuda.atomic.add(s, 0, sums[k])
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x] = s[0]


def own_sum(sums, out):
    """Every thread of a block reads the number of its block."""
    out[cuda.blockIdx.x] = sums[cuda.blockIdx.x]


def test_how_much_a_block_reads_of_what_all_blocks_left_is_counted_where_they_are_many():
    def share(kernel, blocks, cells):
        balance = balance_of(kernel, blocks, 32, cells, cells)
        return round(balance.read_by_blocks, 3), balance.read_cells

    assert [(0.495, 100), (0.01, 100), (0.0, 0), (0.0, 0)] == [
        share(sums_before, 100, 100),
        share(own_sum, 100, 100),
        share(sums_before, 10, 10),
        share(own_sum, 100, 1000),
    ]
