"""Fusions where sizes are open: none that is right for some sizes alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import onnx
import pytest

from minitrt.passes import optimise
from minitrt.passes.probes import steady
from tests.minitrt.engines import model_of
from tests.minitrt.passes.exported import HIDDEN, SIZE, Exported
from tests.minitrt.passes.test_transformers import lowered_model


def kinds_of(model: onnx.ModelProto) -> Counter:
    return Counter(op.kind for op in optimise(lowered_model(model), lambda message: None).ops)


def attention(most: int | None) -> onnx.ModelProto:
    """Attention of all tokens to the first `most`, as min(tokens, most) [all]."""
    w, source = Exported(), "x"
    if most is not None:
        count = w.size_of("x", 1, "count")
        end = w.add("Min", [count, w.const("most", np.array([most]))], "end")
        source = w.add("Slice", ["x", w.const("from", np.array([0])), end, w.const("along", np.array([1]))], "first")
    q, k, v = w.linear("x", "q"), w.linear(source, "k"), w.linear(source, "v")
    q, k, v = w.heads(q, "qh"), w.heads(k, "kh", (0, 2, 3, 1)), w.heads(v, "vh")
    scores = w.add("MatMul", [q, k], "scores")
    scores = w.add("Div", [scores, w.const("root", np.float32(SIZE**0.5))], "scaled")
    weights = w.add("Softmax", [scores], "softmax", axis=-1)
    y = w.together(w.add("MatMul", [weights, v], "context"), "together")
    return w.model({"x": (np.float32, ("batch", "tokens", HIDDEN))}, y)


@pytest.mark.parametrize("most", [None, 60])
def test_a_move_is_steady_unless_a_size_is_cut(most):
    moves = [op for op in lowered_model(attention(most)).ops if op.kind in ("slice", "shuffle")]

    assert (most is None) == all(map(steady, moves))
    assert kinds_of(attention(None))["attention"] == 1


@pytest.mark.parametrize(("other", "fused"), [(("n", "f"), True), (("m", "f"), False), (("n", "g"), False)])
def test_a_residual_is_fused_where_it_is_surely_as_large(other, fused):
    """A batch or a row of one would be read past its end."""
    nodes = [
        onnx.helper.make_node("MatMul", ["x", "w"], ["p"]),
        onnx.helper.make_node("MatMul", ["z", "w"], ["q"]),
        onnx.helper.make_node("Relu", ["q"], ["r"]),
        onnx.helper.make_node("Add", ["p", "r"], ["y"]),
    ]
    inputs = {"x": (np.float32, ("n", "f", 8)), "z": (np.float32, (*other, 8))}
    found = kinds_of(model_of(nodes, inputs, ["y"], {"w": np.ones((8, 8), np.float32)}))

    assert (0 if fused else 1) == found["pointwise"]
