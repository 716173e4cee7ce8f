"""What TensorRT refuses to quantise: zero points, UINT8, 16 bits, 4 bits, scales of a run. It is computed in floats,
exactly as ONNX defines it.

No layer becomes an integer layer by it. It lets a network run whose exporter quantised activations so.
"""

from __future__ import annotations

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import Node, NodeError


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
