"""Who is told by a counter to be the last may store into it; nobody else may, and a lock is opened by an atomic."""

import numpy as np
import pytest
from numba import cuda

import simt

BLOCKS, THREADS = 5, 32


@cuda.jit
def the_last_resets(counter, done):
    if cuda.threadIdx.x == 0 and cuda.atomic.add(counter, 0, 1) == cuda.gridDim.x - 1:
        counter[0] = 0
        done[0] = 1


@cuda.jit
def the_highest_resets(counter, done):
    if cuda.threadIdx.x == 0:
        last = cuda.atomic.add(counter, 0, 1) == cuda.gridDim.x - 1
        if last:
            done[0] = 1
        if cuda.blockIdx.x == cuda.gridDim.x - 1:
            counter[0] = 0


@cuda.jit
def the_first_clears(counter, done):
    if cuda.grid(1) == 0:
        counter[0] = 0
    if cuda.threadIdx.x == 0 and cuda.atomic.add(counter, 0, 1) == cuda.gridDim.x - 1:
        done[0] = 1


@cuda.jit
def clears_and_counts_again(counter, done):
    if cuda.threadIdx.x == 0:
        if cuda.atomic.add(counter, 0, 1) == cuda.gridDim.x - 1:
            counter[0] = 0
            done[0] = 1
        cuda.syncwarp()
        cuda.atomic.add(counter, 0, 0)


@cuda.jit
def opened_by_a_store(lock, best):
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                best[0] += 1
                cuda.threadfence()
                lock[0] = 0
                done = True


def findings(kernel, seed=None):
    tracer = simt.tracing.Tracer(seed=seed)
    tracer.launch(kernel, BLOCKS, THREADS, np.zeros(1, np.int32), np.zeros(1, np.int32))
    return [finding for finding in tracer.result().findings if finding.kind == "race"]


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_the_last_block_may_reset_the_counter_with_a_plain_store(seed):
    assert [] == findings(the_last_resets, seed)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("kernel", [the_highest_resets, the_first_clears, clears_and_counts_again])
def test_a_store_that_the_counter_does_not_order_is_a_race(kernel, seed):
    assert {"counter"} <= {finding.array for finding in findings(kernel, seed)}


def test_a_lock_that_a_store_opens_is_told_to_use_an_atomic_and_not_to_add_the_fence_that_is_there():
    remedies = {finding.array: finding.remedy for finding in findings(opened_by_a_store)}

    assert "Open the lock with an atomic" in remedies["best"] and "threadfence" not in remedies["best"]
