"""Operators that ONNX Runtime's optimiser writes, against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tests.minitrt.engines import expected_of, model_of, results_of

F = np.float32
rng = np.random.default_rng(2)


def drawn(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(F)


CASES = {  # operator: (inputs that are given, weights, outputs, attributes)
    "BiasGelu": ({"x": drawn(2, 4)}, {"b": drawn(4)}, "y", {}),
    "FastGelu": ({"x": drawn(2, 4)}, {"b": drawn(4)}, "y", {}),
    "QuickGelu": ({"x": drawn(2, 4)}, {}, "y", {"alpha": 1.5}),
    "FusedMatMul": ({"x": drawn(2, 3, 4), "w": drawn(2, 5, 4)}, {}, "y", {"transB": 1, "alpha": 0.5}),
    "FusedConv": ({"x": drawn(1, 2, 5, 5)}, {"w": drawn(3, 2, 3, 3), "b": drawn(3)}, "y", {"activation": "Relu"}),
    "FusedConv with numbers": (
        {"x": drawn(1, 2, 5, 5)}, {"w": drawn(3, 2, 3, 3), "b": drawn(3), "z": drawn(1, 3, 3, 3)}, "y",
        {"activation": "LeakyRelu", "activation_params": [0.3]},
    ),
    "FusedGemm": (
        {"x": drawn(3, 4)}, {"w": drawn(5, 4), "b": drawn(5)}, "y",
        {"transB": 1, "activation": "LeakyRelu", "activation_alpha": 0.2},
    ),
    "SkipLayerNormalization": (
        {"x": drawn(2, 3, 4), "s": drawn(2, 3, 4)}, {"g": drawn(4), "b": drawn(4), "c": drawn(4)}, "y - - t",
        {"epsilon": 1e-5},
    ),
    "SkipSimplifiedLayerNormalization": (
        {"x": drawn(2, 3, 4), "s": drawn(2, 3, 4)}, {"g": drawn(4)}, "y - - t", {"epsilon": 1e-5},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_is_the_several_operators_that_it_was_made_of(name):
    feeds, weights, outputs, attrs = CASES[name]
    names = [each.strip("-") for each in outputs.split()]
    kind = name.split()[0]
    node = onnx.helper.make_node(kind, [*feeds, *weights], names, domain="com.microsoft", **attrs)
    wanted = [each for each in names if each]
    model = model_of([node], {key: (F, array.shape) for key, array in feeds.items()}, wanted, weights, opset=20)
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    found, expected = results_of(model, feeds), expected_of(model, feeds)

    for key in wanted:
        np.testing.assert_allclose(found[key], expected[key], rtol=2e-5, atol=2e-6)
