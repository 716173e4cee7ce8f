"""Work is counted in steps, alike on every machine, and told where the launch was when they were spent."""

import numpy as np
import pytest
from numba import cuda

import simt
from simt.errors import TooMuchWork
from simt.lanes.meter import Meter
from simt.tracing import Tracer
from tests.simt import kernels
from tests.simt.synthetic import line_of


@cuda.jit
def all_by_one(x, out):
    if cuda.grid(1) == 0:
        for i in range(x.size):
            out[i] = x[i]  # body


@cuda.jit
def all_by_each(x, out):
    total = 0.0
    for value in x:
        total += value
    out[0] = total


@cuda.jit
def rows_by_some(x, out):
    i = cuda.grid(1)
    if i < 40:
        for k in range(1000):
            for j in range(2):
                out[i] += x[k] * j


@cuda.jit(device=True)
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@cuda.jit
def no_loop(x, out):
    out[0] = fibonacci(25)


def stopped(kernel, n=1000, limit=500, grid=4):
    x, out = np.ones(n, np.float32), np.zeros(n, np.float32)
    with pytest.raises(TooMuchWork) as raised:
        simt.launch(kernel, grid, 64, x, out, meter=Meter(limit))
    return raised.value


def test_one_thread_at_the_work_of_all_is_told_with_its_turn():
    error = stopped(all_by_one)

    line = line_of(all_by_one, "body") - 1
    assert (line, 1000, 1, 256) == (error.line, error.of, error.working, error.threads)
    assert f"Line {line} was at iteration {error.turn} of 1,000 with 1 of 256 threads working" in error.message
    assert "on a GPU the other 255 would wait" in error.message


def test_a_loop_over_an_array_knows_how_often_it_turns():
    error = stopped(all_by_each)
    assert (1000, 256, 256) == (error.of, error.working, error.threads) and "would wait" not in error.message


def test_of_nested_loops_the_one_that_turned_most_is_told():
    error = stopped(rows_by_some)
    assert (1000, 40) == (error.of, error.working)


def test_calls_without_a_loop_are_counted_too():
    assert "The kernel was stopped after 500 steps" in stopped(no_loop).message


@pytest.mark.parametrize("traced", [False, True])
def test_steps_are_the_same_in_every_run_whatever_the_clock_says(monkeypatch, traced):
    clock = iter(range(10**9))

    def steps(fast: bool) -> int:
        if not fast:
            monkeypatch.setattr("simt.lanes.batch.worked_s", lambda: next(clock))
        meter = Meter()
        listeners = Tracer().listeners() if traced else ()
        x = np.ones(5000, np.float32)
        arguments = x, x.copy(), np.zeros(5000, np.float32)
        simt.launch(kernels.guarded_add, 20, 256, *arguments, meter=meter, listeners=listeners, deadline=10**9)
        return meter.steps

    assert steps(fast=True) == steps(fast=False) > 0
