"""What Q and DQ the parser takes: INT8 without zero points for integer layers, UINT8 with them in floats, no other."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard, expected_of, model_of, results_of

node = onnx.helper.make_node


def model(zero: np.ndarray, scale: float = 0.02) -> onnx.ModelProto:
    """Quantise, dequantise, multiply by 2."""
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["q"], "quantise"),
        node("DequantizeLinear", ["q", "s", "z"], ["d"], "dequantise"),
        node("Add", ["d", "d"], ["y"], "twice"),
    ]
    return model_of(nodes, {"x": (np.float32, (3, 40))}, ["y"], {"s": np.float32(scale), "z": zero})


@pytest.mark.parametrize("zero", [np.int8(3), np.array(-1, np.int8)])
def test_int8_with_a_zero_point_is_refused_by_the_parser_as_by_tensorrt(zero):
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    parser = trt.OnnxParser(network, logger)

    assert not parser.parse(model(zero).SerializeToString())
    assert "the zero point must be 0" in parser.get_error(0).desc()
    assert parser.get_error(0).node_name() == "quantise"


def test_uint8_with_a_zero_point_is_what_onnx_runtime_makes_of_it_ties_and_ends_included():
    made = model(np.uint8(100))
    ties = (np.arange(40) - 20.5) * np.float32(0.02)
    x = np.stack([ties, ties * 30, np.linspace(-9, 9, 40)]).astype(np.float32)

    np.testing.assert_array_equal(results_of(made, {"x": x})["y"], expected_of(made, {"x": x})["y"])
