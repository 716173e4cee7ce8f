"""Operators that compute element by element."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import ActivationType, DataType, ElementWiseOperation, UnaryOperation
from minitrt.api.weights import nptype
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import ONNX, RUNTIME, Node, operator

UNARY = {
    **dict(Abs="ABS", Acos="ACOS", Acosh="ACOSH", Asin="ASIN", Asinh="ASINH", Atan="ATAN", Atanh="ATANH", Ceil="CEIL"),
    **dict(Cos="COS", Cosh="COSH", Erf="ERF", Exp="EXP", Floor="FLOOR", IsNaN="ISNAN", Log="LOG", Neg="NEG", Not="NOT"),
    **dict(Reciprocal="RECIP", Round="ROUND", Sign="SIGN", Sin="SIN", Sinh="SINH", Sqrt="SQRT", Tan="TAN"),
}
# operator -> activation, and the ONNX attributes that become alpha and beta, with their defaults
ACTIVATIONS = {
    "Relu": ("RELU", ()),
    "Sigmoid": ("SIGMOID", ()),
    "Tanh": ("TANH", ()),
    "Softsign": ("SOFTSIGN", ()),
    "LeakyRelu": ("LEAKY_RELU", (("alpha", 0.01),)),
    "Elu": ("ELU", (("alpha", 1.0),)),
    "Selu": ("SELU", (("alpha", 1.6732632), ("gamma", 1.0507010))),
    "HardSigmoid": ("HARD_SIGMOID", (("alpha", 0.2), ("beta", 0.5))),
    "ThresholdedRelu": ("THRESHOLDED_RELU", (("alpha", 1.0),)),
    "ScaledTanh": ("SCALED_TANH", (("alpha", 1.0), ("beta", 1.0))),
}
BINARY = {
    **dict(Add="SUM", Sub="SUB", Mul="PROD", Div="DIV", Pow="POW", Max="MAX", Min="MIN", And="AND", Or="OR", Xor="XOR"),
    **dict(Equal="EQUAL", Greater="GREATER", Less="LESS", Sum="SUM"),
}
STEPS = {  # operators that TensorRT spells with several layers, or lacks: one step of a pointwise program
    **dict(HardSwish="hard_swish", Mish="mish"),
    **dict(BitwiseAnd="bit_and", BitwiseOr="bit_or", BitwiseXor="bit_xor"),
}
COMPARISONS = {"GreaterOrEqual": "greater_equal", "LessOrEqual": "less_equal"}


@operator(*UNARY)
def unary(node: Node) -> ITensor:
    return node.network.add_unary(node.x, UnaryOperation[UNARY[node.op_type]]).get_output(0)


@operator(*ACTIVATIONS)
def activation(node: Node) -> ITensor:
    name, parameters = ACTIVATIONS[node.op_type]
    layer = node.network.add_activation(node.x, ActivationType[name])
    for place, (attribute, default) in zip(("alpha", "beta"), parameters, strict=False):
        setattr(layer, place, node.attr(attribute, default))
    return layer.get_output(0)


@operator(*BINARY)
def binary(node: Node) -> ITensor:
    """Two operands; Max, Min and Sum take any number. Old versions name the axis that a smaller operand starts at."""
    operation = ElementWiseOperation[BINARY[node.op_type]]
    total = node.x
    for index in range(1, len(node.proto.input)):
        other = node.tensor(index)
        if node.opset < 7 and node.attr("broadcast"):
            other = from_axis(node, other, len(total.shape))
        if node.op_type == "Pow" and other.dtype != total.dtype:
            return power_of_types(node, total, other)
        total = node.network.add_elementwise(total, other, operation).get_output(0)
    return node.network.add_identity(total).get_output(0) if len(node.proto.input) == 1 else total


def power_of_types(node: Node, base: ITensor, exponent: ITensor) -> ITensor:
    """A power whose exponent has another type: a broken one counts for whole bases, too."""
    floats = (DataType.FLOAT, DataType.HALF)
    between = DataType.FLOAT if exponent.dtype in floats and base.dtype not in floats else base.dtype
    return node.cast(node.step("pow", node.cast(base, between), node.cast(exponent, between)), base.dtype)


def from_axis(node: Node, other: ITensor, rank: int) -> ITensor:
    """Opset 6's broadcasting: `other`'s first axis is axis `axis` of the result."""
    axis, shape = node.attr("axis"), tuple(other.shape)
    if axis is None or len(shape) == rank:
        return other
    after = list(range(len(shape), rank - axis % rank))
    return node.unsqueezed(other, after) if after else other


@operator(*STEPS)
def one_step(node: Node) -> ITensor:
    return node.step(STEPS[node.op_type], *node.tensors())


@operator(*COMPARISONS)
def comparison(node: Node) -> ITensor:
    return node.step(COMPARISONS[node.op_type], node.x, node.tensor(1), dtype=DataType.BOOL)


@operator("Mean")
def mean(node: Node) -> ITensor:
    tensors, total = node.tensors(), node.x
    for other in tensors[1:]:
        total = node.network.add_elementwise(total, other, ElementWiseOperation.SUM).get_output(0)
    return node.step("mul", total, numbers=(1 / len(tensors),))


@operator("Mod")
def mod(node: Node) -> ITensor:
    """fmod 1: the sign of the dividend, as in C; else that of the divisor, as in Python."""
    return node.step("fmod" if node.attr("fmod", 0) else "mod", node.x, node.tensor(1))


@operator("BitwiseNot")
def bitwise_not(node: Node) -> ITensor:
    return node.step("bit_xor", node.x, numbers=(255 if node.dtype() == DataType.UINT8 else -1,))


@operator("BitShift")
def bit_shift(node: Node) -> ITensor:
    return node.step("shift_left" if node.attr("direction") == "LEFT" else "shift_right", node.x, node.tensor(1))


@operator("IsInf")
def is_inf(node: Node) -> ITensor:
    positive, negative = node.attr("detect_positive", 1), node.attr("detect_negative", 1)
    if positive and negative:
        return node.network.add_unary(node.x, UnaryOperation.ISINF).get_output(0)
    kind, sign = node.x.dtype.name, "greater" if positive else "less"
    program = [["isinf", ["x0"], "BOOL"], [sign, ["x0", 0], "BOOL"], ["and", ["t0", "t1"], "BOOL"]]
    if not positive and not negative:
        program = [["greater", ["x0", "x0"], "BOOL"]]
    assert kind in ("FLOAT", "HALF")
    return node.pointwise(program, node.x)


@operator("Clip")
def clip(node: Node) -> ITensor:
    """Limits that are known make a clip activation, which fuses; others are minimum and maximum of tensors."""
    limits = [node.attr("min"), node.attr("max")] if node.opset < 11 else [node.known(1), node.known(2)]
    given = [node.has(1), node.has(2)] if node.opset >= 11 else [limit is not None for limit in limits]
    dtype, known = node.x.dtype, [None if limit is None else np.ravel(limit)[0].item() for limit in limits]
    all_known = all(limit is not None or not there for limit, there in zip(known, given, strict=True))
    if all_known and dtype in (DataType.FLOAT, DataType.HALF):
        layer, most = node.network.add_activation(node.x, ActivationType.CLIP), np.finfo(nptype(dtype))
        layer.alpha, layer.beta = (
            float(most.min) if known[0] is None else known[0],
            float(most.max) if known[1] is None else known[1],
        )
        return layer.get_output(0)
    result = node.x
    for index, operation in ((1, "max"), (2, "min")):  # an end that is open is none: no float is the last of INT64
        if all_known and given[index - 1]:
            result = node.step(operation, result, numbers=(known[index - 1],))
        elif given[index - 1]:
            result = node.step(operation, result, node.tensor(index))
    return result if result is not node.x else node.network.add_identity(node.x).get_output(0)


@operator("Gelu", domains=(ONNX, RUNTIME))
def gelu(node: Node) -> ITensor:
    kind = ActivationType.GELU_TANH if node.attr("approximate", "none") == "tanh" else ActivationType.GELU_ERF
    return node.network.add_activation(node.x, kind).get_output(0)


@operator("Swish")
def swish(node: Node) -> ITensor:
    return node.step("swish", node.x, numbers=(node.attr("alpha", 1.0),))


@operator("Celu")
def celu(node: Node) -> ITensor:
    return node.step("celu", node.x, numbers=(node.attr("alpha", 1.0),))


@operator("Softplus")
def softplus(node: Node) -> ITensor:
    layer = node.network.add_activation(node.x, ActivationType.SOFTPLUS)
    layer.alpha = layer.beta = 1.0
    return layer.get_output(0)


@operator("Shrink")
def shrink(node: Node) -> ITensor:
    dtype, bias, edge = node.x.dtype.name, node.attr("bias", 0.0), node.attr("lambd", 0.5)
    above, below = [["sub", ["x0", bias], dtype], ["add", ["x0", bias], dtype]]
    tests = [["greater", ["x0", edge], "BOOL"], ["less", ["x0", -edge], "BOOL"]]
    choose = [["where", ["t3", "t1", 0], dtype], ["where", ["t2", "t0", "t4"], dtype]]
    return node.pointwise([above, below, *tests, *choose], node.x)


@operator("PRelu")
def prelu(node: Node) -> ITensor:
    slope, rank = node.tensor(1), node.rank()
    if node.opset < 7 and len(slope.shape) == 1 and rank > 2:
        slope = node.unsqueezed(slope, list(range(1, rank - 1)))
    return node.network.add_parametric_relu(node.x, slope).get_output(0)


@operator("Where")
def where(node: Node) -> ITensor:
    return node.network.add_select(*node.tensors()).get_output(0)


@operator("Cast")
def cast(node: Node) -> ITensor:
    return node.network.add_cast(node.x, node.type_of(node.attr("to"))).get_output(0)


@operator("CastLike")
def cast_like(node: Node) -> ITensor:
    return node.network.add_cast(node.x, node.dtype(1)).get_output(0)


@operator("Identity")
def identity(node: Node) -> ITensor:
    return node.network.add_identity(node.x).get_output(0)


@operator("Dropout")
def dropout(node: Node) -> list[ITensor]:
    """Inference: the input and a mask that is True. Training (a known third input): scaled by 1 / (1 - ratio),
    masked."""
    training, ratio = node.known(2), node.known(1)
    ratio = 0.5 if ratio is None else float(np.ravel(ratio)[0])
    if training is None or not np.ravel(training)[0] or ratio == 0:
        result = node.network.add_identity(node.x).get_output(0)
        return [result, node.step("equal", node.x, node.x, dtype=DataType.BOOL)] if node.wants(1) else [result]
    mask = node.builtin("random_mask", [node.x], types=[DataType.BOOL], ratio=ratio, seed=node.attr("seed"))
    dtype = node.x.dtype.name
    program = [["div", ["x0", 1 - ratio], dtype], ["where", ["x1", "t0", 0], dtype]]
    return [node.pointwise(program, node.x, mask), mask]
