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


@cuda.jit
def asks_of_ranges(n, out):
    i = cuda.grid(1)
    up, down = range(2, n[i] + 3), range(n[i], -1, -3)
    out[i, 0] = sum(up) + sum(down, 5)
    out[i, 1] = min(up) + 100 * max(up) + 10_000 * min(down) + 1_000_000 * max(down)
    out[i, 2] = (i in up) + 2 * (7 not in down) + 4 * (2.0 in up) + 8 * (2.5 in up)
    out[i, 3] = up.start + 10 * up.stop + 1000 * up.step + down.step
    first, second = range(i, i + 2)
    out[i, 4] = first + 10 * second


def answers_of_python(i: int, n: int) -> list[int]:
    up, down = range(2, n + 3), range(n, -1, -3)
    return [
        sum(up) + sum(down, 5),
        min(up) + 100 * max(up) + 10_000 * min(down) + 1_000_000 * max(down),
        (i in up) + 2 * (7 not in down) + 4 * (2.0 in up) + 8 * (2.5 in up),
        up.start + 10 * up.stop + 1000 * up.step + down.step,
        i + 10 * (i + 1),
    ]


def test_what_numba_compiles_of_a_range_gives_what_python_gives():
    out = np.zeros((len(COUNTS), 5), np.int64)
    simt.launch(asks_of_ranges, 1, len(COUNTS), np.array(COUNTS), out)
    assert [answers_of_python(i, n) for i, n in enumerate(COUNTS)] == out.tolist()


def indexed(out):
    out[0] = range(3, 20, 4)[2]


def made_a_tuple(out):
    out[0] = len(tuple(range(4)))


def compared(out):
    out[0] = range(3) == range(3)


@pytest.mark.parametrize("kernel", [indexed, made_a_tuple, compared], ids=lambda one: one.__name__)
def test_what_numba_refuses_of_a_range_is_refused_as_numba_s_refusal(kernel):
    with pytest.raises(UnsupportedError) as told:
        simt.launch(kernel, 1, 1, np.zeros(1, np.int64))
    assert told.value.reason
