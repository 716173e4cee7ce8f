"""match statements, thread by thread."""

from __future__ import annotations

import enum

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.errors import UnsupportedError


class Kind(enum.IntEnum):
    SPECIAL = 5


def sort_out(values, out):
    i = cuda.grid(1)
    match values[i]:
        case 1 | 2:
            out[i] = 10
        case Kind.SPECIAL:
            out[i] = 50
        case large if large > 100:
            out[i] = large + 1
        case 7:
            return
        case _:
            out[i] = -1
    out[i] += 1000


def expected(value):
    known = {1: 1010, 2: 1010, 5: 1050, 7: 0}
    return known.get(value, value + 1001 if value > 100 else 999)


@pytest.mark.parametrize("n", [9, 2048])
def test_each_thread_takes_its_first_case(n):
    values, out = np.arange(n) % 9 * np.where(np.arange(n) % 2, 1, 20), np.zeros(n, int)
    simt.launch(sort_out, -(-n // 256), min(n, 256), values, out)
    assert [expected(value) for value in values.tolist()] == out.tolist()


def test_a_value_without_a_case_changes_nothing():
    def only_three(values, out):
        match values[0]:
            case 3:
                out[0] = 1

    out = np.zeros(1)
    simt.launch(only_three, 1, 1, np.array([2]), out)
    assert 0 == out[0]
    simt.launch(only_three, 1, 1, np.array([3]), out)
    assert 1 == out[0]


def test_branches_of_a_match_are_traced_by_line():
    values = np.arange(32) % 9
    trace = simt.trace(sort_out, 1, 32, values, np.zeros(32, int))
    assert [] == trace.findings


def test_a_case_that_takes_values_apart_is_refused():
    def pair(out):
        match (out[0], 1):
            case (a, b):
                out[0] = a + b

    with pytest.raises(UnsupportedError, match="line .*takes a value apart"):
        simt.launch(pair, 1, 1, np.zeros(1))


def counts_to_a_member(out):
    for k in range(Kind.SPECIAL):
        out[k] += 1


def adds_at_a_member(out):
    cuda.atomic.add(out, Kind.SPECIAL, 1)


def test_a_member_of_an_enum_is_a_bound_and_the_place_of_an_atomic_as_in_numba():
    out = np.zeros(6)
    simt.launch(counts_to_a_member, 1, 1, out)
    simt.launch(adds_at_a_member, 1, 1, out)
    assert [1] * 6 == out.tolist()
