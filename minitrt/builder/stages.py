"""What a graph is after each pass, as plain data: for who wants to see how an engine came about."""

from __future__ import annotations

import json
from typing import Any

from minitrt.graph.ir import Graph, Op, Value
from minitrt.network.definition import INetworkDefinition

LONGEST = 160  # characters of an attribute


class Stages:
    """Taken while a graph is optimised. nodes: every operation that there was, once; stages: names, and which nodes."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.stages: list[dict[str, Any]] = []
        self.numbers: dict[str, int] = {}
        self.last = "the network"

    def before(self, name: str, graph: Graph) -> None:
        """What the pass before this one has left."""
        self.after(graph)
        self.last = name

    def after(self, graph: Graph) -> None:
        """What the last pass has left; nothing where it changed nothing."""
        numbers = [self.number(described(op)) for op in graph.ops]
        if not self.stages or self.stages[-1]["nodes"] != numbers:
            self.stages.append({"name": self.last, "nodes": numbers})

    def number(self, node: dict[str, Any]) -> int:
        key = json.dumps(node, sort_keys=True)
        if key not in self.numbers:
            self.numbers[key] = len(self.nodes)
            self.nodes.append(node)
        return self.numbers[key]


class Unwatched:
    """Where nobody wants to see stages."""

    def before(self, name: str, graph: Graph) -> None:
        pass

    def after(self, graph: Graph) -> None:
        pass


def described(op: Op) -> dict[str, Any]:
    """An operation: values by name, outputs and weights with type and shape."""
    return {
        "name": op.name,
        "kind": op.kind,
        "in": [value.name for value in op.present if not value.is_constant],
        "out": [tensor(value) for value in op.outputs],
        "reads": [value.dtype.name for value in op.present if not value.is_constant],
        "weights": [tensor(value) for value in op.present if value.is_constant],
        "attrs": [f"{key} = {short(value)}" for key, value in sorted(op.attrs.items()) if value not in (None, [], {})],
        "origin": op.origin,
    }


def tensor(value: Value) -> list[Any]:
    """Name, type, shape."""
    sizes = value.sizes or value.shape or ()
    return [value.name, value.dtype.name, [n if isinstance(n, int) else str(n) for n in sizes]]


def short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def keep_debug_tensors(graph: Graph, network: INetworkDefinition) -> None:
    """Values that a debug listener wants to see survive the passes."""
    names = {tensor.name for tensor in network._debug}
    graph.kept = [value for value in graph.values() if value.name in names]
