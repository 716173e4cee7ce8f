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


def in_a_loop_of_no_turns(flag, single, out):
    value = single
    for _ in range(0):
        value = 0.5
    out[0] = value * value


def in_the_first_turn(flag, single, out):
    value = single
    k = 0
    while k < 1:
        out[0] = value * value
        value = value + 0.5
        k += 1


def in_a_loop_below_an_if(flag, single, out):
    value = single
    for _ in range(1):
        out[0] = value * value
        if single > 1:
            value = value + 0.5


@cuda.jit(device=True)
def single_or_half(flag, single):
    if flag:
        return single
    return 0.5


def returned(flag, single, out):
    value = single_or_half(flag, single)
    out[0] = value * value


WAYS = [
    assigned, kept, chosen_by_elif, augmented, in_one_of_many_lanes, in_a_loop_of_no_turns, in_the_first_turn,
    in_a_loop_below_an_if, returned,
]  # fmt: skip


@pytest.mark.parametrize("kernel", WAYS)
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


def reassigned(flag, single, out):
    other = 0.25
    value = single
    if not flag:
        other = single
        value = other
    out[0] = value * value


@cuda.jit(device=True)
def single_again(flag, single):
    other = single
    if flag:
        return other
    other = 0.5
    return single


def returned_before(flag, single, out):
    value = single_again(flag, single)
    out[0] = value * value


@pytest.mark.parametrize("kernel", [decided, asked_for_none, left, alike, reassigned, returned_before])
def test_a_side_that_does_not_reach_the_join_changes_no_type(kernel):
    """numba leaves out what it can decide, a side that returns joins nothing, and a name keeps no type it once had."""
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
    wide = [kernel for kernel in WAYS if "cuda" not in kernel.__code__.co_names and kernel is not returned]
    for kernel, expected in [*((kernel, "float64") for kernel in wide), (alike, "float32"), (reassigned, "float32")]:
        lowered = lower(kernel, (types.boolean, types.float32, out), "sm_90")
        typed = lowered.typed[0]
        products = {
            str(signature.return_type)
            for node, signature in typed.calltypes.items()
            if getattr(node, "op", "") == "binop" and node.fn is operator.mul
        }
        assert {expected} == products, kernel.__name__
