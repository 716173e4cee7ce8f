"""A lock orders whoever takes it: who finds it closed and goes on has none, however well this run's order hides it."""

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda


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


def findings(kernel):
    return simt.trace(kernel, 5, 1, np.zeros(1, np.int32), np.zeros(8, np.int32)).findings


@pytest.mark.parametrize("kernel", (loop, work_in_the_loop, three_times))
def test_a_lock_that_is_taken_and_given_back_orders_its_holders(kernel):
    assert [] == findings(kernel)


@pytest.mark.parametrize("kernel", (turned_loop, turned_exchange, turned_condition))
def test_a_lock_whose_test_is_the_wrong_way_round_is_a_race_and_told_as_that(kernel):
    race = findings(kernel)[0]

    assert "race" == race.kind
    assert "the wrong way round" in race.remedy
