"""QuantizeLinear and DequantizeLinear: INT8, zero point 0, a scale known at build make integer layers, as in TensorRT.

All else, zero points, UINT8, 16 and 4 bits, scales of a run, INT32 biases, is computed in floats, exactly as ONNX
defines it: no layer becomes an integer layer by it, and a network runs whose exporter quantised activations so.
"""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.integers.narrow import RANGES
from minitrt.onnx_import.node import ONNX, RUNTIME, Node, NodeError, operator
from minitrt.onnx_import.stored import name_of_type

SYMMETRIC = (
    "ONNX Runtime's quantize_static makes symmetric models with activation_type=QInt8, weight_type=QInt8,"
    ' extra_options={"ActivationSymmetric": True}'
)
STORED = {  # of what QuantizeLinear can write: the engine's type
    onnx.TensorProto.INT8: DataType.INT8,
    onnx.TensorProto.UINT8: DataType.UINT8,
    onnx.TensorProto.INT4: DataType.INT8,
    onnx.TensorProto.UINT4: DataType.UINT8,
    onnx.TensorProto.INT16: DataType.INT32,
    onnx.TensorProto.UINT16: DataType.INT32,
}
OF_STORED = {DataType.INT8: onnx.TensorProto.INT8, DataType.UINT8: onnx.TensorProto.UINT8}
NARROW = onnx.TensorProto.INT4, onnx.TensorProto.UINT4
NOT_THIS_TYPE = ErrorCode.UNSUPPORTED_NODE_DATATYPE
WIDENED = "weights of FP8, and weights with a scale a block, are floats in the engine: right, but no smaller than FP32"
IN_FLOATS = (
    "UINT8, zero points, 16 bits and scales of a run are computed in floats: right, but no faster than FP32, and"
    f" TensorRT refuses them. {SYMMETRIC}"
)


@operator("QuantizeLinear", "DequantizeLinear", domains=(ONNX, RUNTIME))
def quantise(node: Node) -> ITensor:
    scale, zero = node.known(1), node.known(2)
    quantising = node.op_type == "QuantizeLinear"
    if scale is not None and not np.all(np.isfinite(scale)):
        which = f"{node.proto.input[1]!r} is {scale[~np.isfinite(scale)].flat[0]}"
        refuse(
            f"the scale {which}: its range was taken of infinities, such as a mask of -inf has. Quantise with large"
            " numbers in the mask, -10000 or so, or leave these nodes out (nodes_to_exclude)"
        )
    kind = kind_written(node) if quantising else node.onnx_type(0)
    if quantising and kind not in RANGES:
        name = name_of_type(kind)
        refuse(f"the quantised type is {name}, which engines lack: quantise to INT8", NOT_THIS_TYPE)
    stored = STORED.get(kind, DataType.INT8) if quantising else node.dtype(0)
    if not quantising and (stored == DataType.FLOAT or node.attr("block_size", 0) and node.weights(0) is not None):
        node.importing.note(WIDENED)
        return dequantise_in_floats(node)
    if not quantising and stored == DataType.INT32 and not kind:
        return dequantised_bias(node, zero)
    unknown = scale is None or (node.has(2) and zero is None)
    shifted = zero is not None and bool(np.any(zero != 0))
    if stored != DataType.INT8 or kind in NARROW or unknown or shifted or node.attr("block_size", 0):
        node.importing.note(IN_FLOATS)
        return quantise_in_floats(node, stored, *RANGES[kind]) if quantising else dequantise_in_floats(node)
    if not np.all(scale > 0):
        refuse("every scale must be greater than 0")
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


def kind_written(node: Node) -> int:
    """ONNX's type that QuantizeLinear writes: its zero point's, without one the attribute's (opset 21), else UINT8."""
    if node.has(2):
        return node.onnx_type(2) or OF_STORED.get(node.dtype(2), onnx.TensorProto.UNDEFINED)
    return node.attr("output_dtype", 0) or onnx.TensorProto.UINT8


def dequantised_bias(node: Node, zero: np.ndarray | None) -> ITensor:
    """INT32 times its scale: the biases that ONNX Runtime's quantiser writes, constants that are folded."""
    if node.has(2) and (zero is None or np.any(zero != 0)):
        refuse("the zero point of an INT32 tensor must be 0, and known when the engine is built")
    return dequantise_in_floats(node)


def refuse(why: str, code: ErrorCode = ErrorCode.UNSUPPORTED_NODE_ATTR) -> None:
    raise NodeError(why, code)


# --- what TensorRT refuses to quantise ---


def quantise_in_floats(node: Node, stored: DataType, low: int, high: int) -> ITensor:
    """saturate(rint(x / scale) + zero point), half to even. stored: what holds the numbers from low to high."""
    x, scale, zero = node.cast(node.x, DataType.FLOAT), *(spread(node, index) for index in (1, 2))
    program = [["div", ["x0", "x1"], "FLOAT"], ["round", ["t0"], "FLOAT"]]
    program += [["add", ["t1", "x2"], "FLOAT"]] if zero else []
    program.append(["clip", [f"t{len(program) - 1}", float(low), float(high)], "FLOAT"])
    program.append(["cast", [f"t{len(program) - 1}"], stored.name])
    return node.pointwise(program, x, scale, *([zero] if zero else []))


def dequantise_in_floats(node: Node) -> ITensor:
    """(x - zero point) * scale, in the scale's type."""
    x, scale, zero = node.cast(node.x, DataType.FLOAT), *(spread(node, index) for index in (1, 2))
    if zero:
        x = node.step("sub", x, zero)
    return node.cast(node.step("mul", x, scale), node.dtype(1))


def spread(node: Node, index: int) -> ITensor | None:
    """A scale or zero point as FLOAT, shaped to go with x: one a tensor, one a channel, or one a block.

    Raises: NodeError for a shape that goes with none of them.
    """
    if not node.has(index):
        return None
    value, x_shape, shape = node.cast(node.tensor(index), DataType.FLOAT), node.shape(0), node.shape(index)
    axis, block = node.attr("axis", 1) % max(len(x_shape), 1), node.attr("block_size", 0)
    if len(shape) <= 1 and not block:
        one = len(shape) == 0 or shape[0] == 1
        wide = [1] * len(x_shape) if one else [shape[0] if a == axis else 1 for a in range(len(x_shape))]
        return node.reshape(value, wide)
    if -1 in x_shape or len(shape) != len(x_shape) or shape[axis] * block < x_shape[axis]:
        raise NodeError(
            f"scales of shape {shape} do not go with {x_shape} in blocks of {block} along axis {axis}",
            ErrorCode.UNSUPPORTED_NODE_SHAPE,
        )
    repeated = node.reshape(value, [*shape[: axis + 1], 1, *shape[axis + 1 :]])
    times = [block if a == axis + 1 else 1 for a in range(len(shape) + 1)]
    tiled = node.reshape(node.builtin("tile", [repeated], repeats=times), [
        size * block if a == axis else size for a, size in enumerate(shape)
    ])  # fmt: skip
    layer = node.network.add_slice(tiled, [0] * len(shape), x_shape, [1] * len(shape))
    return layer.get_output(0)
