"""Operations on single integers in the width in which the compiled kernel does them; zeros keep their signs."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import int32, int64, uint32


def negate_and_invert(values, out):
    i = cuda.grid(1)
    out[i, 0] = -values[i]
    out[i, 1] = ~values[i]


@pytest.mark.parametrize(
    "kind, expected",
    [
        (np.uint8, [[255, 254], [0, 255], [1, 0]]),
        (np.uint16, [[65535, 65534], [0, 65535], [1, 0]]),
        (np.int8, [[-1, -2], [0, -1], [1, 0]]),
        (np.uint64, [[-1, -2], [0, -1], [1, 0]]),
    ],
)
def test_small_integers_are_negated_before_they_widen(kind, expected):
    """As the H200 does; the result's type is int64 or uint64 all the same."""
    values = np.array([1, 0, np.iinfo(kind).max if kind != np.int8 else -1], kind)
    out = np.zeros((3, 2), np.int64)
    simt.launch(negate_and_invert, 1, 3, values, out)
    assert expected == out.tolist()


def test_the_smallest_int8_negates_to_itself():
    out = np.zeros((1, 2), np.int64)
    simt.launch(negate_and_invert, 1, 1, np.array([-128], np.int8), out)
    assert [[-128, 127]] == out.tolist()


def test_popc_counts_the_bits_of_negative_numbers():
    def kernel(values, out):
        i = cuda.grid(1)
        out[i, 0] = cuda.popc(values[i])
        out[i, 1] = cuda.popc(int32(values[i]))
        out[i, 2] = cuda.popc(uint32(values[i]))

    out = np.zeros((3, 3), np.int64)
    simt.launch(kernel, 1, 3, np.array([-1, -5, 5], np.int64), out)
    assert [[64, 32, 32], [63, 31, 31], [2, 2, 2]] == out.tolist()


def test_lanes_that_hold_minus_zero_keep_it_beside_zero():
    def kernel(out):
        i = cuda.grid(1)
        zero = -0.0
        if i < 2:
            zero = 0.0
        out[i] = zero

    out = np.ones(4)
    simt.launch(kernel, 1, 4, out)
    assert [False, False, True, True] == np.signbit(out).tolist()


def test_a_minus_zero_survives_a_branch_of_few_lanes():
    def kernel(out):
        i = cuda.grid(1)
        zero = -0.0
        if int64(i) % 100 == 0:
            zero = 0.0
        out[i] = zero

    out = np.ones(512)
    simt.launch(kernel, 1, 512, out)
    assert (np.arange(512) % 100 != 0).tolist() == np.signbit(out).tolist()
