"""Operators of `drawn_graphs` that are layers of their own: quantised ones, recurrent ones, attention, Einsum, grids,
boxes, rarer normalisations."""

from __future__ import annotations

import math

import numpy as np
from onnx import TensorProto

from tests.minitrt.drawn_graphs import LONGEST, OPERATORS, RUNTIME, Graph, Tensor, operator

__all__ = ["OPERATORS"]
STEP = np.float32(0.0371)  # of quantised numbers: few of what graphs compute lies half-way between two
EQUATIONS = {  # by rank: (equation, what the other operand has, in letters)
    2: [("ab,bc->ac", "bc"), ("ab,cb->ca", "cb"), ("ab,ab->a", "ab"), ("ab,a->b", "a"), ("ab->", None)],
    3: [("abc,cd->abd", "cd"), ("abc,acd->abd", "acd"), ("abc,abc->ab", "abc"), ("abc->cb", None)],
    4: [("abcd,abed->abce", "abed"), ("abcd,bd->acb", "bd"), ("abcd,ce->abed", "ce"), ("...d,de->...e", "de")],
}  # fmt: skip


def levels(g: Graph, x: Tensor, signed: bool) -> tuple[str, str, str]:
    """x as 8 bits: the tensor, its scale and its zero point."""
    zero = g.constant(np.int8(g.among([0, 0, 3])) if signed else np.uint8(g.among([128, 121])))
    scale = g.constant(STEP)
    (steps,) = g.node("QuantizeLinear", [x.name, scale, zero])
    return steps, scale, zero


def small_weights(g: Graph, *shape: int) -> str:
    return g.constant(g.rng.integers(-100, 101, shape).astype(np.int8))


@operator
def quantised_in_other_ways(g: Graph, x: Tensor) -> None:
    """Per channel, or with a zero point, and back."""
    axis = g.between(0, len(x.shape) - 1)
    if g.chance(0.5):
        steps, scale, zero = levels(g, x, g.chance(0.5))
        g.add("DequantizeLinear", [steps, scale, zero], x.shape)
        return
    pair = [g.constant((g.rng.random(x.shape[axis]) * 0.05 + 0.02).astype(np.float32))]
    pair += [g.constant(np.zeros(x.shape[axis], np.int8))]
    (steps,) = g.node("QuantizeLinear", [x.name, *pair], axis=axis)
    g.add("DequantizeLinear", [steps, *pair], x.shape, axis=axis)


@operator
def quantised_product(g: Graph, x: Tensor) -> None:
    if len(x.shape) < 2:
        return
    columns, shape = g.between(1, 6), x.shape[:-1]
    w, own = small_weights(g, x.shape[-1], columns), [g.constant(np.float32(0.013)), g.constant(np.int8(0))]
    kind = g.among(["MatMulInteger", "QLinearMatMul", "QDQ"])
    a, scale, zero = levels(g, x, kind == "QDQ" or g.chance(0.5))
    if kind == "MatMulInteger":
        (sums,) = g.node(kind, [a, w, zero])
        (real,) = g.node("Cast", [sums], to=TensorProto.FLOAT)
        g.add("Mul", [real, g.constant(np.float32(0.0005))], (*shape, columns))
    elif kind == "QLinearMatMul":
        more = [g.constant(np.float32(0.31)), zero]
        (steps,) = g.node(kind, [a, scale, zero, w, *own, *more])
        g.add("DequantizeLinear", [steps, *more], (*shape, columns))
    else:
        left, right = g.node("DequantizeLinear", [a, scale, zero])[0], g.node("DequantizeLinear", [w, *own])[0]
        g.add("MatMul", [left, right], (*shape, columns))


