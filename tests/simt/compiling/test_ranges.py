"""A range that is kept in a variable before a loop goes over it."""

import numpy as np
import pytest

import simt
from simt.errors import UnsupportedError
from tests.simt.kernels import cuda

COUNTS = [0, 1, 2, 3, 7, 9, 12, 40]


@cuda.jit
def over_ranges(n, out):
    i = cuda.grid(1)
    up, down = range(2, n[i]), range(n[i], 0, -2)
    if i % 2:
        half = range(i)
    else:
        half = range(i + 1)
    total = len(up) + 100 * len(down)
    for value in up:
        total += value
        if value > 30:
            break
    for place, value in enumerate(down):
        total += 100 * value + place
    for a, b in zip(half, up):  # noqa: B905 - numba knows no strict
        total += 10_000 * a * b
    out[i] = total


def by_python(i: int, n: int) -> int:
    up, down, half = range(2, n), range(n, 0, -2), range(i) if i % 2 else range(i + 1)
    total = len(up) + 100 * len(down) + sum(range(2, min(n, 32)))
    total += sum(100 * value + place for place, value in enumerate(down))
    return total + sum(10_000 * a * b for a, b in zip(half, up, strict=False))


def test_it_has_the_numbers_and_the_length_that_each_thread_gave_it():
    out = np.zeros(len(COUNTS), np.int64)
    simt.launch(over_ranges, 1, len(COUNTS), np.array(COUNTS), out)
    assert [by_python(i, n) for i, n in enumerate(COUNTS)] == out.tolist()


@cuda.jit
def over_one_of_two(x, y, out):
    i = cuda.grid(1)
    pairs = enumerate(x)
    if i % 2:
        pairs = enumerate(y)
    for k, value in pairs:
        out[i] += k * value


def test_threads_that_go_over_different_arrays_are_refused_and_not_given_the_same_one():
    with pytest.raises(UnsupportedError, match="different"):
        simt.launch(over_one_of_two, 1, 4, np.ones(3), np.ones(5), np.zeros(4))
