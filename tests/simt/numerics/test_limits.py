"""`np.finfo` and `np.iinfo` in kernels, as numba has them."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.errors import UnsupportedError


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_limits_of_floats_are_numbers_of_that_type(kind):
    def ask(x, out):
        limits = np.finfo(kind)
        out[0], out[1], out[2] = limits.max, np.finfo(x.dtype).eps, np.finfo(x[0]).tiny
        out[3] = kind(1) + limits.eps / kind(4) == kind(1)  # not where the sum is a float64 by mistake
        out[4] = limits.bits

    out = np.zeros(5, np.float64)
    simt.launch(ask, 1, 1, np.ones(1, kind), out)

    known = np.finfo(kind)
    assert [known.max, known.eps, known.tiny, 1, known.bits] == out.tolist()


def test_limits_of_integers_are_64_bits_wide():
    def ask(out):
        out[0] = np.iinfo(np.int32).max + 1
        out[1] = np.iinfo(np.int64).min
        out[2] = np.iinfo(np.uint8).bits

    out = np.zeros(3, np.int64)
    simt.launch(ask, 1, 1, out)

    assert [2**31, -(2**63), 8] == out.tolist()


def test_the_largest_of_all_is_unsigned():
    def ask(out):
        out[0] = np.iinfo(np.uint64).max

    out = np.zeros(1, np.uint64)
    simt.launch(ask, 1, 1, out)

    assert 2**64 - 1 == out[0]


def test_a_type_of_the_other_kind_is_refused():
    def ask(out):
        out[0] = np.finfo(np.int32).max

    with pytest.raises(UnsupportedError, match="about floats, and this is int32"):
        simt.launch(ask, 1, 1, np.zeros(1))
