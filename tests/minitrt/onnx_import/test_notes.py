"""What an import does otherwise than a model says is said, once; a type that it lacks is named."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import pytest

import minitrt as trt
from minitrt.runtime.session import RunError, Session
from tests.minitrt.engines import STRONG, Heard, engine_of, expected_of, model_of

NODE = onnx.helper.make_node


def heard(model) -> tuple[bool, Heard]:
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    return trt.OnnxParser(network, logger).parse(model.SerializeToString()), logger


def test_doubles_become_floats_and_that_is_said_once():
    ok, logger = heard(model_of([NODE("Add", ["x", "y"], ["z"])], dict.fromkeys("xy", (np.float64, [2])), ["z"]))

    assert ok and ["ONNX import: DOUBLE tensors are FLOAT here, inputs and outputs too, as in TensorRT"] == logger.of(
        trt.ILogger.WARNING
    )


def test_zero_points_are_computed_in_floats_and_that_is_said_once_with_what_to_do():
    nodes = [NODE("QuantizeLinear", ["x", "s", "z"], ["q"]), NODE("DequantizeLinear", ["q", "s", "z"], ["y"])]
    ok, logger = heard(model_of(nodes, {"x": (np.float32, [2])}, ["y"], {"s": np.float32(0.1), "z": np.uint8(3)}))
    (warning,) = logger.of(trt.ILogger.WARNING)

    assert ok and "computed in floats" in warning and "ActivationSymmetric" in warning


def test_an_input_of_a_type_that_is_not_supported_is_refused_by_the_type_s_name():
    model = model_of([NODE("Identity", ["x"], ["y"])], {"x": (np.float32, [2])}, ["y"])
    model.graph.input[0].type.tensor_type.elem_type = onnx.TensorProto.STRING
    ok, logger = heard(model)

    assert not ok and "input 'x' is STRING, which is not supported" in logger.errors[0]


@pytest.mark.parametrize("outputs", ["float[2] y, float[2] y", "float[2] x, float[2] y"])
def test_a_name_that_is_there_twice_is_noted_and_gives_what_onnx_runtime_gives(outputs):
    text = f'<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => ({outputs}) {{ y = Neg(x) }}'
    model, feeds, logger = onnx.parser.parse_model(text), {"x": np.array([1, -2], np.float32)}, Heard()
    found = Session(engine_of(model, logger), logger).run(feeds)

    for name, expected in expected_of(model, feeds).items():
        np.testing.assert_array_equal(found[name], expected)
    (said,) = logger.of(trt.ILogger.WARNING)
    assert "is there twice; the engine has it once" in said or "the input is '__x' here, as in TensorRT" in said


def test_an_input_that_is_given_nothing_is_named():
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x, float[2] z) => (float[2] y) { y = Add(x, z) }'
    session = Session(engine_of(onnx.parser.parse_model(text)))

    with pytest.raises(RunError, match="input 'z' is given nothing; there is something for x, w"):
        session.run({"x": np.ones(2, np.float32), "w": np.ones(2, np.float32)})


def test_a_path_in_place_of_bytes_hears_which_method_takes_it():
    logger = Heard()
    parser = trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger)

    for method in (parser.parse, parser.supports_model, parser.load_model_proto):
        with pytest.raises(TypeError, match=r"parse_from_file\('net.onnx'\)"):
            method("net.onnx")
