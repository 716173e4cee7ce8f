"""Attention's shape rule against what running gives, and operands that do not fit together."""

from __future__ import annotations

import copy

import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.shapes.inference import infer
from tests.minitrt.running import by_running
from tests.minitrt.tactics.test_attention_forms import cached, drawn

FORMS = [*map(drawn, range(60)), *map(cached, range(30))]


def test_the_rule_says_what_running_gives():
    for op in FORMS:
        for value in op.outputs:
            value.shape = (-1,)
        assert infer(op) == [(tuple(shape), dtype) for shape, dtype in by_running(op)], (op.name, op.attrs)


@pytest.mark.parametrize("index, axis", [(0, 3), (1, 3), (1, 2), (2, 2), (2, 1), (3, 2), (3, 3), (4, 1), (5, 3)])
def test_what_running_refuses_is_refused(index, axis):
    heads, dtype = (2, 4, 5, 8), DataType.FLOAT
    op = Op("attention", "a", [Value(name, dtype, heads) for name in "qkv"], [Value("y", dtype, heads)], {})
    op.inputs += [Value("mask", dtype, (2, 4, 5, 8)), *(Value(name, dtype, (2, 4, 3, 8)) for name in ("pk", "pv"))]
    infer(op)
    wrong = copy.deepcopy(op)
    shape = list(wrong.inputs[index].shape)
    shape[axis] += 1
    wrong.inputs[index].shape = tuple(shape)

    for way in (infer, by_running):
        with pytest.raises(ValueError):
            way(wrong)


def test_no_attention_is_run_for_its_shape():
    """A start had taken a second: BERT-base's attention was run on zeros. These scores are 2^50 numbers."""
    long, dtype = (2, 512, 1 << 20, 64), DataType.HALF
    op = Op("attention", "a", [Value(name, dtype, long) for name in "qkv"], [Value("y", dtype, (-1,))], {})

    assert infer(op) == [(long, dtype)]
