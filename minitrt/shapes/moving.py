"""Shapes of operations that move, choose or order elements: run on stand-ins they would take memory for every one."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op

Shape = tuple[int, ...]
Result = tuple[Shape, DataType]


def type_of(op: Op) -> DataType:
    """The type of what is moved: a quantised result has its own."""
    return op.output.dtype if op.output.scale is not None else op.inputs[0].dtype


def concat(op: Op) -> list[Result]:
    shapes, axis = [list(value.shape) for value in op.inputs], op.attrs["axis"]
    sizes = [shape.pop(axis) for shape in shapes]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError(f"they must agree but for axis {axis}")
    axis %= len(op.inputs[0].shape)
    return [((*shapes[0][:axis], sum(sizes), *shapes[0][axis:]), type_of(op))]


def arg(op: Op) -> list[Result]:
    x, axis = op.inputs[0].shape, op.attrs.get("axis", 0)
    axis = range(len(x))[axis]
    kept = (1,) if op.attrs.get("keep_dims", True) else ()
    return [((*x[:axis], *kept, *x[axis + 1 :]), DataType.INT64)]


def topk(op: Op) -> list[Result]:
    x, k = list(op.inputs[0].shape), int(op.attrs["k"])
    axis = range(len(x))[op.attrs.get("axis", -1)]
    if not 0 <= k <= x[axis]:
        raise ValueError(f"the {k} largest of {x[axis]}")
    x[axis] = k
    return [(tuple(x), op.output.dtype), (tuple(x), DataType.INT64)]


def moved(op: Op) -> list[Result]:
    """As large as the input."""
    return [(tuple(op.inputs[0].shape), type_of(op))]


def expand(op: Op) -> list[Result]:
    return [(np.broadcast_shapes(op.inputs[0].shape, tuple(int(n) for n in op.attrs["shape"])), type_of(op))]


def tile(op: Op) -> list[Result]:
    x, repeats = op.inputs[0].shape, [int(n) for n in op.attrs["repeats"]]
    rank = max(len(x), len(repeats))
    x, repeats = (1,) * (rank - len(x)) + tuple(x), [1] * (rank - len(repeats)) + repeats
    return [(tuple(n * r for n, r in zip(x, repeats, strict=True)), type_of(op))]
