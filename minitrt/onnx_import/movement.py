"""Operators that move, choose and make elements, and shape arithmetic."""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import DataType, ErrorCode, GatherMode
from minitrt.graph.ir import DATA_TYPES
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import ONNX, RUNTIME, Node, NodeError, array_of, operator
from minitrt.onnx_import.stored import dense
from minitrt.shapes.dims import axis_of

END = 2**63 - 1  # to the end of an axis


def as_input(node: Node, index: int, name: str, attrs: dict, inputs: list) -> None:
    """Attribute `name` from input `index`: as numbers if they are known, else as an input read at run time."""
    if not node.has(index):
        return
    known = node.known(index)
    if known is not None:
        attrs[name] = known.tolist()
    else:
        inputs.append(node.tensor(index))
        attrs.setdefault("dynamic", {})[name] = len(inputs) - 1


@operator("Constant")
def constant(node: Node) -> ITensor:
    for name, value in node.attributes.items():
        if name == "value":
            return node.constant(array_of(value, node.importing.stored))
        if name == "sparse_value":
            return node.constant(array_of(dense(value), node.importing.stored))
        if name in ("value_float", "value_floats"):
            return node.constant(value, np.float32)
        if name in ("value_int", "value_ints"):
            return node.constant(value, np.int64)
    raise NodeError(f"constants of kind {list(node.attributes)} are not supported", ErrorCode.UNSUPPORTED_NODE_ATTR)


@operator("ConstantOfShape")
def constant_of_shape(node: Node) -> ITensor:
    value = node.attr("value")
    value = (
        array_of(value, node.importing.stored).reshape(-1)
        if isinstance(value, onnx.TensorProto)
        else np.zeros(1, np.float32)
    )
    attrs, inputs = dict(op="constant", value=value[0].item()), []
    known = node.known(0)
    if known is not None:
        return node.constant(np.full(known.astype(int).tolist(), value[0]))
    as_input(node, 0, "shape", attrs, inputs)
    return node.builtin("fill", inputs, types=[DATA_TYPES[value.dtype]], **attrs)


@operator("Shape")
def shape(node: Node) -> ITensor:
    start, end = node.attr("start", 0), node.attr("end")
    if start == 0 and end is None:
        return node.network.add_shape(node.x).get_output(0)
    rank = node.rank()
    low, high, _ = slice(start, end).indices(rank)
    return node.builtin("shape_of", [node.x], types=[DataType.INT64], start=low, end=max(low, high))


@operator("Size")
def size(node: Node) -> ITensor:
    return node.builtin("size_of", [node.x], types=[DataType.INT64])


@operator("Reshape")
def reshape(node: Node) -> ITensor:
    layer = node.network.add_shuffle(node.x)
    layer.zero_is_placeholder = not node.attr("allowzero", 0)
    known = node.attr("shape") if node.opset < 5 else node.known(1)
    if known is not None:
        layer.reshape_dims = [int(n) for n in np.ravel(known)]
    else:
        layer.set_input(1, node.tensor(1))
    return layer.get_output(0)


@operator("Flatten")
def flatten(node: Node) -> ITensor:
    rank, axis = node.rank(), node.attr("axis", 1)
    axis = axis + rank if axis < 0 else axis
    return node.parted(node.x, [[list(range(axis)), 1, 1], [list(range(axis, rank)), 1, 1]])


@operator("Squeeze", "Unsqueeze")
def squeeze(node: Node) -> ITensor:
    axes = node.attr("axes") if node.opset < 13 else node.known(1)
    if axes is None and node.op_type == "Squeeze" and not node.has(1):
        shape = node.shape()
        if -1 in shape:
            return node.builtin("shuffle", [node.x], squeeze=None)  # which axes go is settled by the profile
        axes = [axis for axis, n in enumerate(shape) if n == 1]
    add = node.network.add_squeeze if node.op_type == "Squeeze" else node.network.add_unsqueeze
    axes = node.tensor(1) if axes is None else node.constant(np.ravel(axes), np.int64)
    return add(node.x, axes).get_output(0)


@operator("Transpose")
def transpose(node: Node) -> ITensor:
    return node.transpose(node.x, node.attr("perm", list(range(node.rank()))[::-1]))


