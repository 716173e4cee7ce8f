"""Operators with windows, and matrix products."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import (
    DataType,
    ElementWiseOperation,
    MatrixOperation,
    PaddingMode,
    PoolingType,
    ReduceOperation,
)
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import Node, operator

SAME = {"SAME_UPPER": PaddingMode.SAME_UPPER, "SAME_LOWER": PaddingMode.SAME_LOWER}


def window(node: Node, layer, space: int) -> None:
    """Stride and padding of a layer, from the node's attributes."""
    layer.stride_nd = node.attr("strides", [1] * space)
    pads = node.attr("pads", [0] * 2 * space)
    layer.pre_padding, layer.post_padding = pads[:space], pads[space:]
    automatic = node.attr("auto_pad", "NOTSET")
    if automatic in SAME:
        layer.padding_mode = SAME[automatic]


@operator("Conv")
def conv(node: Node) -> ITensor:
    weights, bias = node.weights(1), node.weights(2)
    shape = node.shape(1) if weights is None else weights.shape
    space = len(shape) - 2
    layer = node.network.add_convolution_nd(node.x, shape[0], node.attr("kernel_shape", list(shape[2:])), weights, bias)
    given_as_tensors(node, layer, weights, bias)
    layer.num_groups = node.attr("group", 1)
    layer.dilation_nd = node.attr("dilations", [1] * space)
    window(node, layer, space)
    return layer.get_output(0)


def given_as_tensors(node: Node, layer, weights, bias) -> None:
    """Weights that are no initializers (quantised ones, inputs) come in as tensors."""
    if weights is None:
        layer.set_input(1, node.tensor(1))
    if bias is None and node.has(2):
        layer.set_input(2, node.tensor(2))


@operator("ConvTranspose")
def conv_transpose(node: Node) -> ITensor:
    weights, bias, groups = node.weights(1), node.weights(2), node.attr("group", 1)
    shape = node.shape(1) if weights is None else weights.shape
    space, maps = len(shape) - 2, shape[1] * groups
    kernel = node.attr("kernel_shape", list(shape[2:]))
    layer = node.network.add_deconvolution_nd(node.x, maps, kernel, weights, bias)
    given_as_tensors(node, layer, weights, bias)
    layer.num_groups, layer.dilation_nd = groups, node.attr("dilations", [1] * space)
    window(node, layer, space)
    more = {name: node.attr(name) for name in ("output_padding", "output_shape") if node.attr(name)}
    layer._params["more"] = more
    node.network._changed(layer)
    return layer.get_output(0)


@operator("MaxPool", "AveragePool", "LpPool")
def pool(node: Node) -> ITensor | list[ITensor]:
    """2-D and 3-D, maximum and average, are pooling layers; indices, dilations and Lp need the general operation."""
    kernel = node.attr("kernel_shape")
    space, average = len(kernel), node.op_type == "AveragePool"
    dilated = any(d != 1 for d in node.attr("dilations", [1] * space))
    if node.wants(1) or dilated or node.op_type == "LpPool":
        return general_pool(node, kernel)
    kind = PoolingType.AVERAGE if average else PoolingType.MAX
    layer = node.network.add_pooling_nd(node.x, kind, kernel)
    layer.average_count_excludes_padding = not node.attr("count_include_pad", 0)
    window(node, layer, space)
    if node.attr("ceil_mode", 0):
        layer.padding_mode = PaddingMode.EXPLICIT_ROUND_UP
    return layer.get_output(0)


def general_pool(node: Node, kernel: list[int]) -> ITensor | list[ITensor]:
    space = len(kernel)
    pads = node.attr("pads", [0] * 2 * space)
    attrs = dict(
        mode={"MaxPool": "max", "AveragePool": "average", "LpPool": "lp"}[node.op_type],
        kernel=kernel,
        stride=node.attr("strides", [1] * space),
        dilations=node.attr("dilations", [1] * space),
        pads_before=pads[:space],
        pads_after=pads[space:],
        ceil_mode=bool(node.attr("ceil_mode", 0)),
        count_include_pad=bool(node.attr("count_include_pad", 0)),
        storage_order=node.attr("storage_order", 0),
        p=node.attr("p", 2),
        auto_pad=node.attr("auto_pad", "NOTSET").lower().replace("notset", "explicit").replace("valid", "explicit"),
    )
    if not node.wants(1):
        return node.builtin("pool", [node.x], **attrs)
    return node.builtin("pool", [node.x], 2, [node.x.dtype, DataType.INT64], **attrs)


