"""Operators that mean a few others: written as ONNX nodes, which are imported in their place."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

from minitrt.api.enums import DataType
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import Node

ONNX_OF = {
    DataType.FLOAT: onnx.TensorProto.FLOAT,
    DataType.HALF: onnx.TensorProto.FLOAT16,
    DataType.INT8: onnx.TensorProto.INT8,
    DataType.UINT8: onnx.TensorProto.UINT8,
    DataType.INT32: onnx.TensorProto.INT32,
    DataType.INT64: onnx.TensorProto.INT64,
}
AXES_AS_INPUT = {"ReduceMean": 18, "ReduceMin": 18, "ReduceMax": 18, "ReduceSum": 13}  # since which opset


class Expansion:
    """One node as others. Tensors are named by strings, as in a model; "" is an absent one."""

    def __init__(self, node: Node):
        self.node, self.importing, self.count = node, node.importing, 0

    def given(self, index: int) -> str:
        """The name of an input of the node, "" where it is absent."""
        return self.node.proto.input[index] if self.node.has(index) else ""

    def op(self, kind: str, *inputs: str, outputs: int = 1, **attrs: Any) -> Any:
        """Import a node of this kind: the name of its only output, or the names of all."""
        self.count += 1
        name = f"{self.node.name}/{kind}_{self.count}"
        names = [f"{name}/{index}" if index else name for index in range(outputs)]
        attrs = {key: value for key, value in attrs.items() if value is not None}
        self.importing.add_node(onnx.helper.make_node(kind, list(inputs), names, name, **attrs), name)
        return names[0] if outputs == 1 else names

    def constant(self, values: Any, dtype: Any = None) -> str:
        """The name of new weights."""
        self.count += 1
        name = f"{self.node.name}/constant_{self.count}"
        self.importing.arrays[name] = np.asarray(values, dtype, order="C")
        return name

    def lists(self, x: str | int) -> str:
        """A number, or a tensor of one, as a list of one int64."""
        return (
            self.constant([x], np.int64) if isinstance(x, int) else self.op("Reshape", x, self.constant([1], np.int64))
        )

    def cast(self, x: str, dtype: DataType) -> str:
        return self.op("Cast", x, to=ONNX_OF[dtype])

    def transpose(self, x: str, order: list[int]) -> str:
        return self.op("Transpose", x, perm=order)

    def reshape(self, x: str, shape: list[int]) -> str:
        return self.op("Reshape", x, self.constant(shape, np.int64))

    def unsqueeze(self, x: str, axes: list[int]) -> str:
        if self.node.opset < 13:
            return self.op("Unsqueeze", x, axes=axes)
        return self.op("Unsqueeze", x, self.constant(axes, np.int64))

    def reduce(self, kind: str, x: str, axes: list[int] | None, keepdims: int = 1) -> str:
        """A reduction, whose axes are an attribute in old opsets, and an input in new ones."""
        if axes is None or self.node.opset < AXES_AS_INPUT[kind]:
            return self.op(kind, x, axes=axes, keepdims=keepdims)
        return self.op(kind, x, self.constant(axes, np.int64), keepdims=keepdims)

    def rank(self, x: str) -> int:
        return len(tuple(self.importing.tensor(x).shape))

    def dtype(self, x: str) -> DataType:
        return self.importing.tensor(x).dtype

    def known(self, x: str) -> np.ndarray | None:
        """Elements that are known while importing."""
        array = self.importing.weights(x)
        return array if array is not None else self.node.network._facts.elements(self.importing.tensor(x))

    def result(self, x: str) -> ITensor:
        return self.importing.tensor(x)
