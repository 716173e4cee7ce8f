"""Small networks as ONNX files, and those that nobody can build.

Where the onnx package is not installed, as in a browser, a file is JSON, and `ParserWithoutOnnx` reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

UNKNOWN = "Wobble", "Frobnicate"  # operators that nobody has


@dataclass(frozen=True)
class SmallNetwork:
    """y = relu(x W + bias), row by row. weights: (n_in, n_out), bias: (n_out,) float32, of small whole numbers."""

    weights: np.ndarray
    bias: np.ndarray
    x: str = "x"
    y: str = "y"
    operators: tuple[str, ...] = ("Relu",)

    def run(self, x: np.ndarray) -> np.ndarray:
        """What the network makes of (n, n_in) float32: exact, as all numbers are whole and small."""
        return np.maximum(x @ self.weights + self.bias, 0).astype(np.float32)


def file_of(network: SmallNetwork) -> bytes:
    """The file's bytes."""
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        return json.dumps({"weights": network.weights.tolist(), "bias": network.bias.tolist()} | kept(network)).encode()
    n_in, n_out = network.weights.shape
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ("n", size))
        for name, size in ((network.x, n_in), (network.y, n_out))
    ]
    nodes = [
        helper.make_node("MatMul", [network.x, "weights"], ["products"]),
        helper.make_node("Add", ["products", "bias"], ["step0"]),
    ]
    for i, operator in enumerate(network.operators):
        last = i + 1 == len(network.operators)
        nodes.append(helper.make_node(operator, [f"step{i}"], [network.y if last else f"step{i + 1}"], f"layer{i}"))
    stored = [numpy_helper.from_array(getattr(network, name), name) for name in ("weights", "bias")]
    graph = helper.make_graph(nodes, "small", ends[:1], ends[1:], stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()


def kept(network: SmallNetwork) -> dict[str, Any]:
    return {"x": network.x, "y": network.y, "operators": list(network.operators)}


def has_onnx() -> bool:
    try:
        import onnx  # noqa: F401
    except ImportError:
        return False
    return True


class ParserWithoutOnnx:
    """What an answer asks of `minitrt.OnnxParser`, of files that are JSON."""

    def __init__(self, network: Any, logger: Any) -> None:
        self._network, self._errors = network, list[str]()

    def parse(self, model: bytes) -> bool:
        """Whether the file was understood; the network has its layers then."""
        import minitrt as trt

        read = json.loads(model)
        self._errors = [f"operator '{one}' is not supported" for one in read["operators"] if one in UNKNOWN]
        if self._errors:
            return False
        weights, bias = np.array(read["weights"], np.float32), np.array([read["bias"]], np.float32)
        x = self._network.add_input(read["x"], trt.float32, (-1, len(weights)))
        none = trt.MatrixOperation.NONE
        constants = [self._network.add_constant(one.shape, one).get_output(0) for one in (weights, bias)]
        products = self._network.add_matrix_multiply(x, none, constants[0], none).get_output(0)
        sums = self._network.add_elementwise(products, constants[1], trt.ElementWiseOperation.SUM).get_output(0)
        y = self._network.add_activation(sums, trt.ActivationType.RELU).get_output(0)
        y.name = read["y"]
        self._network.mark_output(y)
        return True

    @property
    def num_errors(self) -> int:
        """How many reasons there are that the file was not understood."""
        return len(self._errors)

    def get_error(self, i: int) -> str:
        """One of them, in words."""
        return self._errors[i]
