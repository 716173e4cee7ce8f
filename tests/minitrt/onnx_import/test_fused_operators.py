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


ROIS = np.array([[0.1, 0.2, 0.9, 0.7], [-0.2, 0, 1.3, 1], [0.5, 0.5, 0.5, 0.5]], F)
ALONE = {  # operator: (domain, inputs that are given, weights, outputs, attributes)
    "ExpandDims": ("com.microsoft", {"x": drawn(2, 4)}, {"axis": np.int32(-1)}, "y", {}),
    "Unique": ("com.microsoft", {"x": np.array([3, 1, 3, 2, 1, 5], F)}, {}, "y which counts", {}),
    "GatherND": ("com.microsoft", {"x": drawn(2, 3, 4)}, {"i": np.array([[0, 1], [1, -1]], np.int64)}, "y", {}),
    "Inverse": ("com.microsoft", {"x": drawn(2, 3, 3)}, {}, "y", {}),
    "CropAndResize": (
        "com.microsoft", {"x": drawn(2, 3, 7, 5), "rois": ROIS},
        {"of": np.array([1, 0, 1], np.int32), "size": np.array([4, 3], np.int32)}, "y", {"extrapolation_value": 0.5},
    ),
    "CropAndResize of one row": (
        "com.microsoft", {"x": drawn(2, 3, 7, 5), "rois": ROIS},
        {"of": np.array([1, 0, 1], np.int32), "size": np.array([1, 6], np.int32)}, "y", {},
    ),
    "Det": ("", {"x": drawn(2, 3, 3)}, {}, "y", {}),
    "MaxUnpool": (
        "", {"x": np.array([[[[5, 6], [7, 8]]]], F)}, {"i": np.array([[[[0, 3], [9, 14]]]], np.int64)}, "y",
        {"kernel_shape": [2, 2], "strides": [2, 2]},
    ),
    "MaxUnpool to a shape": (
        "", {"x": np.array([[[[5, 6], [7, 8]]]], F)},
        {"i": np.array([[[[0, 3], [9, 14]]]], np.int64), "shape": np.array([1, 1, 5, 5], np.int64)}, "y",
        {"kernel_shape": [2, 2], "strides": [2, 2]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("open_sizes", (False, True))
@pytest.mark.parametrize("name", ALONE)
def test_an_operator_that_stands_alone_gives_what_onnx_runtime_gives(name, open_sizes):
    domain, feeds, weights, outputs, attrs = ALONE[name]
    node = onnx.helper.make_node(name.split()[0], [*feeds, *weights], outputs.split(), domain=domain, **attrs)
    shapes = {
        key: [f"{key}_{axis}" if open_sizes else n for axis, n in enumerate(each.shape)] for key, each in feeds.items()
    }
    model = model_of([node], {key: (F, shape) for key, shape in shapes.items()}, outputs.split(), weights, opset=20)
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    found = results_of(model, feeds)

    for key, expected in expected_of(model, feeds).items():
        assert found[key].shape == expected.shape and found[key].dtype == expected.dtype
        np.testing.assert_allclose(found[key], expected, rtol=2e-5, atol=2e-6)
