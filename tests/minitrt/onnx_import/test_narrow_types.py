"""Integers that engines lack are kept in wider ones, and wrap as in ONNX's own evaluator."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from tests.minitrt.engines import Heard, model_of, parsed, results_of

node = onnx.helper.make_node
TYPES = ["int16", "uint16", "uint32", "uint64"]
PAIRS = "Add Sub Mul BitwiseXor BitwiseOr Max Min Less Equal".split()


def ends(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers at the ends of a type; of UINT64 those that INT64 has."""
    info = np.iinfo(kind)
    top = min(info.max, 2**63 - 1)
    return np.array([0, 1, info.min, top, top // 2, 1000], kind), np.array([1, top, 1, 1, 5, 7], kind)


def checked(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> None:
    for name, array in zip(
        (value.name for value in model.graph.output), ReferenceEvaluator(model).run(None, feeds), strict=True
    ):
        array = array.astype(np.int64) if array.dtype == np.uint64 else array
        np.testing.assert_array_equal(results_of(model, feeds)[name], array)


@pytest.mark.parametrize("kind", TYPES)
def test_arithmetic_wraps_as_it_does_in_the_type_itself(kind):
    x, y = ends(kind)
    nodes = [node(name, ["x", "y"], [name]) for name in PAIRS]
    nodes += [node("BitwiseNot", ["x"], ["not"]), node("BitShift", ["x", "few"], ["left"], direction="LEFT")]
    nodes += [node("Div", ["x", "few"], ["div"]), node("Mod", ["x", "few"], ["mod"])]
    if kind == "int16":  # ONNX shifts unsigned numbers alone
        nodes.pop(-3)
    outputs = [each.output[0] for each in nodes]
    few = np.array([1, 3, 2, 7, 5, 11], kind)
    model = model_of(nodes, {"x": (x.dtype, x.shape), "y": (y.dtype, y.shape)}, outputs, {"few": few}, opset=18)
    checked(model, {"x": x, "y": y})


@pytest.mark.parametrize("kind", TYPES)
def test_a_cast_wraps_and_the_network_says_what_is_kept_in_what(kind):
    to, logger = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind)), Heard()
    nodes = [node("Cast", ["x"], ["n"], to=to), node("Cast", ["n"], ["y"], to=onnx.TensorProto.FLOAT)]
    x = np.array([-1, 5, 70000, -40000, 2**20], np.int64) if kind != "uint64" else np.array([1, 5, 2**40], np.int64)
    model = model_of(nodes, {"x": (np.int64, x.shape)}, ["y"])
    parsed(model, logger)
    checked(model, {"x": x})

    said = "UINT64 tensors are INT64 here" if kind == "uint64" else "UINT32 is INT64"
    assert any(said in each for each in logger.of(logger.WARNING))


def test_bfloat16_is_float():
    nodes = [node("Cast", ["x"], ["b"], to=onnx.TensorProto.BFLOAT16), node("Mul", ["b", "w"], ["m"])]
    nodes.append(node("Cast", ["m"], ["y"], to=onnx.TensorProto.FLOAT))
    model = model_of(nodes, {"x": (np.float32, (3,))}, ["y"])
    model.graph.initializer.append(onnx.helper.make_tensor("w", onnx.TensorProto.BFLOAT16, [3], [0.5, 2.0, -3.0]))
    x = np.array([1.001, 2.5, -3.0], np.float32)

    np.testing.assert_array_equal(results_of(model, {"x": x})["y"], x * np.array([0.5, 2.0, -3.0], np.float32))


@pytest.mark.parametrize("ends", [("low",), ("", "high"), ("low", "high"), ()])
@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "int64", "float16", "float32", *TYPES])
def test_clip_has_either_end_open_in_every_type(kind, ends):
    limits = {"low": np.array(1, kind), "high": np.array(3, kind)}
    nodes = [node("Clip", ["x", *ends], ["y"])]
    model = model_of(nodes, {"x": (np.dtype(kind), [5])}, ["y"], {name: limits[name] for name in ends if name})

    checked(model, {"x": np.array([0, 1, 2, 3, 100]).astype(kind)})
