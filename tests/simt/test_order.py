"""A seed is one order of blocks and of the lanes of a store or an atomic: what depends on order shows."""

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, int32
from tests.simt import kernels

SEEDS = range(20)
CELL = np.dtype([("who", np.int32), ("when", np.float32)], align=True)


def last_writer(out):
    out[0] = cuda.threadIdx.x


def last_writer_of_rows(out):
    x, y = cuda.grid(2)
    out[y, 0] = x


def last_writer_in_shared(out):
    cell = cuda.shared.array(2, int32)
    t = cuda.threadIdx.x
    cell[t % 2] = t
    cuda.syncthreads()
    if t < 2:
        out[t] = cell[t]


def last_writer_by_slice(out):
    part = out[:2]
    part[0] = cuda.grid(1)


def tickets(counter, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.add(counter, 0, 1)


def swaps(cell, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.exch(cell, 0, i + 1)


def claims(cell):
    cuda.atomic.cas(cell, 0, 0, cuda.grid(1) + 1)


def float_sum(src, total):
    i = cuda.grid(1)
    cuda.atomic.add(total, 0, src[i])


def last_record(out):
    out[0].who = cuda.threadIdx.x


def tree_sum(src, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = src[cuda.grid(1)]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


def whole_sum(src, total):
    cuda.atomic.add(total, 0, src[cuda.grid(1)])


def same_value(flag):
    flag[0] = 1


def zeros(*shape, dtype=np.int32):
    return np.zeros(shape, dtype)


def noise(n):
    return np.random.default_rng(0).normal(size=n).astype(np.float32)


def result_of(kernel, grid, block, make, seed):
    """The bytes of every array after a launch under a seed."""
    arrays = make()
    simt.launch(kernel, grid, block, *arrays, seed=seed)
    return b"".join(array.tobytes() for array in arrays)


RACY = [
    (last_writer, 1, 64, lambda: [zeros(1)]),
    (last_writer_of_rows, 1, (8, 8), lambda: [zeros(8, 8)]),
    (last_writer_in_shared, 1, 64, lambda: [zeros(2)]),
    (last_writer_by_slice, 2, 32, lambda: [zeros(4)]),
    (last_record, 1, 64, lambda: [zeros(1, dtype=CELL)]),
    (tickets, 2, 64, lambda: [zeros(1), zeros(128)]),
    (swaps, 1, 64, lambda: [zeros(1), zeros(64)]),
    (claims, 1, 64, lambda: [zeros(1)]),
    (float_sum, 1, 128, lambda: [noise(128), zeros(1, dtype=np.float32)]),
]
RIGHT = [
    (kernels.guarded_add, 4, 256, lambda: [noise(1000), noise(1000), zeros(1000, dtype=np.float32)]),
    (tree_sum, 4, 64, lambda: [noise(256), zeros(4, dtype=np.float32)]),
    (whole_sum, 4, 64, lambda: [np.arange(256, dtype=np.int32), zeros(1)]),
    (same_value, 4, 64, lambda: [zeros(1)]),
]


@pytest.mark.parametrize("launch", RACY, ids=lambda launch: launch[0].__name__)
def test_what_depends_on_order_differs_between_seeds_and_not_within_one(launch):
    results = [result_of(*launch, seed) for seed in SEEDS]

    assert len(set(results)) > 1
    assert results == [result_of(*launch, seed) for seed in SEEDS]


@pytest.mark.parametrize("launch", RIGHT, ids=lambda launch: launch[0].__name__)
def test_right_kernels_give_the_same_bytes_under_every_seed(launch):
    assert 1 == len({result_of(*launch, seed) for seed in (None, *SEEDS)})


def test_without_a_seed_the_last_thread_wins():
    out = zeros(1)
    simt.launch(last_writer, 1, 64, out)
    assert 63 == out[0]


def test_each_atomic_still_sees_what_the_one_before_it_left():
    counter, out = zeros(1), zeros(128)
    simt.launch(tickets, 2, 64, counter, out, seed=3)
    assert 128 == counter[0] and list(range(128)) == sorted(out)


def test_a_trace_changes_memory_as_a_launch_with_its_seed_does():
    traced, launched = zeros(1), zeros(1)
    simt.trace(last_writer, 1, 64, traced, seed=5)
    simt.launch(last_writer, 1, 64, launched, seed=5)
    assert launched == traced
