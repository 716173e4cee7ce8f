"""What an import does otherwise than a model says is said, once; a type that it lacks is named."""

from __future__ import annotations

import numpy as np
import onnx

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard, model_of

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
