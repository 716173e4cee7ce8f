"""Which operations may be views, whose results are their inputs' bytes, and which became one."""

from __future__ import annotations

from minitrt.builder.select import Timed
from minitrt.graph.ir import Graph, Op, Value
from minitrt.tactics.contract import VIEW, Tactic


def without_places(concrete: Graph, graph: Graph) -> set[Op]:
    """Operations that cannot be views: an end has a place of its own, or sizes past the batch (of a concatenation: any
    size) are not fixed."""
    open_sizes = {op.name for op in graph.ops if any(-1 in value.shape[1:] for value in (*op.present, *op.outputs))}
    outside = {*concrete.inputs, *concrete.outputs}
    found = {
        op
        for op in concrete.ops
        if op.name in open_sizes or any(v in outside or v.is_constant or v.host for v in (*op.present, *op.outputs))
    }
    dynamic = {op.name for op in graph.ops if any(-1 in value.shape for value in op.present)}
    makers, readers = concrete.producers(), concrete.users()
    for op in concrete.ops:
        if op.kind == "concat" and (op.name in dynamic or not all(movable(v, op, makers, readers) for v in op.present)):
            found.add(op)
    return found


def movable(value: Value, concat: Op, makers: dict[Value, Op], readers: dict[Value, list[Op]]) -> bool:
    """Whether an input of a concatenation may be made inside the result: it lies in no other place already."""
    maker = makers.get(value)
    twice = concat.inputs.count(value) > 1 or sum(op.kind == "concat" for op in readers[value]) > 1
    return maker is not None and maker.kind not in ("shuffle", "concat") and not twice


def without_views(timed: Timed, plain: bool) -> Timed:
    """The tactics of an operation; without those that move nothing where it cannot be a view."""
    return [pair for pair in timed if not pair[1].name.startswith(VIEW)] if plain else timed


def mark_views(graph: Graph, chosen: dict[str, Tactic]) -> None:
    """Say on each operation that runs as a view that it does, for memory planning."""
    for op in graph.ops:
        if op.name in chosen and chosen[op.name].name.startswith(VIEW):
            op.attrs = {**op.attrs, "view": True}
