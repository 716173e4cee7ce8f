"""QuantizeLinear and DequantizeLinear: INT8, zero point 0, a scale known at build, as TensorRT accepts them.

UINT8 with its zero points, and INT32 biases, are computed in floats (`asymmetric.py`).
"""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.asymmetric import dequantise_in_floats, quantise_in_floats
from minitrt.onnx_import.node import ONNX, RUNTIME, WIDER, Node, NodeError, operator

SYMMETRIC = (
    "ONNX Runtime's quantize_static makes symmetric models with activation_type=QInt8, weight_type=QInt8,"
    ' extra_options={"ActivationSymmetric": True}'
)
NOT_THIS_TYPE = ErrorCode.UNSUPPORTED_NODE_DATATYPE
WIDENED = "weights of FP8, and weights with a scale a block, are floats in the engine: right, but no smaller than FP32"
IN_FLOATS = f"UINT8 and zero points are computed in floats: right, but no faster than FP32. {SYMMETRIC}"


@operator("QuantizeLinear", "DequantizeLinear", domains=(ONNX, RUNTIME))
def quantise(node: Node) -> ITensor:
    scale, zero = node.known(1), node.known(2)
    quantising = node.op_type == "QuantizeLinear"
    refuse_narrow(node, 2 if quantising else 0)
    stored = stored_type(node) if quantising else node.dtype(0)
    shifted = zero is not None and bool(np.any(zero != 0))
    if stored == DataType.UINT8 or stored == DataType.INT8 and shifted and node.attr("in_floats"):
        node.importing.note(IN_FLOATS)
        return quantise_in_floats(node, stored) if quantising else dequantise_in_floats(node)
    if not quantising and (stored == DataType.FLOAT or node.attr("block_size", 0) and node.weights(0) is not None):
        node.importing.note(WIDENED)
        return dequantise_in_floats(node)
    if stored == DataType.INT32 and not quantising:
        return dequantised_bias(node, zero)
    if stored != DataType.INT8:
        refuse(f"the quantised type must be INT8 or UINT8, but is {stored.name}")
    if scale is None or (node.has(2) and zero is None):
        refuse("scale and zero point must be known when the engine is built", ErrorCode.UNSUPPORTED_NODE_INPUT)
    if shifted:
        refuse(f"the zero point must be 0: INT8 is symmetric here, as in TensorRT. {SYMMETRIC}")
    if not np.all(scale > 0):
        refuse("every scale must be greater than 0")
    if node.attr("block_size", 0):
        refuse("scales of blocks are not supported; use one a tensor, or one a channel")
    add = node.network.add_quantize if quantising else node.network.add_dequantize
    layer = add(node.x, node.tensor(1))
    if scale.size > 1:
        axis = node.attr("axis", 1) % max(node.rank(), 1)
        there = node.shape()[axis]
        if there not in (-1, scale.size):
            refuse(f"there are {scale.size} scales for the {there} places along axis {axis}", ErrorCode.INVALID_NODE)
        layer.axis = axis
    if not quantising and scale.dtype == np.float16:
        layer.to_type = DataType.HALF
    return layer.get_output(0)


def refuse_narrow(node: Node, index: int) -> None:
    """Raises: NodeError for FP8 and types below a byte in what is quantised in a run; weights may have them."""
    proto = node.importing.initializers.get(node.proto.input[index]) if node.has(index) else None
    if index == 2 and proto is not None and proto.data_type in WIDER:
        name = onnx.TensorProto.DataType.Name(proto.data_type)
        refuse(f"the quantised type is {name}, and activations are quantised to INT8 or UINT8 alone", NOT_THIS_TYPE)


def stored_type(node: Node) -> DataType:
    """What QuantizeLinear writes: its zero point's type, without one the attribute's (opset 21), else UINT8.

    Raises: NodeError for a type that the engine lacks.
    """
    if node.has(2):
        return node.dtype(2)
    asked = node.attr("output_dtype", 0)
    return node.type_of(asked) if asked else DataType.UINT8


def dequantised_bias(node: Node, zero: np.ndarray | None) -> ITensor:
    """INT32 times its scale: the biases that ONNX Runtime's quantiser writes, constants that are folded."""
    if node.has(2) and (zero is None or np.any(zero != 0)):
        refuse("the zero point of an INT32 tensor must be 0, and known when the engine is built")
    return dequantise_in_floats(node)


def refuse(why: str, code: ErrorCode = ErrorCode.UNSUPPORTED_NODE_ATTR) -> None:
    raise NodeError(why, code)
