"""Which operations may be views, whose results are their inputs' bytes, and which became one."""

from __future__ import annotations

from minitrt.builder.select import Timed
from minitrt.graph.ir import Graph, Op, Value
from minitrt.tactics.contract import VIEW, Launch, Tactic

CHANNELS = "plain_concat_nhwc16"  # the tactic that copies pixels of each input into the result's


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


def lay_side_by_side(graph: Graph, chosen: dict[str, Tactic]) -> None:
    """Let who makes an input of a concatenation of channels write its pixels into the result's, where its kernel can.

    The input must be read by nobody else. Which inputs lie inside is said on the operation, and what is left is copied.
    """
    makers, readers = graph.producers(), graph.users()
    outside = {*graph.outputs, *graph.kept}
    for op in graph.ops:
        if op.kind != "concat" or op.name not in chosen or chosen[op.name].name != CHANNELS or op.output in outside:
            continue
        inside = []
        for index, value in enumerate(op.inputs):
            maker = makers.get(value)
            alone = readers[value] == [op] and op.inputs.count(value) == 1 and value not in outside
            able = maker is not None and maker.name in chosen and chosen[maker.name].notes.get("pitched")
            if alone and able and not maker.attrs.get("pool") and len(maker.outputs) == 1:
                value.pitch = op.output.shape[1]
                inside.append(index)
        op.attrs = {**op.attrs, "inside": inside} if inside else op.attrs


def mark_views(graph: Graph, chosen: dict[str, Tactic]) -> None:
    """Say on each operation that runs as a view that it does, for memory planning."""
    for op in graph.ops:
        if op.name in chosen and chosen[op.name].name.startswith(VIEW):
            op.attrs = {**op.attrs, "view": True}
    lay_side_by_side(graph, chosen)


def name_of(op: Op, tactic: Tactic, launches: list[Launch]) -> str:
    """The tactic's name; a concatenation all of whose inputs lie in the result's pixels is a view, too."""
    return f"{VIEW}_pixels" if op.attrs.get("inside") and not launches else tactic.name
