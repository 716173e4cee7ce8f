"""A graph inside an operation, as a loop has one: plain data, as attributes must be. Its constants become inputs."""

from __future__ import annotations

from typing import Any

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value


def as_body(graph: Graph) -> tuple[dict[str, Any], list[Value]]:
    """The graph as plain data, and the constants that it expects behind its inputs."""
    constants = graph.constants()
    values = graph.values()
    number = {value: index for index, value in enumerate(values)}

    def numbers(some: list) -> list[int | None]:
        return [None if value is None else number[value] for value in some]

    body = {
        "values": [[value.name, value.dtype.name, list(value.shape)] for value in values],
        "ops": [[op.kind, op.name, numbers(op.inputs), numbers(op.outputs), op.attrs] for op in graph.ops],
        "inputs": numbers([*graph.inputs, *constants]),
        "outputs": numbers(graph.outputs),
    }
    return body, constants


def graph_of(body: dict[str, Any]) -> Graph:
    """The graph again; what were constants are inputs."""
    values = [Value(name, DataType[dtype], tuple(shape)) for name, dtype, shape in body["values"]]

    def some(numbers: list[int | None]) -> list[Value | None]:
        return [None if number is None else values[number] for number in numbers]

    ops = [Op(kind, name, some(ins), some(outs), attrs) for kind, name, ins, outs, attrs in body["ops"]]
    return Graph("", ops, some(body["inputs"]), some(body["outputs"]))
