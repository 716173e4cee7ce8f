"""A graph of open sizes with some sizes put in: rules about where elements go are tried on such copies.

Sizes that mean the same must be equal for the copies to exist, and nothing says which do. So the outermost axis, which
is the batch, has one size, and all other open axes another; two probes tell what holds for one size alone from a rule.
What holds up to some size only, as a cut to at most 500, they do not tell: so what is tried must be `steady`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from minitrt.graph.ir import Graph, Op, Value
from minitrt.shapes.choices import depends_on_choice
from minitrt.shapes.dims import is_open
from minitrt.shapes.misfits import UnknownShape
from minitrt.shapes.settling import settle
from minitrt.shapes.size import Size
from minitrt.shapes.specialisation import specialised

# Of the outermost axis, and of the others; the smaller ones for networks with tables, or masks, of few elements.
SIZES = ((2, 48), (3, 96), (3, 24), (2, 12), (3, 8), (2, 3))
WANTED = 2


def dimension(value: Value, axis: int) -> Any:
    """A dimension as a number or an expression; one that equals nothing where it is open and has none."""
    n = value.shape[axis] if value.sizes is None else value.sizes[axis]
    return n if not isinstance(n, int) or n != -1 else float("nan")


def steady(move: Op) -> bool:
    """Whether an operation that moves elements does for every size what it does for one: its dimensions are products
    and sums, and open ones are not cut."""
    values = (*move.inputs[:1], *move.outputs)
    if not any(-1 in value.shape for value in values):
        return True
    if any(value.sizes is None for value in values):
        return False
    x, y = (value.sizes for value in values)
    if move.kind == "slice":
        return all(one == two for one, two in zip(x, y, strict=True) if is_open(one, two))
    return not any(isinstance(n, Size) and depends_on_choice(n) for n in y)


class Probe:
    """One copy. values, ops: what stands for each value and operation of the graph."""

    def __init__(self, graph: Graph, outermost: int, other: int):
        self.values: dict[Value, Value] = {}
        self.ops: dict[Op, Op] = {}
        for value in graph.inputs:
            sizes = (outermost, *[other] * len(value.shape))
            shape = tuple(n if n != -1 else size for n, size in zip(value.shape, sizes, strict=False))
            self.values[value] = value.like(value.name, shape=shape, host=value.host)
        for op in graph.ops:
            self.ops[op] = specialised(op, self.values)

    def shape(self, value: Value) -> tuple[int, ...]:
        """With -1 where only running the network would tell."""
        return self.values[value].shape if value in self.values else value.shape

    def op(self, op: Op) -> Op:
        """A copy, settled unless only running the network would tell its attributes."""
        return self.ops.get(op) or op


class Fixed:
    """A graph that has its sizes already."""

    def shape(self, value: Value) -> tuple[int, ...]:
        return value.shape

    def op(self, op: Op) -> Op:
        try:
            return settle(op)
        except UnknownShape:
            return op


class Probes:
    """The probes of a graph, made when they are first asked for; none where the sizes put in do not go together."""

    def __init__(self, graph: Graph):
        self.graph = graph

    @cached_property
    def all(self) -> list[Probe | Fixed]:
        if not any(-1 in value.shape for value in self.graph.inputs):
            return [Fixed()]
        self.graph.sort()
        found: list[Probe | Fixed] = []
        for sizes in SIZES:
            try:
                found += [Probe(self.graph, *sizes)] if len(found) < WANTED else []
            except (ValueError, NotImplementedError):
                continue
        return found if len(found) == WANTED else []
