"""Integers that engines lack are kept in wider ones, and wrap as in ONNX's own evaluator."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from minitrt.onnx_import.integers import narrow, unsigned
from minitrt.onnx_import.node import OPERATORS
from tests.minitrt.engines import Heard, model_of, parsed, results_of

node = onnx.helper.make_node
TYPES = ["int16", "uint16", "uint32", "uint64"]
PAIRS = "Add Sub Mul BitwiseXor BitwiseOr Max Min Less Equal".split()


def ends(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers at the ends of a type."""
    info, top = np.iinfo(kind), np.iinfo(kind).max
    return np.array([0, 1, info.min, top, top // 2 + 1, 1000], kind), np.array([1, top, 1, 1, 5, 7], kind)


def bits(array: np.ndarray) -> np.ndarray:
    """As engines have it: UINT64 is INT64 of the same bits."""
    return array.view(np.int64) if array.dtype == np.uint64 else array


def checked(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> None:
    for name, array in zip(
        (value.name for value in model.graph.output), ReferenceEvaluator(model).run(None, feeds), strict=True
    ):
        found = results_of(model, {each: bits(given) for each, given in feeds.items()})
        np.testing.assert_array_equal(found[name], bits(np.asarray(array)))


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


U = np.array([0, 1, 3, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 2**39 + 1, 2**64 - 2**40 - 1, 2**64 - 1], np.uint64)
COMPARED = "Less Greater LessOrEqual GreaterOrEqual Equal Max Min Div Mod BitwiseAnd Add Mul Sub".split()


def test_uint64_of_2_to_the_63_and_more_is_ordered_divided_shifted_and_converted_as_what_it_is():
    x, y = (each.ravel() for each in np.meshgrid(U, U[1:]))
    nodes = [node(name, ["x", "y"], [name]) for name in COMPARED]
    nodes += [node("BitShift", ["x", "places"], [way], direction=way) for way in ("LEFT", "RIGHT")]
    nodes += [node("Clip", ["x", "low", "high"], ["clipped"]), node("Cast", ["x"], ["float"], to=1)]
    nodes += [node("Cast", ["float"], ["back"], to=13), node("Cast", ["x"], ["signed"], to=7)]
    nodes += [node("ReduceMax", ["x", "axes"], ["most"]), node("TopK", ["x", "five"], ["values", "places_of"])]
    nodes += [node("Sign", ["x"], ["sign"]), node("Abs", ["x"], ["abs"]), node("CastLike", ["x", "one"], ["like"])]
    nodes += [node("ReduceL1", ["x", "axes"], ["lengths"]), node("Unique", ["x"], ["different"])]
    weights = {"low": U[2], "high": U[6], "axes": np.array([0]), "five": np.array([5]), "one": np.float32(1)}
    weights["places"] = np.arange(x.size, dtype=np.uint64) % 64
    outputs = [each for one in nodes for each in one.output if each != "places_of"]
    outputs.remove("back")  # of 2^64 itself, which a float of the largest numbers is, nobody says what it becomes
    model = model_of(nodes, {name: (np.uint64, x.shape) for name in "xy"}, outputs, weights, opset=20)
    checked(model, {"x": x, "y": y})


def test_uint64_to_a_whole_power_wraps():
    model = model_of([node("Pow", ["x", "n"], ["y"])], {"x": (np.uint64, U.shape)}, ["y"], {"n": np.int64(3)})

    assert (U**3).tolist() == results_of(model, {"x": U.view(np.int64)})["y"].view(np.uint64).tolist()


@pytest.mark.parametrize("kind", ["ReduceMean", "ReduceL2", "ReduceLogSum", "PRelu", "Pow"])
def test_what_needs_more_than_the_bits_of_uint64_is_refused(kind):
    inputs = ["x", "w"] if kind in ("PRelu", "Pow") else ["x"]
    weights = {"w": np.float32(0.5) if kind == "Pow" else np.uint64(2)} if len(inputs) == 2 else {}
    logger = Heard()

    with pytest.raises(AssertionError):
        parsed(model_of([node(kind, inputs, ["y"])], {"x": (np.uint64, [3])}, ["y"], weights), logger)

    assert f"{kind} of UINT64 is not supported" in logger.errors[-1] and "Cast it to INT64" in logger.errors[-1]


def test_every_operator_that_onnx_lets_read_uint64_is_on_one_list():
    """Either on one that says how it is done, or refused."""
    takes = {each.name for each in onnx.defs.get_all_schemas() if each.domain == "" and reads_uint64(each)}
    lists = [unsigned.SAME_BITS, narrow.STAYS, unsigned.ORDERED, unsigned.WRITTEN_OUT, ["Cast", "CastLike", "Pow"]]
    known = {name for each in lists for name in each}
    left = (takes & OPERATORS.keys()) - known

    assert left <= {"ReduceMean", "ReduceL2", "PRelu", "Shrink", "Attention", "GridSample", "Gemm", "SequenceMap"}


def reads_uint64(schema) -> bool:
    return any("tensor(uint64)" in each.types for each in schema.inputs)


def test_a_float_of_2_to_the_63_and_more_becomes_uint64():
    model = model_of([node("Cast", ["x"], ["y"], to=13)], {"x": (np.float32, [4])}, ["y"])
    x = np.array([0, 3.5, 2.0**63, 2.0**63 + 2.0**41], np.float32)

    assert x.astype(np.uint64).tolist() == results_of(model, {"x": x})["y"].view(np.uint64).tolist()


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
