"""Operators on quantised tensors: ONNX's own (QLinearConv, MatMulInteger, ...) and those of ONNX Runtime's domain.

Each is DequantizeLinear before the plain operator and QuantizeLinear behind it, as TensorRT wants models to be written;
so symmetric INT8 is computed in INT8, and what has zero points in floats. Results differ from integer kernels by
rounding, a step at most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import ONNX, RUNTIME, Node, NodeError, operator

BOTH = (ONNX, RUNTIME)
WINDOW = "auto_pad dilations group kernel_shape pads strides ceil_mode count_include_pad".split()


def real(e: Expansion, x: str, scale: str, zero: str, axis: int | None = None) -> str:
    """A quantised tensor as real numbers; along `axis`, where there is a scale a channel."""
    many = axis is not None and e.rank(scale) == 1 and tuple(e.importing.tensor(scale).shape) != (1,)
    scale, zero = (name if many or not name or not e.rank(name) else scalar(e, name) for name in (scale, zero))
    return e.op("DequantizeLinear", x, scale, *([zero] if zero else []), axis=axis if many else None)


def scalar(e: Expansion, name: str) -> str:
    """A scale or a zero point of one element as a number."""
    found = e.known(name)
    if found is None or found.size != 1:
        return name
    return e.constant(found.reshape(()))


def stored(e: Expansion, x: str, scale: str, zero: str, like: DataType) -> ITensor:
    """Real numbers quantised again; without a zero point to the type `like`."""
    zero = scalar(e, zero) if zero else e.constant(0, np.uint8 if like == DataType.UINT8 else np.int8)
    return e.result(e.op("QuantizeLinear", x, scalar(e, scale), zero))


def given(e: Expansion, first: int, axis: int | None = None) -> str:
    """Inputs first (quantised), first + 1 (scale) and first + 2 (zero point) as real numbers."""
    return real(e, *(e.given(first + step) for step in range(3)), axis)


def attributes(node: Node, names: list[str]) -> dict[str, Any]:
    return {name: node.attr(name) for name in names if node.attr(name) is not None}


@operator("QLinearAdd", "QLinearMul", domains=BOTH)
def binary(node: Node) -> ITensor:
    e = Expansion(node)
    out = e.op(node.op_type.removeprefix("QLinear"), given(e, 0), given(e, 3))
    return stored(e, out, e.given(6), e.given(7), node.dtype(0))


@operator("QLinearSigmoid", "QLinearLeakyRelu", "QLinearSoftmax", domains=BOTH)
def unary(node: Node) -> ITensor:
    e = Expansion(node)
    x, kind = given(e, 0), node.op_type.removeprefix("QLinear")
    axis = node.attr("axis", -1)
    if kind == "Softmax" and node.attr("opset", 13) < 13 and axis % e.rank(x) != e.rank(x) - 1:
        raise NodeError(f"QLinearSoftmax of old opsets over axes {axis} and later", ErrorCode.UNSUPPORTED_NODE_ATTR)
    more = {"alpha": node.attr("alpha", 0.01)} if kind == "LeakyRelu" else {"axis": axis} if kind == "Softmax" else {}
    return stored(e, e.op(kind, x, **more), e.given(3), e.given(4), node.dtype(0))


@operator("QLinearGlobalAveragePool", "QLinearAveragePool", domains=BOTH)
def averaged(node: Node) -> ITensor:
    e = Expansion(node)
    x, kind = given(e, 0), node.op_type.removeprefix("QLinear")
    attrs = attributes(node, WINDOW)
    out = in_channels_first(e, x, node.attr("channels_last", 0), lambda y: e.op(kind, y, **attrs))
    return stored(e, out, e.given(3), e.given(4), node.dtype(0))


def in_channels_first(e: Expansion, x: str, last: int, make) -> str:
    """make(x), on an image whose channels come last where `last`."""
    if not last:
        return make(x)
    axes = list(range(e.rank(x)))
    made = make(e.transpose(x, [axes[0], axes[-1], *axes[1:-1]]))
    return e.transpose(made, [axes[0], *axes[2:], axes[1]])


@operator("QLinearConcat", domains=BOTH)
def concatenated(node: Node) -> ITensor:
    e = Expansion(node)
    parts = [given(e, first) for first in range(2, len(node.proto.input), 3)]
    return stored(e, e.op("Concat", *parts, axis=node.attr("axis")), e.given(0), e.given(1), node.dtype(2))


@operator("QLinearWhere", domains=BOTH)
def chosen(node: Node) -> ITensor:
    e = Expansion(node)
    return stored(e, e.op("Where", e.given(0), given(e, 1), given(e, 4)), e.given(7), e.given(8), node.dtype(1))


@operator("QLinearConv", domains=BOTH)
def convolution(node: Node) -> ITensor:
    e = Expansion(node)
    bias = [dequantised_sum(e, e.given(8), e.given(1), e.given(4))] if e.given(8) else []
    weights, attrs = given(e, 3, axis=0), attributes(node, WINDOW)

    def made(x: str) -> str:
        return e.op("Conv", x, weights, *bias, **attrs)

    out = in_channels_first(e, given(e, 0), node.attr("channels_last", 0), made)
    return stored(e, out, e.given(6), e.given(7), node.dtype(0))


def dequantised_sum(e: Expansion, total: str, left: str, right: str) -> str:
    """INT32 sums of products, whose scale is the product of the factors' scales."""
    scales = [e.known(name) for name in (left, right)]
    if any(scale is None for scale in scales):
        return e.op("Mul", e.cast(total, DataType.FLOAT), e.op("Mul", left, right))
    scale = np.asarray(scales[0] * scales[1], np.float32)
    scale = scale.reshape(()) if scale.size == 1 else scale.reshape(-1)
    return e.op("DequantizeLinear", total, e.constant(scale), axis=0 if scale.ndim else None)


