"""Reshapes that move nothing: offered for what stays in place, and placed where their source lies."""

from __future__ import annotations

import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.plan.memory import place
from minitrt.tactics import view
from tests.minitrt.operations import H200


def shuffle(before, to, **attrs) -> Op:
    return Op("shuffle", "s", [Value("x", DataType.INT8, before, 0.1)], [Value("y", DataType.INT8, to, 0.1)], attrs)


def names(op: Op) -> list[str]:
    return [tactic.name for tactic in view.candidates(op, H200)]


def test_a_reshape_is_a_view_and_images_of_one_pixel_are_rows_in_both_layouts():
    assert names(shuffle((2, 8, 6), (2, 48), shape=[2, 48])) == ["view_linear"]
    assert names(shuffle((2, 40, 1, 1), (2, 40), shape=[2, 40])) == ["view_linear", "view_nhwc16"]


@pytest.mark.parametrize("attrs", [{"first": [1, 0]}, {"shape": [6, 4], "second": [1, 0]}])
def test_what_changes_places_or_scales_is_none(attrs):
    assert names(shuffle((6, 4), (4, 6), **attrs)) == []
    other = shuffle((6, 4), (24,), shape=[24])
    other.output.scale = 0.2
    assert names(other) == []


def test_a_view_lies_where_its_source_does_for_as_long_as_either_is_read():
    x, a, flat, b, c, y = (Value(name, DataType.FLOAT, (64,)) for name in ("x", "a", "flat", "b", "c", "y"))
    step = lambda source, to, **attrs: Op("pointwise", to.name, source, [to], attrs)  # noqa: E731
    view_of_a = Op("shuffle", "flat", [a], [flat], {"view": True})
    ops = [step([x], a), view_of_a, step([x], b), step([b], c), step([flat, c], y)]
    placement = place(Graph("g", ops, [x], [y]))

    assert placement.offsets[flat] == placement.offsets[a]
    assert len({placement.offsets[value] for value in (a, b, c)}) == 3, "b or c would overwrite what the view shows"
    assert placement.arena_bytes == placement.bound_bytes == 3 * 256
