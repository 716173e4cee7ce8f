"""Operators of `drawn_graphs` that hold graphs, or lists of tensors: If, Loop, Scan, sequences; what a run counts."""

from __future__ import annotations

import math

import numpy as np
from onnx import GraphProto, TensorProto, helper

from tests.minitrt.drawn_graphs import LONGEST, OPERATORS, Graph, Tensor, operator
from tests.minitrt.drawn_movements import changed

__all__ = ["OPERATORS"]
FLAT = ["Relu", "Tanh", "Abs", "Neg", "Sigmoid", "Softplus"]


def body(g: Graph, nodes: list, inputs: list, outputs: list) -> GraphProto:
    """A subgraph; inputs and outputs: (name, ONNX type, shape)."""
    ends = [[helper.make_tensor_value_info(*each) for each in some] for some in (inputs, outputs)]
    return helper.make_graph(nodes, f"body_{len(g.nodes)}", *ends)


@operator
def branched(g: Graph, x: Tensor) -> None:
    """Of two branches that read what is around them, the one that a sum decides on; both give one shape."""
    (total,) = g.node("ReduceSum", [x.name], keepdims=0)
    (holds,) = g.node("Greater", [total, g.constant(np.float32(g.among([0, 0.7])))])
    other, name, branches = g.tensor(lambda shape: shape == x.shape), f"if_{len(g.nodes)}", {}
    g.read.add(other.name)
    for which in ("then", "else"):
        nodes = [helper.make_node(g.among(FLAT), [g.among([x, other]).name], [f"{name}.{which}.a"])]
        nodes += [helper.make_node(g.among(["Add", "Mul"]), [f"{name}.{which}.a", x.name], [f"{name}.{which}"])]
        branches[f"{which}_branch"] = body(g, nodes, [], [(f"{name}.{which}", TensorProto.FLOAT, x.shape)])
    g.add("If", [holds], x.shape, **branches)


@operator
def looped(g: Graph, x: Tensor) -> None:
    """Some steps, of a number that is known or that a run decides, whose states are carried on and stacked."""
    name, count, known = f"loop_{len(g.nodes)}", g.between(1, 4), g.chance(0.5)
    if math.prod(x.shape) * count > LONGEST:
        return
    trips = g.constant(np.int64(count))
    if not known:
        (one,) = g.node("Size", [x.name])
        (zero,) = g.node("Sub", [one, one])
        (trips,) = g.node("Add", [zero, trips])
    step, going, state, made = (f"{name}.{each}" for each in ("step", "going", "state", "made"))
    real, on = f"{name}.real", f"{name}.on"
    nodes = [helper.make_node("Cast", [step], [real], to=TensorProto.FLOAT)]
    nodes += [helper.make_node(g.among(FLAT), [state], [f"{name}.flat"])]
    nodes += [helper.make_node("Sub", [f"{name}.flat", real], [made]), helper.make_node("Identity", [going], [on])]
    nodes += [helper.make_node("Add", [made, x.name], [f"{name}.row"])]
    inputs = [(step, TensorProto.INT64, []), (going, TensorProto.BOOL, []), (state, TensorProto.FLOAT, x.shape)]
    outputs = [(on, TensorProto.BOOL, []), *((each, TensorProto.FLOAT, x.shape) for each in (made, f"{name}.row"))]
    last, rows = g.node("Loop", [trips, "", x.name], 2, body=body(g, nodes, inputs, outputs))
    g.keep(last, x.shape)
    if known and len(x.shape) < 5:
        g.keep(rows, (count, *x.shape))


@operator
def scanned(g: Graph, x: Tensor) -> None:
    """Running sums along an axis, from either end."""
    if len(x.shape) < 2:
        return
    axis, name = g.between(0, len(x.shape) - 1), f"scan_{len(g.nodes)}"
    row = tuple(size for place, size in enumerate(x.shape) if place != axis)
    start = g.add("ReduceMax", [x.name, g.integers(axis)], row, keepdims=0)
    nodes = [helper.make_node("Sub", [f"{name}.row", f"{name}.state"], [f"{name}.next"])]
    nodes += [helper.make_node("Tanh", [f"{name}.next"], [f"{name}.out"])]
    ends = [
        [(f"{name}.{each}", TensorProto.FLOAT, row) for each in some] for some in (("state", "row"), ("next", "out"))
    ]
    ways = {f"scan_{which}_directions": [g.between(0, 1)] for which in ("input", "output")}
    axes = {f"scan_{which}_axes": [axis] for which in ("input", "output")}
    last, rows = g.node("Scan", [start.name, x.name], 2, body=body(g, nodes, *ends), num_scan_inputs=1, **ways, **axes)
    g.keep(last, row)
    g.keep(rows, x.shape)


