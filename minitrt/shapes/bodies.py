"""Operations that hold graphs, which are run as they are met, with NumPy: what a run's data decide, and nobody before.

loop: inputs how often at most (or None), whether to begin (or None), what is carried on, and what the body reads
    besides. attributes carried: how many are carried on; body: a graph of the step's number, a BOOL, and the inputs
    from 2 on, which gives whether to go on, what is carried on, and what is stacked.
branch: inputs a condition, and what the branches read. attributes yes, no: a graph of inputs, and which they are.

Both: dims: for each output its sizes, a number, [input, axis] for another tensor's, or None for what only running
tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.bodies import graph_of
from minitrt.graph.ir import NUMPY_TYPES, Graph, Op
from minitrt.reference.registry import evaluates, run_op
from minitrt.shapes.dims import Shape
from minitrt.shapes.misfits import UnknownShape
from minitrt.shapes.settling import settle
from minitrt.shapes.size import unknown

KINDS = ("loop", "branch")
FIRST = 2  # of a loop's inputs: what is carried on


def sizes(op: Op) -> list[tuple[Shape, DataType]]:
    """The rule of shapes. Raises: UnknownShape where only running tells."""
    if any(n is None for dims in op.attrs["dims"] for n in dims):
        raise UnknownShape(op.name, "what it computes")
    return [(shape_of(op, dims), value.dtype) for dims, value in zip(op.attrs["dims"], op.outputs, strict=True)]


def shape_of(op: Op, dims: list[Any]) -> Shape:
    """The sizes of an output; what only running tells is unknown."""
    return tuple(unknown() if n is None else n if isinstance(n, int) else op.inputs[n[0]].shape[n[1]] for n in dims)


@evaluates("loop", stored=True)
def loop(op: Op, most: np.ndarray | None, begins: np.ndarray | None, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """What is carried on at last, and the steps' values stacked."""
    count, graph = op.attrs["carried"], graph_of(op.attrs["body"])
    carried, rest = list(arrays[:count]), arrays[count:]
    stacked: list[list[np.ndarray]] = [[] for _ in op.outputs[count:]]
    goes_on, step = begins is None or bool(np.all(begins)), 0
    number, condition = (value.shape for value in graph.inputs[:2])
    while goes_on and (most is None or step < np.ravel(most)[0]):
        more, *results = computed(graph, [np.full(number, step), np.full(condition, True), *carried, *rest])
        goes_on, step, carried = bool(np.all(more)), step + 1, results[:count]
        for values, value in zip(stacked, results[count:], strict=True):
            values.append(value)
    empty = [np.zeros(without_steps(op, place, arrays), NUMPY_TYPES[op.outputs[place].dtype])
             for place in range(count, len(op.outputs))]  # fmt: skip
    return (*carried, *(np.stack(values) if values else none for values, none in zip(stacked, empty, strict=True)))


def without_steps(op: Op, place: int, arrays: tuple[np.ndarray, ...]) -> tuple[int, ...]:
    """The shape of what no step has stacked; 0 for sizes that a step would have told."""
    dims = op.attrs["dims"][place][1:]
    return (0, *(n if isinstance(n, int) else 0 if n is None else arrays[n[0] - FIRST].shape[n[1]] for n in dims))


@evaluates("branch", stored=True)
def branch(op: Op, condition: np.ndarray, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """The outputs of the graph that the condition chooses."""
    chosen = op.attrs["yes" if np.all(condition) else "no"]
    return tuple(computed(graph_of(chosen["graph"]), [arrays[place - 1] for place in chosen["inputs"]]))


def computed(graph: Graph, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """A graph's outputs for these inputs. Raises: ValueError where shapes do not fit."""
    arrays = dict(zip(graph.inputs, inputs, strict=True))
    for op in graph.ops:
        ins = [None if value is None else arrays[value] for value in op.inputs]
        arrays.update(zip(op.outputs, run_op(settled(op, ins), ins), strict=False))
    return [arrays[value] for value in graph.outputs]


def settled(op: Op, arrays: list[np.ndarray | None]) -> Op:
    """The operation with the actual shapes and, where it needs them, elements put in."""
    values = [
        None if value is None else value if value.is_constant else value.like(value.name, shape=array.shape, data=array)
        for value, array in zip(op.inputs, arrays, strict=True)
    ]
    return settle(Op(op.kind, op.name, values, op.outputs, op.attrs, op.origin))