@operator("QLinearMatMul", domains=BOTH)
def product(node: Node) -> ITensor:
    e = Expansion(node)
    out = e.op("MatMul", given(e, 0), given(e, 3, axis=e.rank(e.given(3)) - 1))
    return stored(e, out, e.given(6), e.given(7), node.dtype(0))


@operator("QGemm", domains=BOTH)
def gemm(node: Node) -> ITensor:
    """alpha * A * B + C, quantised where a scale of the result is given."""
    e = Expansion(node)
    across = 0 if node.attr("transB", 0) else 1
    bias = [dequantised_sum(e, e.given(6), e.given(1), e.given(4))] if e.given(6) else []
    attrs = attributes(node, ["transA", "transB", "alpha"])
    alpha = attrs.pop("alpha", 1.0)
    out = e.op("Gemm", given(e, 0), given(e, 3, axis=across), alpha=alpha, **attrs)
    if bias:  # C is in units of both scales, and alpha is one more
        out = e.op("Add", out, e.op("Mul", bias[0], e.constant(np.float32(alpha))) if alpha != 1 else bias[0])
    return stored(e, out, e.given(7), e.given(8), node.dtype(0)) if e.given(7) else e.result(out)


# --- integers in, integers or floats out ---


def shifted(e: Expansion, x: str, zero: str, axis: int | None = None) -> str:
    """An integer tensor minus its zero point, as FLOAT: exact, but for sums of products past 2^24. axis: of a zero
    point a channel."""
    x_real = e.cast(x, DataType.FLOAT)
    if not zero:
        return x_real
    number = e.cast(zero, DataType.FLOAT)
    if axis is not None and e.rank(zero) == 1 and tuple(e.importing.tensor(zero).shape) != (1,):
        behind = e.rank(x) - 1 - axis
        number = e.op("Reshape", number, e.constant([-1] + [1] * behind, np.int64))
    return e.op("Sub", x_real, number)


@operator("MatMulInteger", domains=BOTH)
def integer_product(node: Node) -> ITensor:
    e = Expansion(node)
    rank = e.rank(e.given(0))
    left = shifted(e, e.given(0), e.given(2), rank - 2 if rank > 1 else None)
    right = shifted(e, e.given(1), e.given(3), e.rank(e.given(1)) - 1)
    return e.result(e.cast(e.op("MatMul", left, right), DataType.INT32))


