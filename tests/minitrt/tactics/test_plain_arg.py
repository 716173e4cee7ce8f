"""Positions of extremes in the interpreter against the reference: ties, NaN, axes, and both ends."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.reference.registry import run_op
from minitrt.tactics.plain import rows
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200
from tests.minitrt.plain_operations import I8, I64, F, op, value

rng = np.random.default_rng(2)


@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("largest", [False, True], ids=["smallest", "largest"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", [F, I8], ids=["float32", "int8"])
def test_the_place_of_an_extreme_is_the_reference_s(dtype, axis, largest, last):
    shape = (4, 70, 3)
    x = rng.integers(-3, 4, shape).astype(np.int8 if dtype == I8 else np.float32)  # many ties
    out = tuple(1 if i == axis % 3 else n for i, n in enumerate(shape))
    check(op("arg", [value("x", dtype, shape)], value("y", I64, out), axis=axis, largest=largest, last=last), x)


def test_nan_is_the_extreme():
    x = np.array([[1, np.nan, 3, np.nan], [-np.inf, -np.inf, -np.inf, -np.inf]], np.float32)
    check(op("arg", [value("x", F, x.shape)], value("y", I64, (2,)), axis=1, keep_dims=False), x)


def check(operation, x) -> None:
    expected = run_op(operation, [x])[0]
    (tactic,) = rows.candidates(operation, H200)
    (found,) = run(operation, tactic, [x])

    assert expected.tolist() == found.tolist()
