"""INT8 tensors that are read, or made, as the integers that they are: a Cast of what Q gives, a product of integers.

An INT8 value with a scale means real numbers to every operation. That is right where Q, DQ and what moves elements
between them is all that touches it, and it has one scale. Around any other tensor Q and DQ are computed in floats, and
it stays the integers that ONNX says.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.passes.editing import Log, constant
from minitrt.passes.qdq import commutes, data_inputs, is_symmetric, scale_of, whole

ENDS = "quantize", "dequantize"


def keep_integers(graph: Graph, log: Log) -> None:
    """Mark what moves with its one scale; write Q and DQ around tensors of integers in floats."""
    users, producers, seen = graph.users(), graph.producers(), set()
    for op in graph:
        if op.kind not in ENDS or not is_symmetric(op):
            continue
        stored = stored_of(op)
        if stored in seen:
            continue
        if stored.is_constant:
            own_constants(graph, stored, users[stored])
            continue
        group = together(stored, users, producers)
        seen.update(group.values)
        if not group.is_real:
            log(f"{stored.name} is read or made as integers: Q and DQ around it are computed in floats")
            for each in group.ends:
                in_floats(graph, each)
        elif len(group.values) > 1:
            for value in group.values:
                value.scale = scale_of(op)


def stored_of(op: Op) -> Value:
    """The INT8 side of a Q or DQ."""
    return op.output if op.kind == "quantize" else op.inputs[0]


def own_constants(graph: Graph, stored: Value, readers: list[Op]) -> None:
    """A constant that others read, too, is copied for those that dequantise it."""
    others = [each for each in readers if each.kind != "dequantize" or not is_symmetric(each)]
    if not others and stored not in graph.outputs:
        return
    for op in (each for each in readers if each not in others):
        op.inputs[0] = stored.like(graph.fresh(stored.name))
        op.inputs[0].data, op.inputs[0].weights = stored.data, stored.weights


class Group:
    """INT8 values between which elements are only moved. ends: the Q and DQ at them; is_real: whether nothing else
    touches them, and they have one scale, as far as elements are moved."""

    def __init__(self, values: set[Value], ends: list[Op], alone: bool):
        self.values, self.ends = values, ends
        scales = {float(scale_of(each)) if whole(each) else None for each in ends}
        self.is_real = alone and (len(values) == 1 or len(scales) == 1 and None not in scales)


def together(first: Value, users: dict[Value, list[Op]], producers: dict[Value, Op]) -> Group:
    """The group of a value."""
    values, ends, alone, waiting = {first}, {}, True, [first]
    while waiting:
        value = waiting.pop()
        for op in [*users.get(value, ()), *([producers[value]] if value in producers else [])]:
            if op.kind in ENDS and is_symmetric(op) and stored_of(op) is value:
                ends[op] = None
            elif moves(op, value):
                new = {each for each in moved(op) if each not in values}
                values |= new
                waiting += new
            elif op.kind != "plugin":
                alone = False
    return Group(values, list(ends), alone)


def moves(op: Op, value: Value) -> bool:
    """Whether an operation only moves the elements of an INT8 value, none of a constant among them."""
    if op.kind == "pointwise" or not commutes(op) or any(each.is_constant for each in moved(op)):
        return False
    places = [place for place, each in enumerate(op.inputs) if each is value]
    return set(places) <= set(data_inputs(op)) and all(each.dtype == DataType.INT8 for each in moved(op))


def moved(op: Op) -> Iterator[Value]:
    yield from (op.inputs[place] for place in data_inputs(op))
    yield op.output


def in_floats(graph: Graph, op: Op) -> None:
    """A Q or DQ as steps on floats that give, or take, integers."""
    x, quantising = op.inputs[0], op.kind == "quantize"
    scale, axis = np.asarray(scale_of(op), np.float32), op.attrs.get("axis") or 0
    shape = [-1 if place == axis and scale.ndim else 1 for place in range(len(x.shape))]
    factor = constant(graph.fresh(f"{op.name}/scale"), scale.reshape(shape if x.shape else ()))
    program = [["cast", ["x0"], "FLOAT"], ["div" if quantising else "mul", ["t0", "x1"], "FLOAT"]]
    if quantising:
        program += [["round", ["t1"], "FLOAT"], ["clip", ["t2", -128.0, 127.0], "FLOAT"]]
    program.append(["cast", [f"t{len(program) - 1}"], op.output.dtype.name])
    op.kind, op.inputs, op.attrs = "pointwise", [x, factor], {"program": program}
