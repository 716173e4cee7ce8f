"""A shape rule says what running the operation on its inputs would give."""

from __future__ import annotations

import pytest

from minitrt.shapes import settle
from minitrt.shapes.inference import RULES, infer
from tests.minitrt.index_operations import OPS as INDEXED
from tests.minitrt.plain_operations import I64, F, H, op, value
from tests.minitrt.plain_operations import OPS as PLAIN
from tests.minitrt.running import by_running
from tests.minitrt.whole_operations import OPS as WHOLE

X = value("x", F, (3, 4, 5))
MORE = {
    "the smallest two of each column": op("topk", [X], [value("v", F, ()), value("i", I64, ())], axis=1, k=2),
    "of halves": op("topk", [value("x", H, (6,))], [value("v", H, ()), value("i", I64, ())], axis=0, k=6),
    "where the largest are": op("arg", [X], value("y", I64, ()), axis=-2, keep_dims=False),
    "and the axis kept": op("arg", [X], value("y", I64, ()), axis=0),
    "repeated along more axes": op("tile", [value("x", F, (4,))], value("y", F, ()), repeats=[2, 3]),
    "broadcast": op("expand", [value("x", F, (4, 1))], value("y", F, ()), shape=[2, 1, 5]),
    "joined from behind": op("concat", [X, value("b", F, (3, 4, 1))], value("y", F, ()), axis=-1),
}
OPS = {name: each for name, each in (PLAIN | INDEXED | WHOLE | MORE).items() if each.kind in RULES}


@pytest.mark.parametrize("name", OPS)
def test_a_rule_gives_what_running_gives(name):
    settled = settle(OPS[name])
    ran = [(tuple(shape), dtype) for shape, dtype in by_running(settled)]

    assert ran[: len(settled.outputs)] == infer(settled)


@pytest.mark.parametrize(
    "wrong",
    [
        op("concat", [X, value("b", F, (3, 5, 5))], value("y", F, ()), axis=2),
        op("topk", [X], [value("v", F, ()), value("i", I64, ())], axis=1, k=5),
        op("arg", [X], value("y", I64, ()), axis=3),
        op("expand", [X], value("y", F, ()), shape=[2, 4, 5]),
    ],
    ids=lambda wrong: wrong.kind,
)
def test_what_does_not_fit_is_refused_with_the_operation(wrong):
    with pytest.raises(ValueError, match=rf"{wrong.kind} \({wrong.kind}\) cannot take inputs of shape"):
        infer(wrong)
