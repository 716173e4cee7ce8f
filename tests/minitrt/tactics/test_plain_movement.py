"""Moves as data: axes that are joined, and elements that are moved eight bytes at a time."""

from __future__ import annotations

import pytest

from minitrt.graph.ir import Op, Value
from minitrt.tactics.plain import movement
from minitrt.tactics.plain.movement import Axis, Move, widened
from tests.minitrt.operations import H200
from tests.minitrt.plain_operations import I8, OPS, F


def test_a_reshape_is_one_run_of_eight_byte_elements():
    op = Op(
        "shuffle", "flatten", [Value("x", I8, (4, 32, 1, 1), 0.1)], [Value("y", I8, (4, 32), 0.1)], {"shape": [4, 32]}
    )
    (tactic,) = movement.candidates(op, H200)
    (launch,) = tactic.make(op)

    assert 8 == dict(launch.kernel.constants)["item_bytes"]
    assert (1, 1, 1) == launch.grid


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Move((Axis(4, 7, 0, 1, 4, 7), Axis(7, 1, 0, 1, 7, 1))), "seven bytes a row"),
        (Move((Axis(4, 8, 0, 1, 4, 8), Axis(8, 1, 4, 1, 16, 1))), "a row that begins in the middle"),
        (Move((Axis(8, 1, 0, 1, 8, 8),)), "a column"),
        (Move((Axis(8, 1, 0, 1, 8, 1),), offset=4), "a place in the middle of eight bytes"),
        (Move((Axis(8, 1, 0, 1, 8, 1),), mode="fill"), "an outside that is filled element by element"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_run_of_eight_bytes_is_moved_element_by_element(move, why):
    assert (move, 1) == widened(move, 1), why


def test_a_transposed_tensor_keeps_its_elements():
    op = OPS["transpose"]
    (tactic,) = movement.candidates(op, H200)

    assert F == op.output.dtype
    assert 4 == dict(tactic.make(op)[0].kernel.constants)["item_bytes"]
