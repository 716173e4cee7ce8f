"""What Q and DQ the parser takes: INT8 without zero points for integer layers, all else but FP8 in floats."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard, engine_of, expected_of, model_of, parsed, results_of

node = onnx.helper.make_node


def model(zero: np.ndarray, scale: float = 0.02, opset: int = 17) -> onnx.ModelProto:
    """Quantise, dequantise, multiply by 2."""
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["q"], "quantise"),
        node("DequantizeLinear", ["q", "s", "z"], ["d"], "dequantise"),
        node("Add", ["d", "d"], ["y"], "twice"),
    ]
    return model_of(nodes, {"x": (np.float32, (3, 40))}, ["y"], {"s": np.float32(scale), "z": zero}, opset)


@pytest.mark.parametrize("zero", [np.int8(3), np.array(-1, np.int8), np.uint8(100), np.int16(0), np.uint16(3000)])
def test_what_makes_no_integer_layer_is_what_onnx_runtime_makes_of_it(zero):
    logger, made = Heard(), model(zero, opset=21)
    x = np.stack([np.linspace(-9, 9, 40), np.linspace(-70000, 1e9, 40), (np.arange(40) - 20.5) * np.float32(0.02)])
    x = x.astype(np.float32)
    parsed(made, logger)

    np.testing.assert_array_equal(results_of(made, {"x": x})["y"], expected_of(made, {"x": x})["y"])
    assert any("are computed in floats" in each for each in logger.of(logger.WARNING))


def test_scales_of_a_run_quantise_too():
    nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["y"])]
    made = model_of(nodes, {"x": (np.float32, (3, 40)), "s": (np.float32, ())}, ["y"], {"z": np.int8(0)})
    feeds = {"x": np.random.default_rng(0).standard_normal((3, 40)).astype(np.float32), "s": np.array(0.03, np.float32)}

    np.testing.assert_array_equal(results_of(made, feeds)["y"], expected_of(made, feeds)["y"])


def test_uint8_with_a_zero_point_is_what_onnx_runtime_makes_of_it_ties_and_ends_included():
    made = model(np.uint8(100))
    ties = (np.arange(40) - 20.5) * np.float32(0.02)
    x = np.stack([ties, ties * 30, np.linspace(-9, 9, 40)]).astype(np.float32)

    np.testing.assert_array_equal(results_of(made, {"x": x})["y"], expected_of(made, {"x": x})["y"])


def test_a_bias_of_int32_is_its_scale_times_it_as_onnx_runtime_s_quantiser_writes_it():
    nodes = [node("DequantizeLinear", ["bias", "s"], ["b"], "bias"), node("Add", ["x", "b"], ["y"], "add")]
    bias, scales = np.array([-70000, 3, 2**20], np.int32), np.array([1e-4, 0.3, 7e-6], np.float32)
    made = model_of(nodes, {"x": (np.float32, (2, 3))}, ["y"], {"bias": bias, "s": scales})

    np.testing.assert_allclose(results_of(made, {"x": np.ones((2, 3), np.float32)})["y"][1], 1 + bias * scales, 1e-6)


@pytest.mark.parametrize(("kind", "there"), [("INT8", True), ("UINT8", True), ("INT16", True), ("FLOAT8E4M3FN", False)])
def test_the_type_that_opset_21_asks_for_without_a_zero_point_is_written_or_refused(kind, there):
    asked = onnx.TensorProto.DataType.Value(kind)
    made = model_of([node("QuantizeLinear", ["x", "s"], ["y"], output_dtype=asked)], {"x": (np.float32, (1, 3))}, ["y"],
                    {"s": np.float32(0.5)}, opset=21)  # fmt: skip
    parser = trt.OnnxParser(network := trt.Builder(Heard()).create_network(STRONG), Heard())

    assert there == parser.parse(made.SerializeToString())
    assert not there or {"INT16": "INT32"}.get(kind, kind) == network.get_output(0).dtype.name
    assert there or f"type is {kind}" in parser.get_error(0).desc()


@pytest.mark.parametrize("axis", [None, 1])
def test_steps_that_are_read_with_two_scales_mean_two_things(axis):
    one, two = (
        np.float32(n) if axis is None else np.float32(n) * np.arange(1, 4, dtype=np.float32) for n in (0.02, 0.05)
    )
    steps = np.array([127, 3, -8], np.int8)
    how = {} if axis is None else {"axis": axis}
    along = {} if axis is None else {"axis": 0}
    nodes = [
        node("DequantizeLinear", ["c", "one"], ["a"], "a", **along),
        node("DequantizeLinear", ["d", "two"], ["b"], "b", **along),
        node("QuantizeLinear", ["x", "one"], ["q"], "q", **how),
        node("DequantizeLinear", ["q", "one"], ["e"], "e", **how),
        node("DequantizeLinear", ["q", "two"], ["f"], "f", **how),
        node("Mul", ["e", "a"], ["g"], "g"),
        node("Mul", ["f", "b"], ["h"], "h"),
        node("QuantizeLinear", ["g", "wide"], ["i"], "i"),
        node("DequantizeLinear", ["i", "wide"], ["k"], "k"),
        node("Add", ["k", "h"], ["y"], "y"),
    ]
    constants = {"c": steps, "d": steps.copy(), "one": one, "two": two, "wide": np.float32(0.03)}
    made = model_of(nodes, {"x": (np.float32, (4, 3))}, ["y", "g"], constants)
    x = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    found, expected = results_of(made, {"x": x}), expected_of(made, {"x": x})

    for name in ("y", "g"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, atol=1e-5)


NARROW = {  # weights of types that engines do not compute with: (type, numbers, shape of the scales, attributes)
    "INT4 in blocks": ("INT4", range(-8, 4), (2, 3), dict(axis=0, block_size=2)),
    "UINT4": ("UINT4", range(12), (), {}),
    "INT8 in blocks": ("INT8", range(-60, 60, 10), (2, 3), dict(axis=0, block_size=2)),
    "FP8": ("FLOAT8E4M3FN", [0.5, -2.0, 3.5, 8.0] * 3, (), {}),
    "FP8 with a wide range": ("FLOAT8E5M2", [0.5, -2.0, 3.5, 64.0] * 3, (3,), dict(axis=1)),
}


@pytest.mark.parametrize("name", NARROW)
def test_weights_of_narrow_types_are_their_numbers(name):
    kind, numbers, shape, attrs = NARROW[name]
    nodes = [
        onnx.helper.make_node("DequantizeLinear", ["w", "s"], ["v"], **attrs),
        onnx.helper.make_node("MatMul", ["x", "v"], ["y"]),
    ]
    scales = np.linspace(0.1, 0.4, int(np.prod(shape))).reshape(shape).astype(np.float32)
    model = model_of(nodes, {"x": (np.float32, [2, 4])}, ["y"], {"s": scales}, opset=21)
    weights = onnx.helper.make_tensor("w", getattr(onnx.TensorProto, kind), [4, 3], list(numbers))
    model.graph.initializer.append(weights)
    feeds = {"x": np.random.default_rng(0).standard_normal((2, 4)).astype(np.float32)}

    np.testing.assert_allclose(results_of(model, feeds)["y"], expected_of(model, feeds)["y"], rtol=1e-5)


def test_activations_in_fp8_are_refused_by_name():
    nodes = [
        onnx.helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        onnx.helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"]),
    ]
    model = model_of(nodes, {"x": (np.float32, [4])}, ["y"], {"s": np.float32(0.5)}, opset=19)
    model.graph.initializer.append(onnx.helper.make_tensor("z", onnx.TensorProto.FLOAT8E4M3FN, [], [0.0]))
    logger = Heard()
    with pytest.raises(AssertionError):
        engine_of(model, logger)

    assert "the quantised type is FLOAT8E4M3FN, which engines lack: quantise to INT8" in logger.errors[0]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.uint16])
def test_a_scale_that_is_infinite_is_refused_with_what_to_do(kind):
    """ONNX Runtime's quantiser writes it where a mask of -inf is calibrated, and what comes of it means nothing."""
    logger = Heard()
    parser = trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger)

    assert not parser.parse(model(kind(0), scale=np.inf, opset=21).SerializeToString())
    assert "the scale 's' is inf" in logger.errors[-1] and "nodes_to_exclude" in logger.errors[-1]


def test_a_layers_scale_that_is_infinite_ends_the_build():
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    x, scale = network.add_input("x", trt.float32, (4,)), network.add_constant((), np.float32(np.inf)).get_output(0)
    network.mark_output(network.add_dequantize(network.add_quantize(x, scale).get_output(0), scale).get_output(0))

    assert builder.build_serialized_network(network, builder.create_builder_config()) is None
    assert "a scale is infinite, or no number" in logger.errors[-1]
