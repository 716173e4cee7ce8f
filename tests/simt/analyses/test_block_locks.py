"""A lock that one thread takes for its block: what the block does between two barriers is ordered, and nothing else."""

import numpy as np
import pytest
from numba import cuda

import simt


def for_its_block(lock, out):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
    cuda.syncthreads()
    out[cuda.threadIdx.x] += 1
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


def for_its_block_and_each_fences(lock, out):
    if cuda.threadIdx.x == 3:
        while cuda.atomic.exch(lock, 0, 1) == 1:
            pass
        cuda.threadfence()
    cuda.syncthreads()
    out[7 - cuda.threadIdx.x] += 1
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 3:
        cuda.atomic.exch(lock, 0, 0)


def for_its_block_twice(lock, out):
    for _ in range(2):
        if cuda.threadIdx.x == 0:
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            cuda.threadfence()
        cuda.syncthreads()
        out[cuda.threadIdx.x] += 1
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)


def for_its_block_and_each_fences_twice(lock, out):
    for k in range(2):
        if cuda.threadIdx.x == 0:
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            cuda.threadfence()
        cuda.syncthreads()
        out[(cuda.threadIdx.x + 4 * k) % 8] += 1
        cuda.threadfence()
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.atomic.exch(lock, 0, 0)


def for_its_block_with_no_fence_at_the_end(lock, out):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
    cuda.syncthreads()
    out[cuda.threadIdx.x] += 1
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.exch(lock, 0, 0)


def for_its_block_with_no_barrier_behind_the_lock(lock, out):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
    if cuda.threadIdx.x == 1:
        out[1] += 1
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


def between_two_locks_of_the_block(lock, out):
    for k in range(2):
        if cuda.threadIdx.x == 0:
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            cuda.threadfence()
        cuda.syncthreads()
        out[cuda.threadIdx.x] += 1
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)
        if k == 0:
            out[cuda.threadIdx.x + 8] += 1
        cuda.syncthreads()


def for_its_block_with_a_fence_the_second_time(lock, out):
    for k in range(2):
        if cuda.threadIdx.x == 0:
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            cuda.threadfence()
        cuda.syncthreads()
        out[cuda.threadIdx.x + 8 * k] += 1
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            if k == 1:
                cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)


def for_its_block_seen_the_first_time(lock, out):
    for k in range(2):
        if cuda.threadIdx.x == 0:
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            if k == 0:
                cuda.threadfence()
        cuda.syncthreads()
        out[cuda.threadIdx.x] += 1
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)


@pytest.mark.parametrize(
    "kernel",
    (for_its_block, for_its_block_and_each_fences, for_its_block_twice, for_its_block_and_each_fences_twice),
)
def test_a_lock_that_a_thread_takes_for_its_block_orders_what_the_block_does_between_two_barriers(kernel):
    out = np.zeros(8, np.int32)

    assert [] == simt.trace(cuda.jit(kernel), 5, 8, np.zeros(1, np.int32), out).findings
    assert [10 if kernel.__name__.endswith("twice") else 5] * 8 == out.tolist()


@pytest.mark.parametrize(
    ("kernel", "says"),
    (
        (for_its_block_with_no_fence_at_the_end, "call cuda.threadfence() after"),
        (for_its_block_with_no_barrier_behind_the_lock, "the block has it from the next cuda.syncthreads() on"),
        (between_two_locks_of_the_block, "the block has it from the next cuda.syncthreads() on"),
        (for_its_block_with_a_fence_the_second_time, "call cuda.threadfence() after"),
        (for_its_block_seen_the_first_time, "only so a block reads what the last owner wrote"),
    ),
)
def test_a_lock_for_a_block_is_told_what_it_lacks(kernel, says):
    races = simt.trace(kernel, 5, 8, np.zeros(1, np.int32), np.zeros(16, np.int32)).findings

    assert any(says in race.remedy for race in races)
