"""A lock orders whoever takes it: who finds it closed and goes on has none, however well this run's order hides it."""

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import int32


def loop(lock, out):
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    cuda.threadfence()
    out[0] = out[0] + 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


def work_in_the_loop(lock, out):
    done = False
    while not done:
        if cuda.atomic.cas(lock, 0, 0, 1) == 0:
            cuda.threadfence()
            out[0] = out[0] + 1
            cuda.threadfence()
            cuda.atomic.cas(lock, 0, 1, 0)
            done = True


def three_times(lock, out):
    for _ in range(3):
        while cuda.atomic.exch(lock, 0, 1) != 0:
            pass
        cuda.threadfence()
        out[0] = out[0] + 1
        cuda.threadfence()
        found = cuda.atomic.exch(lock, 0, 0)
        out[1 + cuda.blockIdx.x] = found


def names_its_owner(lock, out):
    while cuda.atomic.cas(lock, 0, 0, cuda.blockIdx.x + 1) != 0:
        pass
    cuda.threadfence()
    out[0] = out[0] + 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


def turned_loop(lock, out):
    while cuda.atomic.cas(lock, 0, 0, 1) == 0:
        pass
    cuda.threadfence()
    out[0] = out[0] + 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


def turned_exchange(lock, out):
    while cuda.atomic.exch(lock, 0, 1) == 0:
        pass
    cuda.threadfence()
    out[0] = out[0] + 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


def turned_condition(lock, out):
    done = False
    while not done:
        if cuda.atomic.cas(lock, 0, 0, 1) != 0:
            cuda.threadfence()
            out[0] = out[0] + 1
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)
            done = True


def no_fence_behind_the_lock(lock, out):
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    out[0] = out[0] + 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


def fence_before_the_lock_and_behind_the_read(lock, out):
    cuda.threadfence()
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    seen = out[0]
    cuda.threadfence()
    out[0] = seen + 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


def reads_before_the_lock(lock, out):
    seen = out[0]
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    cuda.threadfence()
    out[0] = seen + 1
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)


def stores_behind_the_opening(lock, out):
    while cuda.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    cuda.threadfence()
    cuda.atomic.exch(lock, 0, 0)
    out[0] = cuda.blockIdx.x


def lock_of_the_block(lock, out):
    own = cuda.shared.array(1, int32)
    own[0] = 0
    while cuda.atomic.cas(own, 0, 0, 1) != 0:
        pass
    cuda.threadfence()
    out[0] = out[0] + 1
    cuda.threadfence()
    cuda.atomic.exch(own, 0, 0)


def taken_by_a_sum(lock, out):
    while cuda.atomic.add(lock, 0, 1) != 0:
        cuda.atomic.add(lock, 0, -1)
    cuda.threadfence()
    out[0] = out[0] + 1
    cuda.threadfence()
    cuda.atomic.add(lock, 0, -1)


def findings(kernel):
    return simt.trace(kernel, 5, 1, np.zeros(1, np.int32), np.zeros(8, np.int32)).findings


@pytest.mark.parametrize("kernel", (loop, work_in_the_loop, three_times, taken_by_a_sum, names_its_owner))
def test_a_lock_that_is_taken_and_given_back_orders_its_holders(kernel):
    assert [] == findings(kernel)


@pytest.mark.parametrize("kernel", (turned_loop, turned_exchange, turned_condition))
def test_a_lock_whose_test_is_the_wrong_way_round_is_a_race_and_told_as_that(kernel):
    race = findings(kernel)[0]

    assert "race" == race.kind
    assert "the wrong way round" in race.remedy


@pytest.mark.parametrize("kernel", (no_fence_behind_the_lock, fence_before_the_lock_and_behind_the_read))
def test_who_reads_behind_a_lock_with_no_fence_between_is_told_the_line_that_takes_it(kernel):
    race = findings(kernel)[0]
    taking = kernel.__code__.co_firstlineno + (1 if kernel is no_fence_behind_the_lock else 2)

    assert f"takes the lock at line {taking}" in race.message
    assert f"between line {taking}" in race.remedy


@pytest.mark.parametrize(
    ("kernel", "says"),
    (
        (reads_before_the_lock, "comes before the lock is taken"),
        (stores_behind_the_opening, "comes after the lock is given back"),
        (lock_of_the_block, "A lock in shared memory is another one in every block"),
    ),
)
def test_what_happens_outside_a_lock_or_in_one_of_the_block_alone_is_told_as_that(kernel, says):
    assert any(says in race.remedy for race in findings(kernel))
