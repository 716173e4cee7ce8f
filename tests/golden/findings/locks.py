"""Locks that lack something: a fence, a barrier, the right test, an atomic that opens them."""

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import int32
from tests.golden.findings.example import Catalogue, zeros

EXAMPLES = Catalogue()


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32))
def lock_without_a_fence(lock, total):
    done = False
    while not done:
        if cuda.atomic.cas(lock, 0, 0, 1) == 0:
            total[0] += 1
            cuda.atomic.exch(lock, 0, 0)
            done = True


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32))
def lock_without_a_fence_behind_its_taking(lock, total):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        total[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32))
def lock_for_a_block_without_a_fence_behind_its_taking(lock, most):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
    cuda.syncthreads()
    if cuda.threadIdx.x == 1 and cuda.blockIdx.x >= most[0]:
        most[0] = cuda.blockIdx.x + 1
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32))
def lock_for_a_block_that_opens_before_all_have_worked(lock, total):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 1:
        total[0] += 1
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32))
def lock_taken_behind_what_it_should_keep(lock, total):
    if cuda.threadIdx.x == 0:
        seen = total[0]
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        total[0] = seen + 1
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32))
def lock_given_back_before_what_it_should_keep(lock, total):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)
        total[0] = cuda.blockIdx.x


@EXAMPLES.kernel(2, 32, zeros(1, dtype=np.int32))
def lock_of_each_block(total):
    lock = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        lock[0] = 0
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        total[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


@EXAMPLES.kernel(4, 1, zeros(1, dtype=np.int32), zeros(1))
def lock_whose_test_is_turned_round(lock, total):
    while cuda.atomic.cas(lock, 0, 0, 1) == 0:
        pass
    cuda.threadfence()
    total[0] += 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


@EXAMPLES.kernel(4, 32, zeros(1, dtype=np.int32), zeros(1, dtype=np.int32), seed=0)
def lock_opened_by_a_plain_store(lock, best):
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                best[0] += 1
                cuda.threadfence()
                lock[0] = 0
                done = True