@operator("Concat")
def concat(node: Node) -> ITensor:
    layer = node.network.add_concatenation(node.tensors())
    axis = node.attr("axis", 1)
    layer.axis = axis + node.rank() if axis < 0 else axis
    return layer.get_output(0)


@operator("Slice")
def slice_(node: Node) -> ITensor:
    attrs, inputs = {}, [node.x]
    if node.opset < 10:
        attrs = {name: node.attr(name) for name in ("starts", "ends", "axes") if node.attr(name) is not None}
    else:
        for index, name in enumerate(("starts", "ends", "axes", "steps"), 1):
            as_input(node, index, name, attrs, inputs)
    return sliced(node, inputs, attrs)


def sliced(node: Node, inputs: list[ITensor], attrs: dict) -> ITensor:
    layer = node.network.add_slice(inputs[0], None, None, None)
    for index, tensor in enumerate(inputs[1:], 1):
        layer.set_input(index, tensor)
    layer._params["onnx"] = attrs
    node.network._changed(layer)
    return layer.get_output(0)


@operator("Split")
def split(node: Node) -> list[ITensor]:
    axis, count = node.attr("axis", 0), node.attr("num_outputs") or node.num_outputs
    axis = axis + node.rank() if axis < 0 else axis
    sizes = node.attr("split") if node.opset < 13 else node.known(1)
    if sizes is None and node.opset >= 13 and node.has(1):
        return split_in_a_run(node, axis)
    if sizes is None:
        return [sliced(node, [node.x], {"part": [axis, index, count]}) for index in range(count)]
    edges = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    return [
        sliced(node, [node.x], dict(starts=[a], ends=[b], axes=[axis], steps=[1]))
        for a, b in zip(edges, edges[1:], strict=False)
    ]


def split_in_a_run(node: Node, axis: int) -> list[ITensor]:
    """Parts of sizes that follow from open ones, or from a run's data: slices between their sums."""
    e = Expansion(node)
    ends = e.op("CumSum", e.given(1), e.constant(0, np.int64))
    starts = e.op("Sub", ends, e.given(1))
    parts = []
    for place in range(node.num_outputs):
        one = e.constant([place], np.int64)
        bounds = [e.op("Gather", edges, one) for edges in (starts, ends)]
        parts.append(e.result(e.op("Slice", node.proto.input[0], *bounds, e.constant([axis], np.int64))))
    return parts


@operator("Pad")
def pad(node: Node) -> ITensor:
    attrs, inputs = dict(mode=node.attr("mode", "constant")), [node.x]
    if node.opset < 11:
        attrs |= dict(pads=node.attr("pads") or node.attr("paddings"), value=node.attr("value", 0.0))
    else:
        for index, name in ((1, "pads"), (2, "value"), (3, "axes")):
            as_input(node, index, name, attrs, inputs)
    return node.builtin("pad", inputs, **attrs)


@operator("Expand")
def expand(node: Node) -> ITensor:
    attrs, inputs = {}, [node.x]
    as_input(node, 1, "shape", attrs, inputs)
    return node.builtin("expand", inputs, **attrs)


@operator("Tile")
def tile(node: Node) -> ITensor:
    attrs, inputs = {}, [node.x]
    as_input(node, 1, "repeats", attrs, inputs)
    return node.builtin("tile", inputs, **attrs)


@operator("Gather", "GatherElements")
@operator("GatherND", domains=(ONNX, RUNTIME))
def gather(node: Node) -> ITensor:
    mode = {"Gather": "DEFAULT", "GatherElements": "ELEMENT", "GatherND": "ND"}[node.op_type]
    layer = node.network.add_gather_v2(node.x, node.tensor(1), GatherMode[mode])
    axis = node.attr("axis", 0)
    layer.axis = axis + node.rank() if axis < 0 else axis
    layer.num_elementwise_dims = node.attr("batch_dims", 0)
    return layer.get_output(0)


@operator("ScatterElements", "Scatter", "ScatterND")
def scatter(node: Node) -> ITensor:
    axis = node.attr("axis", 0)
    attrs = dict(
        mode="nd" if node.op_type == "ScatterND" else "element",
        axis=axis + node.rank() if axis < 0 else axis,
        combine=node.attr("reduction", "none"),
    )
    return node.builtin("scatter", node.tensors(), **attrs)


