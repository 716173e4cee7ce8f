"""A graph of open sizes with some sizes put in: rules about where elements go are tried on such copies.

Sizes that mean the same must be equal for the copies to exist, and nothing says which do. So the outermost axis, which
is the batch, has one size, and all other open axes another; two probes tell what holds for one size alone from a rule.
"""

from __future__ import annotations

from functools import cached_property

from minitrt.graph.ir import Graph, Op, Value
from minitrt.shapes.settling import UnknownShape, settle
from minitrt.shapes.specialisation import specialised

# Of the outermost axis, and of the others; the smaller ones for networks with tables, or masks, of few elements.
SIZES = ((2, 48), (3, 96), (3, 24), (2, 12), (3, 8), (2, 3))
WANTED = 2


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
