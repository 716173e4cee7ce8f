"""raise, assert, division by zero and a tuple's end: the thread ends, and debug kernels tell the host."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda


@cuda.jit(device=True)
def positive(value):
    if value < 0:
        raise ValueError("negative")
    return value


@cuda.jit(device=True)
def twice_positive(value):
    return 2 * positive(value)


@cuda.jit
def through_two_functions(values, out, count):
    i = cuda.grid(1)
    for k in range(2):
        out[i] = twice_positive(values[i]) + k
        cuda.atomic.add(count, 0, 1)
    out[i] += 100


@pytest.mark.parametrize("n", [8, 2048])
def test_an_exception_in_a_device_function_ends_the_thread(n):
    values, out, count = np.arange(n) % 3 - 1, np.zeros(n), np.zeros(1, int)
    through_two_functions[-(-n // 1024), min(n, 1024)](values, out, count)
    assert np.where(values < 0, 0, 2 * values + 101).tolist() == out.tolist()
    assert 2 * np.count_nonzero(values >= 0) == count[0]


def test_a_statement_of_a_thread_that_ended_has_no_effect():
    def count_positive(values, out):
        cuda.atomic.add(out, positive(values[cuda.grid(1)]), 1)

    out = np.zeros(3, int)
    simt.launch(cuda.jit(count_positive), 1, 4, np.array([-1, 2, -5, 1]), out)
    assert [0, 1, 1] == out.tolist()
    simt.launch(cuda.jit(count_positive), 1, 2, np.array([-1, -2]), out)
    assert [0, 1, 1] == out.tolist()


def test_a_condition_may_end_a_thread():
    def walk(values, out):
        i = cuda.grid(1)
        n = 0
        while positive(values[i] - n) > 0:
            n += 2
        out[i] = n

    out = np.full(4, -1)
    simt.launch(cuda.jit(walk), 1, 4, np.array([4, 3, 0, 6]), out)
    assert [4, -1, 0, 6] == out.tolist()


def test_nobody_waits_for_a_thread_that_ended():
    @cuda.jit
    def meet(values, out):
        i = cuda.grid(1)
        positive(values[i])
        cuda.syncthreads()
        out[i] = cuda.syncthreads_count(1)

    out = np.zeros(4)
    meet[1, 4](np.array([1, -1, 2, 3]), out)
    assert [3, 0, 3, 3] == out.tolist()


def test_debug_kernels_tell_the_first_exception():
    with pytest.raises(ValueError, match=r"tid=\[2, 0, 0\] ctaid=\[0, 0, 0\]: negative"):
        simt.launch(through_two_functions, 1, 4, np.array([1, 2, -3, -4]), np.zeros(4), np.zeros(1, int), debug=True)


def test_division_by_zero_ends_the_thread_in_debug_kernels_only():
    @cuda.jit
    def divide(x, out):
        i = cuda.grid(1)
        out[i] = 1 / x[i]
        out[i] += 1

    out = np.zeros(2)
    divide[1, 2](np.array([0.0, 2.0]), out)
    assert [np.inf, 1.5] == out.tolist()
    out[:] = 0
    with pytest.raises(ZeroDivisionError):
        simt.launch(divide, 1, 2, np.array([0.0, 2.0]), out, debug=True)
    assert [0, 1.5] == out.tolist()


def test_a_failed_assertion_ends_the_thread_and_debug_kernels_tell_of_it():
    @cuda.jit
    def check(x, out):
        i = cuda.grid(1)
        assert x[i] > 0, "not positive"
        out[i] = 1

    out = np.zeros(2)
    check[1, 2](np.array([0, 1]), out)
    assert [0, 1] == out.tolist()
    out[:] = 0
    with pytest.raises(AssertionError, match="not positive"):
        simt.launch(check, 1, 2, np.array([0, 1]), out, debug=True)
    assert [0, 1] == out.tolist()


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_beyond_a_tuple_ends_the_thread(index):
    @cuda.jit
    def pick(indices, n, out):
        i = cuda.grid(1)
        items = (10, 20, 30)
        out[i] = items[indices[i]]
        out[i] += items[n]

    out = np.zeros(2)
    pick[1, 2](np.array([index, -1]), 1, out)
    assert [0, 50] == out.tolist()
    pick[1, 2](np.array([0, -1]), index, out)
    assert [10, 30] == out.tolist()
    with pytest.raises(IndexError, match="tuple index out of range"):
        simt.launch(pick, 1, 2, np.array([0, 1]), index, out, debug=True)
