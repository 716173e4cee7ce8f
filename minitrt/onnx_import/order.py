"""A model's nodes: their names, those inside of them, and an order in which each finds what it reads."""

from __future__ import annotations

from collections.abc import Iterator

import onnx


def with_inner_nodes(proto: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
    """A node, and those of the subgraphs that it holds."""
    yield proto
    for attribute in proto.attribute:
        for graph in (attribute.g, *attribute.graphs):
            for inner in graph.node:
                yield from with_inner_nodes(inner)


def in_order(graph: onnx.GraphProto) -> Iterator[tuple[int, onnx.NodeProto]]:
    """Nodes with their places in the model, each behind those that make what it reads, whatever order they stand in."""
    made_by = {name: index for index, proto in enumerate(graph.node) for name in proto.output if name}
    seen: set[int] = set()
    done: set[int] = set()
    for start in range(len(graph.node)):
        stack = [start]
        while stack:
            index = stack[-1]
            waits = [] if index in seen else sorted(needed(graph.node[index], made_by) - seen - {index})
            seen.add(index)
            if waits:
                stack.extend(reversed(waits))
                continue
            stack.pop()
            if index not in done:
                done.add(index)
                yield index, graph.node[index]


def needed(proto: onnx.NodeProto, made_by: dict[str, int]) -> set[int]:
    """The nodes that make what a node reads, and those of its subgraphs."""
    return {made_by[name] for each in with_inner_nodes(proto) for name in each.input if name in made_by}


def names_read(graph: onnx.GraphProto) -> set[str]:
    """What its nodes and those of their subgraphs read, and what it hands out."""
    given = {value.name for value in graph.output}
    for proto in graph.node:
        for each in with_inner_nodes(proto):
            given.update(each.input)
            given.update(value.name for held in each.attribute for g in (held.g, *held.graphs) for value in g.output)
    return given


def node_name(proto: onnx.NodeProto, index: int) -> str:
    return proto.name or f"{proto.op_type}_{index}"
