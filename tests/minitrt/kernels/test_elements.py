"""How a float32 becomes int8, told by ties, ends and numbers that are none: data at random hides all three."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from minitrt.backend import cuda
from minitrt.kernels.plain import elements

TIES = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 126.5, 127.5, -128.5], np.float32)


def saturated(values: np.ndarray, function) -> list[int]:
    def kernel(x, y):
        i = cuda.grid(1)
        if i < x.shape[0]:
            y[i] = function(x[i])

    found = np.zeros(len(values), np.int8)
    simt.launch(kernel, 1, 32, values, found)
    return found.tolist()


def test_ties_go_to_the_even_neighbour():
    assert [-2, -2, 0, 0, 2, 2, 126, 127, -128] == saturated(TIES, elements.saturate)


def test_what_is_too_large_stops_at_the_ends_and_nan_is_zero():
    values = np.array([1e30, -1e30, np.inf, -np.inf, np.nan, 127.4, -128.4], np.float32)

    assert [127, -128, 127, -128, 0, 127, -128] == saturated(values, elements.saturate)


@pytest.mark.parametrize(
    "wrong",
    [lambda v: int(v), lambda v: int(np.floor(v + 0.5)), lambda v: int(np.trunc(v + np.copysign(0.5, v)))],
    ids=["truncated", "half up", "half away from zero"],
)
def test_other_roundings_fail_on_the_ties(wrong):
    assert [wrong(value) for value in TIES[:6]] != saturated(TIES[:6], elements.saturate)