@operator
def quantised_convolution(g: Graph, x: Tensor) -> None:
    if len(x.shape) != 4 or min(x.shape[2:]) < 3:
        return
    count, channels = g.between(1, 5), x.shape[1]
    shape = (x.shape[0], count, *(n - 2 for n in x.shape[2:]))
    w, kind = small_weights(g, count, channels, 3, 3), g.among(["ConvInteger", "QLinearConv", "QDQ"])
    scales = [g.constant((g.rng.random(count) * 0.01 + 0.002).astype(np.float32)), g.constant(np.zeros(count, np.int8))]
    a, scale, zero = levels(g, x, kind == "QDQ")
    if kind == "ConvInteger":
        (sums,) = g.node(kind, [a, w, zero])
        (real,) = g.node("Cast", [sums], to=TensorProto.FLOAT)
        g.add("Mul", [real, g.constant(np.float32(0.0005))], shape)
    elif kind == "QLinearConv":
        more = [g.constant(np.float32(0.17)), g.constant(np.uint8(111))]
        bias = g.constant(g.rng.integers(-900, 900, count).astype(np.int32))
        (steps,) = g.node(kind, [a, scale, zero, w, *scales, *more, bias])
        g.add("DequantizeLinear", [steps, *more], shape)
    else:
        left = g.node("DequantizeLinear", [a, scale, zero])[0]
        right = g.node("DequantizeLinear", [w, *scales], axis=0)[0]
        y = g.add("Conv", [left, right, g.weights(count)], shape)
        if g.chance(0.5):
            g.add("Relu", [y.name], shape)


@operator
def quantised_by_its_range(g: Graph, x: Tensor) -> None:
    steps, scale, zero = g.node("DynamicQuantizeLinear", [x.name], count=3)
    g.add("DequantizeLinear", [steps, scale, zero], x.shape)


