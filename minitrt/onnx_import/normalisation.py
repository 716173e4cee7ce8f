"""Softmax and normalisations."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType, ScaleMode
from minitrt.api.weights import nptype
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import ONNX, RUNTIME, Node, operator
from minitrt.shapes.dims import axis_of


@operator("Softmax", "LogSoftmax")
def softmax(node: Node) -> ITensor:
    """One axis; before opset 13 all axes from `axis` on together."""
    rank = node.rank()
    axis = axis_of(node.attr("axis", -1 if node.opset >= 13 else 1), rank)
    axes = [axis] if node.opset >= 13 else list(range(axis, rank))
    if node.op_type == "LogSoftmax":
        return node.builtin("softmax", [node.x], axes=axes, log=True)
    layer = node.network.add_softmax(node.x)
    layer.axes = sum(1 << each for each in axes)
    return layer.get_output(0)


@operator("Hardmax")
def hardmax(node: Node) -> ITensor:
    """One axis; before opset 13 all axes from `axis` on together."""
    rank = node.rank()
    axis = axis_of(node.attr("axis", -1 if node.opset >= 13 else 1), rank)
    if node.opset >= 13:
        return hot(node, node.x, axis)
    rows = node.parted(node.x, [[list(range(axis)), 1, 1], [list(range(axis, rank)), 1, 1]])
    layer = node.network.add_shuffle(hot(node, rows, 1))
    layer.set_input(1, node.network.add_shape(node.x).get_output(0))
    return layer.get_output(0)


def hot(node: Node, x: ITensor, axis: int) -> ITensor:
    """1 at the first largest element along an axis, 0 elsewhere."""
    best = node.builtin("arg", [x], types=[DataType.INT64], axis=axis, keep_dims=False)
    values = node.constant([0, 1], nptype(x.dtype))
    depth = node.builtin("shape_of", [x], types=[DataType.INT64], start=axis, end=axis + 1)
    return node.network.add_one_hot(best, values, depth, axis).get_output(0)


@operator("BatchNormalization")
def batch_normalization(node: Node) -> ITensor | list[ITensor]:
    """With known statistics a scale layer, (x - mean) / deviation * scale + bias, which folds into a convolution."""
    scale, bias, mean, variance = (node.weights(index) for index in range(1, 5))
    epsilon = node.attr("epsilon", 1e-5)
    training = node.attr("training_mode", 0)
    if any(array is None for array in (scale, bias, mean, variance)) and not training:
        if len({node.dtype(index) for index in range(5)}) == 1:
            return by_tensors(node, epsilon)
    if training or any(array is None for array in (scale, bias, mean, variance)):
        attrs = dict(epsilon=epsilon, training=bool(training), momentum=node.attr("momentum", 0.9))
        count = max(1, node.num_outputs)
        return node.builtin("batch_norm", node.tensors(), count, [node.x.dtype] + [node.dtype(3)] * 2, **attrs)
    sizes = [array.shape for array in (scale, bias, mean, variance)]
    node.need(len(set(sizes)) == 1, f"scale, bias, mean and variance have the shapes {sizes}, which must be one")
    factor = scale.astype(np.float64) / np.sqrt(variance.astype(np.float64) + epsilon)
    shift = (bias - mean.astype(np.float64) * factor).astype(scale.dtype)
    factor = factor.astype(scale.dtype)
    for array, which in ((factor, "scale"), (shift, "shift")):
        node.network.set_weights_name(array, f"{node.name}/{which}")
    return node.network.add_scale_nd(node.x, ScaleMode.CHANNEL, shift, factor, None, 1).get_output(0)


def by_tensors(node: Node, epsilon: float) -> ITensor:
    """Batch normalisation by numbers that are computed or dequantised: two a channel, then x * factor + shift."""
    x, scale, bias, mean, variance = node.tensors()
    kind = node.dtype(0).name
    deviation = [["add", ["x1", epsilon], kind], ["sqrt", ["t0"], kind], ["div", ["x0", "t1"], kind]]
    factor = node.pointwise(deviation, scale, variance)
    moved = [["mul", ["x1", "x2"], kind], ["sub", ["x0", "t0"], kind]]
    shift = node.pointwise(moved, bias, mean, factor)
    after = list(range(1, node.rank() - 1))
    factor, shift = (node.builtin("shuffle", [each], unsqueeze=after) for each in (factor, shift))
    scaled = [["mul", ["x0", "x1"], kind], ["add", ["t0", "x2"], kind]]
    return node.pointwise(scaled, x, factor, shift)


@operator("InstanceNormalization")
def instance_normalization(node: Node) -> ITensor:
    axes = list(range(2, node.rank()))
    return node.builtin("norm", node.tensors(), axes=axes, epsilon=node.attr("epsilon", 1e-5), per_channel=True)


@operator("GroupNormalization")
def group_normalization(node: Node) -> ITensor:
    """Scale and bias one a channel (opset 21), or one a group (18)."""
    x, scale, bias = node.tensors()
    groups, channels = node.attr("num_groups"), node.shape()[1]
    if node.opset < 21:
        for name, value in (("scale", scale), ("bias", bias)):
            node.need(tuple(value.shape) == (groups,), f"the {name} has shape {tuple(value.shape)}, not ({groups},)")
        repeat = np.repeat(np.arange(groups), channels // groups)
        scale, bias = (
            node.network.add_gather(v, node.constant(repeat, np.int64), 0).get_output(0) for v in (scale, bias)
        )
    attrs = dict(axes=list(range(1, node.rank())), epsilon=node.attr("epsilon", 1e-5), groups=groups, per_channel=True)
    return node.builtin("norm", [x, scale, bias], **attrs)


@operator("LayerNormalization", "RMSNormalization", "SimplifiedLayerNormalization", domains=(ONNX, RUNTIME))
def layer_normalization(node: Node) -> ITensor | list[ITensor]:
    rank = node.rank()
    axes = list(range(axis_of(node.attr("axis", -1), rank), rank))
    attrs = dict(axes=axes, epsilon=node.attr("epsilon", 1e-5), mean=node.op_type == "LayerNormalization")
    count = max(1, node.num_outputs)
    return node.builtin("norm", node.tensors(), count, [node.x.dtype, DataType.FLOAT, DataType.FLOAT], **attrs)


@operator("MeanVarianceNormalization")
def mean_variance_normalization(node: Node) -> ITensor:
    return node.builtin("norm", [node.x], axes=node.attr("axes", [0, 2, 3]), epsilon=1e-9)


@operator("LpNormalization")
def lp_normalization(node: Node) -> ITensor:
    axis, p = axis_of(node.attr("axis", -1), node.rank()), node.attr("p", 2)
    length, dtype = node.builtin("reduce", [node.x], op=f"l{p}", axes=[axis], keep_dims=True), node.x.dtype.name
    share = [["div", ["x0", "x1"], dtype], ["equal", ["x1", 0.0], "BOOL"], ["where", ["t1", 0.0, "t0"], dtype]]
    return node.pointwise(share, node.x, length)  # 0 where the norm is 0


@operator("LRN")
def lrn(node: Node) -> ITensor:
    size, alpha, beta = node.attr("size"), node.attr("alpha", 1e-4), node.attr("beta", 0.75)
    return node.network.add_lrn(node.x, size, alpha, beta, node.attr("bias", 1.0)).get_output(0)
