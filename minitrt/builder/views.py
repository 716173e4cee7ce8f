"""Which operations may be views, whose results are their inputs' bytes, and which became one."""

from __future__ import annotations

from minitrt.builder.select import Timed
from minitrt.graph.ir import Graph, Op
from minitrt.tactics.contract import VIEW, Tactic


def without_places(concrete: Graph, graph: Graph) -> set[Op]:
    """Operations that cannot be views: an end has a place of its own, or sizes past the batch are not fixed."""
    open_sizes = {op.name for op in graph.ops if any(-1 in value.shape[1:] for value in (*op.present, *op.outputs))}
    outside = {*concrete.inputs, *concrete.outputs}
    return {
        op
        for op in concrete.ops
        if op.name in open_sizes or any(v in outside or v.is_constant or v.host for v in (*op.present, *op.outputs))
    }


def without_views(timed: Timed, plain: bool) -> Timed:
    """The tactics of an operation; without those that move nothing where it cannot be a view."""
    return [pair for pair in timed if not pair[1].name.startswith(VIEW)] if plain else timed


def mark_views(graph: Graph, chosen: dict[str, Tactic]) -> None:
    """Say on each operation that runs as a view that it does, for memory planning."""
    for op in graph.ops:
        if op.name in chosen and chosen[op.name].name.startswith(VIEW):
            op.attrs = {**op.attrs, "view": True}