@operator("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(node: Node) -> ITensor:
    rank = node.rank()
    mask = sum(1 << axis for axis in range(2, rank))
    if node.op_type == "GlobalLpPool":
        return node.builtin("reduce", [node.x], op="l2", axes=list(range(2, rank)), keep_dims=True)
    operation = ReduceOperation.AVG if node.op_type == "GlobalAveragePool" else ReduceOperation.MAX
    return node.network.add_reduce(node.x, operation, mask, True).get_output(0)


@operator("MatMul")
def matmul(node: Node) -> ITensor:
    a, b = node.x, node.tensor(1)
    rank_a, rank_b = node.rank(0), node.rank(1)
    if rank_a > 1 and rank_b > 1 or rank_a == rank_b == 1:
        plain = MatrixOperation.NONE
        return node.network.add_matrix_multiply(a, plain, b, plain).get_output(0)
    return node.builtin("gemm", [a, b, None, None])  # a vector that broadcasts over a batch, as numpy.matmul does


@operator("Gemm")
def gemm(node: Node) -> ITensor:
    alpha, beta = node.attr("alpha", 1.0), node.attr("beta", 1.0)
    choices = {0: MatrixOperation.NONE, 1: MatrixOperation.TRANSPOSE}
    ops = [choices[node.attr(name, 0)] for name in ("transA", "transB")]
    layer = node.network.add_matrix_multiply(node.x, ops[0], node.tensor(1), ops[1])
    layer._params["alpha"] = alpha
    node.network._changed(layer)
    result = layer.get_output(0)
    if not node.has(2) or beta == 0:
        return result
    bias = node.tensor(2)
    if beta != 1:
        known = node.known(2)
        bias = node.constant((known * np.float32(beta)).astype(known.dtype)) if known is not None else None
        bias = bias or node.step("mul", node.tensor(2), numbers=(beta,))
    return node.network.add_elementwise(result, bias, ElementWiseOperation.SUM).get_output(0)


@operator("Einsum")
def einsum(node: Node) -> ITensor:
    return node.network.add_einsum(node.tensors(), node.attr("equation")).get_output(0)


@operator("Col2Im")
def columns_to_image(node: Node) -> ITensor:
    """(N, C * taps, places) -> (N,C,*image): what overlaps is summed, a transposed convolution that weighs nothing."""
    image, kernel = (node.numbers(1, "the image's shape"), node.numbers(2, "the block's shape"))
    space, taps = len(image), int(np.prod(kernel))
    strides, dilations = (node.attr(name, [1] * space) for name in ("strides", "dilations"))
    pads, channels = node.attr("pads", [0] * 2 * space), node.shape()[1] // taps
    node.need(channels > 0, "how many channels it has must be known when the engine is built")
    reach = [(r - 1) * d + 1 for r, d in zip(kernel, dilations, strict=True)]
    padded = [n + a + b for n, a, b in zip(image, pads[:space], pads[space:], strict=True)]
    places = [(n - r) // s + 1 for n, r, s in zip(padded, reach, strides, strict=True)]
    left = [n - (p - 1) * s - r for n, p, s, r in zip(padded, places, strides, reach, strict=True)]
    weights = np.tile(np.eye(taps, dtype=np.float32).reshape(taps, 1, *kernel), (channels, 1, *[1] * space))
    e = Expansion(node)
    x = e.reshape(e.given(0), [0, channels * taps, *places])
    how = dict(strides=strides, dilations=dilations, pads=pads, output_padding=left, group=channels)
    return e.result(e.op("ConvTranspose", x, e.constant(weights), **how))
