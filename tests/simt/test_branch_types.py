"""A variable has one type after an ``if``, as numba gives it, also where all threads take the same side."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import int32, uint8

SINGLE = np.float32(0.1)
WIDE = float(SINGLE) * float(SINGLE)  # as float64
NARROW = float(SINGLE * SINGLE)  # as float32
DECIDED = False


def assigned(flag, single, out):
    if flag:
        value = single
    else:
        value = 0.5
    out[0] = value * value


def kept(flag, single, out):
    value = single
    if not flag:
        value = 0.5
    out[0] = value * value


def chosen_by_elif(flag, single, out):
    if flag:
        value = single
    elif single > 1:
        value = 0.25
    else:
        value = 0.5
    out[0] = value * value


def augmented(flag, single, out):
    value = single
    if not flag:
        value += 1
    out[0] = value * value


def in_one_of_many_lanes(flag, single, out):
    value = single
    if cuda.grid(1) > 10_000:
        value = 0.5
    out[0] = value * value


@pytest.mark.parametrize("kernel", [assigned, kept, chosen_by_elif, augmented, in_one_of_many_lanes])
def test_float32_beside_float64_is_float64_on_both_ways(kernel):
    assert WIDE != NARROW
    out = np.zeros(1)
    simt.launch(kernel, 1, 64, True, SINGLE, out)
    assert WIDE == out[0]


def decided(flag, single, out):
    value = single
    if DECIDED:
        value = 0.5
    out[0] = value * value


def asked_for_none(flag, single, out):
    value = single
    if flag is None:
        value = 0.5
    out[0] = value * value


def left(flag, single, out):
    value = single
    if not flag:
        value = 0.5
        out[0] = value
        return
    out[0] = value * value


def alike(flag, single, out):
    value = single
    if not flag:
        value = np.float32(0.5)
    out[0] = value * value


@pytest.mark.parametrize("kernel", [decided, asked_for_none, left, alike])
def test_a_side_that_does_not_reach_the_join_changes_no_type(kernel):
    """numba leaves out what it can decide, and a side that returns joins nothing."""
    out = np.zeros(1)
    simt.launch(kernel, 1, 64, True, SINGLE, out)
    assert NARROW == out[0]


def test_integers_unify_before_they_are_inverted():
    def kernel(flag, out):
        value = uint8(1)
        if flag:
            value = int32(5)
        out[0] = ~value

    for flag, expected in ((True, ~5), (False, ~1)):
        out = np.zeros(1, np.int64)
        simt.launch(kernel, 1, 1, flag, out)
        assert expected == out[0]


def test_the_type_is_that_of_numbas_own_inference():
    """`value * value` is float64 for numba, too."""
    pytest.importorskip("numba.cuda")
    from numba.cuda import types

    from autograder.lint.compiler import lower, unavailable_reason

    if unavailable_reason():
        pytest.skip(unavailable_reason())
    out = types.Array(types.float64, 1, "C")
    for kernel, expected in ((assigned, "float64"), (kept, "float64"), (augmented, "float64"), (alike, "float32")):
        lowered = lower(kernel, (types.boolean, types.float32, out), "sm_90")
        typed = lowered.typed[0]
        products = {
            str(signature.return_type)
            for node, signature in typed.calltypes.items()
            if getattr(node, "op", "") == "binop" and node.fn is operator.mul
        }
        assert {expected} == products, kernel.__name__