@operator
def recurrent(g: Graph, x: Tensor) -> None:
    if len(x.shape) != 3:
        return
    steps, batch, terms = x.shape
    kind, gates = g.among([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    direction, hidden = g.among(["forward", "reverse", "bidirectional"]), g.between(1, 4)
    ways = 2 if direction == "bidirectional" else 1
    w, r = g.weights(ways, gates * hidden, terms, over=4), g.weights(ways, gates * hidden, hidden, over=4)
    lengths = g.constant(g.rng.integers(1, steps + 1, batch).astype(np.int32)) if g.chance(0.3) else ""
    begin = g.weights(ways, batch, hidden) if g.chance(0.4) else ""
    inputs = [x.name, w, r, g.weights(ways, 2 * gates * hidden) if g.chance(0.6) else "", lengths, begin]
    attrs = {"linear_before_reset": g.between(0, 1)} if kind == "GRU" else {}
    all_of_it, last = g.node(kind, inputs, 2, hidden_size=hidden, direction=direction, **attrs)
    g.keep(all_of_it, (steps, ways, batch, hidden))
    g.keep(last, (ways, batch, hidden))


@operator
def attention(g: Graph, x: Tensor) -> None:
    """Of a tensor on itself, with one or two heads."""
    if len(x.shape) != 3 or x.shape[2] % 2:
        return
    heads, shape = g.among([1, 2]), x.shape
    key, value = (g.add("MatMul", [x.name, g.weights(shape[2], shape[2], over=shape[2])], shape).name for _ in range(2))
    if g.chance(0.5):
        g.add(
            "Attention", [x.name, key, value], shape, q_num_heads=heads, kv_num_heads=heads, is_causal=g.between(0, 1)
        )
    else:
        g.add("MultiHeadAttention", [x.name, key, value], shape, num_heads=heads, domain=RUNTIME)


@operator
def attention_of_products(g: Graph, x: Tensor) -> None:
    if len(x.shape) not in (3, 4):
        return
    rank, rows = len(x.shape), x.shape[-2]
    order = [*range(rank - 2), rank - 1, rank - 2]
    (turned,) = g.node("Transpose", [x.name], perm=order)
    scores = g.add("MatMul", [x.name, turned], (*x.shape[:-1], rows)).name
    (scaled,) = g.node("Mul", [scores, g.constant(np.float32(x.shape[-1] ** -0.5))])
    if g.chance(0.5):
        (scaled,) = g.node("Add", [scaled, g.constant(np.triu(np.full((rows, rows), -1e4, np.float32), 1))])
    (weights,) = g.node("Softmax", [scaled], axis=-1)
    g.add("MatMul", [weights, x.name], x.shape)


@operator
def einsum(g: Graph, x: Tensor) -> None:
    if len(x.shape) not in EQUATIONS:
        return
    equation, other = g.among(EQUATIONS[len(x.shape)])
    named = "abcd"[: len(x.shape)]
    sizes = dict(zip(named, x.shape, strict=True))
    for letter in other or "":
        sizes.setdefault(letter, g.between(1, 5))
    result = equation.partition("->")[2].replace("...", named[:-1])
    shape = tuple(sizes[letter] for letter in result)
    terms = math.prod(n for letter, n in sizes.items() if letter not in result)
    if math.prod(shape) <= LONGEST:
        inputs = [x.name] if other is None else [x.name, g.weights(*(sizes[each] for each in other), over=terms)]
        g.add("Einsum", inputs, shape, equation=equation)


@operator
def sampled(g: Graph, x: Tensor) -> None:
    if len(x.shape) != 4:
        return
    size = (g.between(1, 5), g.between(1, 5))
    grid = g.constant((g.rng.random((x.shape[0], *size, 2)) * 2.6 - 1.3).astype(np.float32))
    how = {"mode": g.among(["linear", "nearest", "cubic"]), "align_corners": g.between(0, 1)}
    how["padding_mode"] = g.among(["zeros", "border", "reflection"])
    g.add("GridSample", [x.name, grid], (*x.shape[:2], *size), **how)


@operator
def boxes(g: Graph, x: Tensor) -> None:
    """Boxes that are left by suppression, of which the sum has a known shape; scores follow a tensor a little."""
    count, classes = g.between(2, 9), g.between(1, 2)
    corners = g.rng.random((1, count, 2)) * 3
    places = g.constant(np.concatenate([corners, corners + 0.3 + g.rng.random((1, count, 2))], 2).astype(np.float32))
    (one,) = g.node("ReduceMean", [x.name], keepdims=0)
    (little,) = g.node("Mul", [g.node("Tanh", [one])[0], g.constant(np.float32(0.01))])
    (scores,) = g.node("Add", [little, g.constant(g.rng.random((1, classes, count)).astype(np.float32))])
    limits = [g.integers(g.between(1, 4)), g.constant(np.float32([0.3])), g.constant(np.float32([0.2]))]
    (kept,) = g.node("NonMaxSuppression", [places, scores, *limits], center_point_box=g.between(0, 1))
    (real,) = g.node("Cast", [kept], to=TensorProto.FLOAT)
    g.add("ReduceSum", [real, g.integers(0)], (1, 3), keepdims=1)


@operator
def rarer(g: Graph, x: Tensor) -> None:
    kind = g.among(["Celu", "ThresholdedRelu", "Shrink", "Hardmax", "LpNormalization"])
    axis = {"axis": g.between(0, len(x.shape) - 1)} if kind in ("Hardmax", "LpNormalization") else {}
    g.add(kind, [x.name], x.shape, **axis)


@operator
def normalised_in_groups(g: Graph, x: Tensor) -> None:
    if len(x.shape) < 3 or x.shape[1] % 2 or math.prod(x.shape[2:]) < 2:
        return
    if g.chance(0.6):
        g.add("GroupNormalization", [x.name, g.weights(x.shape[1]), g.weights(x.shape[1])], x.shape, num_groups=2)
    elif len(x.shape) == 4:  # ONNX Runtime has it for images alone
        g.add("LRN", [x.name], x.shape, size=3)


@operator
def convolution_of_a_line(g: Graph, x: Tensor) -> None:
    """Padded as far as windows reach: of a line that is shorter than its window ONNX Runtime makes a crash."""
    if len(x.shape) != 3:
        return
    count, window, step = g.between(1, 4), g.among([1, 3]), g.among([1, 2])
    pads = {"pads": [window // 2] * 2, "strides": [step]}
    w = g.weights(count, x.shape[1], window, over=window * x.shape[1])
    shape = (x.shape[0], count, (x.shape[2] - 1) // step + 1)
    y = g.add("Conv", [x.name, w, g.weights(count)], shape, **pads)
    if g.chance(0.4):
        g.add(g.among(["MaxPool", "AveragePool"]), [y.name], shape, kernel_shape=[3], pads=[1, 1])