@operator("OneHot")
def one_hot(node: Node) -> ITensor:
    indices, depth, values = node.tensors()
    rank = node.rank()
    axis = node.attr("axis", -1)
    indices = node.cast(indices, DataType.INT64)
    depth = node.cast(depth, DataType.INT64)
    return node.network.add_one_hot(indices, values, depth, axis + rank + 1 if axis < 0 else axis).get_output(0)


@operator("NonZero")
def non_zero(node: Node) -> ITensor:
    return node.network.add_non_zero(node.x, DataType.INT64).get_output(0)


@operator("Unique")
def unique(node: Node) -> list[ITensor]:
    """Elements, or slices along an axis, that differ; then up to three lists of int64."""
    axis, count = node.attr("axis"), max(1, node.num_outputs)
    attrs = dict(axis=None if axis is None else axis_of(axis, node.rank()), sorted=bool(node.attr("sorted", 1)))
    types = [node.x.dtype, *[DataType.INT64] * 3][:count]
    found = node.builtin("unique", [node.x], count, types, **attrs)
    return found if count > 1 else [found]


@operator("Compress")
def compress(node: Node) -> ITensor:
    """The slices along an axis [of all elements in a row] where a condition holds."""
    axis, x = node.attr("axis"), node.x
    x = node.reshape(x, [-1]) if axis is None else x
    places = node.network.add_non_zero(node.tensor(1), DataType.INT64).get_output(0)
    places = node.builtin("shuffle", [places], squeeze=[0])
    return node.network.add_gather(x, places, 0 if axis is None else axis_of(axis, node.rank())).get_output(0)


@operator("Trilu", domains=(ONNX, RUNTIME))
def trilu(node: Node) -> ITensor:
    attrs, inputs = dict(upper=bool(node.attr("upper", 1))), [node.x]
    as_input(node, 1, "k", attrs, inputs)
    return node.builtin("triangle", inputs, **attrs)


@operator("Range")
def range_(node: Node) -> ITensor:
    return node.builtin("range", node.tensors())


@operator("EyeLike")
def eye_like(node: Node) -> ITensor:
    dtype = node.type_of(node.attr("dtype")) if node.attr("dtype") else node.x.dtype
    return node.builtin("eye", [node.x], types=[dtype], k=node.attr("k", 0))


@operator("ReverseSequence")
def reverse_sequence(node: Node) -> ITensor:
    layer = node.network.add_reverse_sequence(node.x, node.tensor(1))
    axes = node.attr("batch_axis", 1), node.attr("time_axis", 0)
    layer.batch_axis, layer.sequence_axis = (axis_of(axis, node.rank()) for axis in axes)
    return layer.get_output(0)


@operator("DepthToSpace")
def depth_to_space(node: Node) -> ITensor:
    b, by_columns = node.attr("blocksize"), node.attr("mode", "DCR") == "DCR"
    n, c, h, w = ([[axis], 1, 1] for axis in range(4))
    depth = [[1], 1, b * b]
    parts = node.parted(node.x, [n, *([b, b, depth] if by_columns else [depth, b, b]), h, w])
    moved = node.transpose(parts, [0, 3, 4, 1, 5, 2] if by_columns else [0, 1, 4, 2, 5, 3])
    return node.parted(moved, [n, [[1], 1, 1], [[2, 3], 1, 1], [[4, 5], 1, 1]])


@operator("SpaceToDepth")
def space_to_depth(node: Node) -> ITensor:
    b = node.attr("blocksize")
    n, c, h, w = [[0], 1, 1], [[1], 1, 1], [[2], 1, b], [[3], 1, b]
    parts = node.parted(node.x, [n, c, h, b, w, b])
    moved = node.transpose(parts, [0, 3, 5, 1, 2, 4] if node.attr("mode", "DCR") == "DCR" else [0, 1, 3, 5, 2, 4])
    return node.parted(moved, [n, [[1, 2, 3], 1, 1], [[4], 1, 1], [[5], 1, 1]])