@operator("ConvInteger", domains=BOTH)
def integer_convolution(node: Node) -> ITensor:
    e = Expansion(node)
    weights = shifted(e, e.given(1), e.given(3), 0)
    out = e.op("Conv", shifted(e, e.given(0), e.given(2)), weights, **attributes(node, WINDOW))
    return e.result(e.cast(out, DataType.INT32))


@operator("MatMulIntegerToFloat", domains=BOTH)
def product_to_float(node: Node) -> ITensor:
    """A, B, their scales, their zero points, a bias."""
    e = Expansion(node)
    right = real_matrix(e, e.given(1), e.given(3), e.given(5))
    out = e.op("MatMul", real(e, e.given(0), e.given(2), e.given(4)), right)
    return e.result(e.op("Add", out, e.given(6)) if e.given(6) else out)


def real_matrix(e: Expansion, b: str, scale: str, zero: str) -> str:
    return real(e, b, scale, zero, axis=e.rank(b) - 1)


@operator("DynamicQuantizeMatMul", domains=BOTH)
def product_of_floats(node: Node) -> ITensor:
    """A in floats, B, its scale and zero point, a bias. A is quantised by its own range, as ONNX Runtime does."""
    e = Expansion(node)
    left = real(e, *dynamically_quantised(e, e.given(0)))
    out = e.op("MatMul", left, real_matrix(e, e.given(1), e.given(2), e.given(3)))
    return e.result(e.op("Add", out, e.given(4)) if e.given(4) else out)


@operator("DynamicQuantizeLinear", domains=BOTH)
def quantised_by_range(node: Node) -> list[ITensor]:
    e = Expansion(node)
    return [e.result(name) for name in dynamically_quantised(e, e.given(0))]


def dynamically_quantised(e: Expansion, x: str) -> tuple[str, str, str]:
    """UINT8, scale and zero point of a tensor by its least and largest element, 0 between them, as ONNX defines it."""
    nothing = e.constant(0.0, np.float32)
    low = e.op("Min", e.reduce("ReduceMin", x, None, 0), nothing)
    high = e.op("Max", e.reduce("ReduceMax", x, None, 0), nothing)
    scale = e.op("Div", e.op("Sub", high, low), e.constant(255.0, np.float32))
    scale = e.op("Where", e.op("Equal", scale, nothing), e.constant(1.0, np.float32), scale)
    place = e.op("Round", e.op("Div", e.op("Neg", low), scale))
    zero = e.cast(e.op("Clip", place, nothing, e.constant(255.0, np.float32)), DataType.UINT8)
    return e.op("QuantizeLinear", x, scale, zero), scale, zero


@operator("DynamicQuantizeLSTM", domains=BOTH)
def recurrent(node: Node) -> list[ITensor]:
    """An LSTM with quantised weights, (directions, inputs, 4 * hidden) here. What it multiplies them with is quantised
    by its own range: x as a whole, and the states of all sequences in every step."""
    e = Expansion(node)
    x = real(e, *dynamically_quantised(e, e.given(0)))
    weights = [weights_of(e, place, scale) for place, scale in ((1, 8), (2, 10))]
    names = "activation_alpha activation_beta activations clip direction hidden_size input_forget".split()
    rest = [e.given(index) for index in range(3, 8)]
    made = e.op("LSTM", x, *weights, *rest, outputs=3, quantised_states=1, **attributes(node, names))
    return [e.result(name) for name in made]


def weights_of(e: Expansion, place: int, scale: int) -> str:
    """Weights of a recurrent layer, dequantised and laid out as LSTM has them: (directions, 4 * hidden, inputs)."""
    directions = tuple(e.importing.tensor(e.given(place)).shape)[0]
    stored, factor, zero = (e.cast(e.given(index), DataType.FLOAT) for index in (place, scale, scale + 1))
    factor, zero = (e.reshape(each, [directions, 1, -1]) for each in (factor, zero))
    return e.transpose(e.op("Mul", e.op("Sub", stored, zero), factor), [0, 2, 1])
