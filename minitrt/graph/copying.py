"""Copies of graphs: new values and operations, the same constants."""

from __future__ import annotations

import copy

from minitrt.graph.ir import Graph, Op, Value


def copy_graph(graph: Graph) -> Graph:
    """A graph that can be changed without changing `graph`. Arrays are shared."""
    made: dict[Value, Value] = {}
    for value in [*graph.values(), *graph.kept]:
        if value not in made:
            made[value] = copy.copy(value)
    ops = []
    for op in graph.ops:
        inputs = [None if value is None else made[value] for value in op.inputs]
        outputs = [made[value] for value in op.outputs]
        ops.append(Op(op.kind, op.name, inputs, outputs, copy.deepcopy(op.attrs), list(op.origin)))
    result = Graph(graph.name, ops, [made[v] for v in graph.inputs], [made[v] for v in graph.outputs])
    result.equal = graph.equal
    result.kept = [made[value] for value in graph.kept]
    return result
