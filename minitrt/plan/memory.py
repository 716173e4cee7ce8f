"""Where activations lie: one arena, in which tensors that are never alive together share bytes.

Largest first, each at the lowest place that is free during its life. A view lies where its source does, and what is
joined without a copy lies inside the result from the start. The lower bound is the largest sum of tensors alive at
once; `Placement.bound_bytes` tells how close the arena comes to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Graph, Op, Value
from minitrt.plugins.exprs import largest_shape

ALIGNMENT = 256


@dataclass(frozen=True)
class Placement:
    """offsets: value -> byte offset in the arena; arena_bytes: its size; bound_bytes: what no placement can beat."""

    offsets: dict[Value, int]
    arena_bytes: int
    bound_bytes: int


@dataclass(frozen=True)
class Life:
    """A tensor that is written by operation `first` and last read by operation `last`; both use it."""

    value: object
    nbytes: int
    first: int
    last: int


def place(graph: Graph, workspace_bytes: list[int] | None = None) -> Placement:
    """Place every value between inputs and outputs, and each operation's workspace (keyed by its index).

    graph: with concrete shapes. Inputs, outputs, constants and host tensors have places of their own.
    """
    lives = lives_of(graph)
    lives += [Life(index, size, index, index) for index, size in enumerate(workspace_bytes or []) if size]
    lives.sort(key=lambda each: (-each.nbytes, each.first))
    first, last = (np.array([getattr(life, name) for life in lives], np.int64) for name in ("first", "last"))
    spans = np.zeros((len(lives), 2), np.int64)
    for index, life in enumerate(lives):
        together = (first[:index] <= life.last) & (life.first <= last[:index])
        spans[index] = lowest(aligned(life.nbytes), sorted(spans[:index][together].tolist()))
    offsets: dict[object, int] = {life.value: start for life, start in zip(lives, spans[:, 0].tolist(), strict=True)}
    arena = int(spans[:, 1].max(initial=0))
    offsets |= {v: offsets[root] + start for v, (root, start) in views_of(graph).items() if root in offsets}
    return Placement(offsets, arena, lower_bound(lives))


def lowest(size: int, busy: list[list[int]]) -> tuple[int, int]:
    """The lowest free place of this size. busy: (start, end) of what is taken, sorted."""
    start = 0
    for low, high in busy:
        if start + size <= low:
            break
        start = max(start, high)
    return start, start + size


def views_of(graph: Graph) -> dict[Value, tuple[Value, int]]:
    """Each value that lies inside another, because the builder marked an operation as a view: (which, byte offset)."""
    inside: dict[Value, tuple[Value, int]] = {}
    for op in graph.ops:
        if op.attrs.get("inside"):
            inside |= {value: (op.output, start) for value, start in pixels_inside(op)}
        elif op.attrs.get("view") and op.kind == "concat":
            start = 0
            for value in op.present:
                inside[value] = op.output, start
                start += value.nbytes
        elif op.attrs.get("view"):
            inside[op.output] = op.inputs[0], 0
    return {value: outermost(value, inside) for value in inside}


def pixels_inside(op: Op) -> Iterator[tuple[Value, int]]:
    """Inputs of a concatenation along channels whose pixels are parts of the result's, and the byte each begins at."""
    item, channel = NUMPY_TYPES[op.output.dtype].itemsize, 0
    for index, value in enumerate(op.present):
        if index in op.attrs["inside"]:
            yield value, channel * item
        channel += value.shape[1]


def outermost(value: Value, inside: dict[Value, tuple[Value, int]]) -> tuple[Value, int]:
    """The value that has a place of its own, and where in it `value` begins."""
    start = 0
    while value in inside:
        value, offset = inside[value]
        start += offset
    return value, start


def lives_of(graph: Graph) -> list[Life]:
    """How long each value between inputs and outputs is needed, views counted as what they are views of."""
    outside = {*graph.inputs, *graph.outputs}
    roots = {value: root for value, (root, _) in views_of(graph).items()}
    first: dict[Value, int] = {}
    last: dict[Value, int] = {}
    for index, op in enumerate(graph.ops):
        for value in op.outputs:
            first.setdefault(roots.get(value, value), index)
            last[roots.get(value, value)] = index
        for value in op.present:
            last[roots.get(value, value)] = index
    return [
        Life(value, room(value, graph.ops[start]), start, last[value])
        for value, start in first.items()
        if value not in outside and not value.is_constant and not value.host and has_room(value, graph.ops[start])
    ]


def has_room(value: Value, maker: Op) -> bool:
    """Whether a value's bytes are known before it is made; one without stays in host memory."""
    return -1 not in value.shape or maker.kind == "plugin"


def room(value: Value, maker: Op) -> int:
    """Bytes of a value; of one whose size its plugin tells when it has run, as many as it can be."""
    return value.like(value.name, shape=largest_shape(maker, value)).nbytes if -1 in value.shape else value.nbytes


def lower_bound(lives: list[Life]) -> int:
    """The largest number of bytes alive at one operation."""
    change: dict[int, int] = {}
    for life in lives:
        change[life.first] = change.get(life.first, 0) + aligned(life.nbytes)
        change[life.last + 1] = change.get(life.last + 1, 0) - aligned(life.nbytes)
    most = now = 0
    for index in sorted(change):
        now += change[index]
        most = max(most, now)
    return most


def aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT
