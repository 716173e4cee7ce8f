"""Which operations may be views, whose results are their inputs' bytes, and which became one."""

from __future__ import annotations

from collections.abc import Iterator

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


def moves(tactic: Tactic) -> bool:
    """Whether a tactic is none of those that move nothing."""
    return not tactic.name.startswith(VIEW)


def lay_side_by_side(graph: Graph, chosen: dict[str, Tactic]) -> None:
    """Let who makes an input of a concatenation of channels write its pixels into the result's, where its kernel can.

    The input must be read by nobody else. Which inputs lie inside is said on the operation, and what is left is copied.
    """
    for op, makers in makers_alone(graph):
        if op.name not in chosen or chosen[op.name].name != CHANNELS:
            continue
        inside = [
            index for index, maker in makers.items() if maker.name in chosen and chosen[maker.name].notes.get("pitched")
        ]
        for index in inside:
            op.inputs[index].pitch = op.output.shape[1]
        op.attrs = {**op.attrs, "inside": inside} if inside else op.attrs


def makers_alone(graph: Graph) -> Iterator[tuple[Op, dict[int, Op]]]:
    """Each concatenation whose result has its place in the arena, with the makers of those inputs (by index) that
    nobody else reads, where they make nothing else."""
    makers, readers = graph.producers(), graph.users()
    outside = {*graph.outputs, *graph.kept}
    for op in graph.ops:
        if op.kind != "concat" or op.output in outside:
            continue
        found = {index: makers.get(value) for index, value in enumerate(op.inputs)}
        yield op, {
            index: maker
            for index, maker in found.items()
            if maker is not None and not maker.attrs.get("pool") and len(maker.outputs) == 1
            and readers[maker.output] == [op] and op.inputs.count(maker.output) == 1 and maker.output not in outside
        }  # fmt: skip


def without_saved_copies(graph: Graph, timed: list[Timed]) -> list[Timed]:
    """The tactics of each operation, where joins of channels take the time of those copies alone that are left: of
    inputs that some tactic of their maker would not write into the joint pixels."""
    found = dict(zip(graph.ops, timed, strict=True))
    for op, makers in makers_alone(graph):
        saved = sum(
            op.inputs[index].nbytes
            for index, maker in makers.items()
            if all(tactic.notes.get("pitched") for _, tactic in found[maker])
        )
        left = 1 - saved / max(sum(value.nbytes for value in op.inputs), 1)
        cheaper = [(time * left if tactic.name == CHANNELS else time, tactic) for time, tactic in found[op]]
        found[op] = sorted(cheaper, key=lambda pair: (pair[0], pair[1].id))
    return list(found.values())


def mark_views(graph: Graph, chosen: dict[str, Tactic]) -> None:
    """Say on each operation that runs as a view that it does, for memory planning."""
    for op in graph.ops:
        if op.name in chosen and chosen[op.name].name.startswith(VIEW):
            op.attrs = {**op.attrs, "view": True}
    lay_side_by_side(graph, chosen)


def name_of(op: Op, tactic: Tactic, launches: list[Launch]) -> str:
    """The tactic's name; a concatenation all of whose inputs lie in the result's pixels is a view, too."""
    return f"{VIEW}_pixels" if op.attrs.get("inside") and not launches else tactic.name