@operator
def listed(g: Graph, x: Tensor) -> None:
    """A sequence that is made, changed and joined."""
    axis, place = g.between(0, len(x.shape) - 1), g.between(-2, 2)
    some = [g.tensor(lambda shape: shape == x.shape).name for _ in range(2)]
    (items,) = g.node("SequenceConstruct", some)
    (items,) = g.node("SequenceInsert", [items, x.name, g.constant(np.int64(place))])
    if g.chance(0.5):
        (items,) = g.node("SequenceErase", [items, g.constant(np.int64(g.between(-3, 2)))])
        count = 2
    else:
        count = 3
    if g.chance(0.3):
        g.add("SequenceAt", [items, g.constant(np.int64(g.between(-count, count - 1)))], x.shape)
    elif g.chance(0.5) and len(x.shape) < 5:
        shape = (*x.shape[:axis], count, *x.shape[axis:])
        g.add("ConcatFromSequence", [items], shape, axis=axis, new_axis=1)
    elif math.prod(x.shape) * count <= LONGEST:
        g.add("ConcatFromSequence", [items], changed(x, axis, count * x.shape[axis]), axis=axis)


@operator
def taken_apart(g: Graph, x: Tensor) -> None:
    """Parts of equal size but for the last, of which one is taken, or all in another order."""
    axis = g.between(0, len(x.shape) - 1)
    size = g.between(1, max(x.shape[axis], 1))
    count = math.ceil(x.shape[axis] / size)
    (items,) = g.node("SplitToSequence", [x.name, g.constant(np.int64(size))], axis=axis)
    place = g.between(0, count - 1)
    (one,) = g.node("SequenceAt", [items, g.constant(np.int64(place))])
    part = g.keep(one, changed(x, axis, min(size, x.shape[axis] - place * size)))
    g.add("Concat", [x.name, part.name], changed(x, axis, x.shape[axis] + part.shape[axis]), axis=axis)


@operator
def counted(g: Graph, x: Tensor) -> None:
    """What is left where a condition holds, as many as a run says: of all, a sum, or the largest."""
    (holds,) = g.node("Greater", [x.name, g.constant(np.float32(0.2))])
    kind = g.among(["NonZero", "Compress", "Unique", "Where"])
    if kind == "NonZero":
        (places,) = g.node("NonZero", [holds])
        (found,) = g.node("GatherND", [x.name, g.node("Transpose", [places], perm=[1, 0])[0]])
    elif kind == "Compress":
        (found,) = g.node("Compress", [x.name, g.node("Reshape", [holds, g.integers(-1)])[0]])
    elif kind == "Unique":
        (found,) = g.node("Unique", [x.name], sorted=1)
    else:
        (found,) = g.node("Where", [holds, x.name, g.constant(np.float32(0))])
        (found,) = g.node("Reshape", [found, g.integers(-1)])
    how = "ReduceMax" if kind == "Unique" else "ReduceSum"  # equal but for rounding, there may be one or two of them
    g.add(how, [found, g.integers(0)], (1,), keepdims=1)


@operator
def picked_by_element(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape) - 1)
    index = g.rng.integers(-x.shape[axis], x.shape[axis], x.shape).astype(np.int64)
    if g.chance(0.5):
        g.add("GatherElements", [x.name, g.constant(index)], x.shape, axis=axis)
    else:
        other = g.tensor(lambda shape: shape == x.shape).name
        reduction = g.among(["add", "mul", "max", "min"])
        g.add("ScatterElements", [x.name, g.constant(index), other], x.shape, axis=axis, reduction=reduction)


@operator
def one_side_of_a_diagonal(g: Graph, x: Tensor) -> None:
    if len(x.shape) > 1:
        g.add("Trilu", [x.name, g.constant(np.int64(g.between(-2, 2)))], x.shape, upper=g.between(0, 1))


@operator
def reversed_by_lengths(g: Graph, x: Tensor) -> None:
    if len(x.shape) > 1:
        lengths = g.constant(g.rng.integers(1, x.shape[1] + 1, x.shape[0]).astype(np.int64))
        g.add("ReverseSequence", [x.name, lengths], x.shape, batch_axis=0, time_axis=1)


@operator
def logic(g: Graph, x: Tensor) -> None:
    """Conditions of conditions, as numbers."""
    one, two = (g.node(g.among(["Greater", "Less"]), [x.name, g.constant(np.float32(n))])[0] for n in (0.1, -0.3))
    (both,) = g.node(g.among(["And", "Or", "Xor", "Equal"]), [one, g.node("Not", [two])[0]])
    (real,) = g.node("Cast", [both], to=TensorProto.FLOAT)
    g.add("Mul", [real, x.name], x.shape)
