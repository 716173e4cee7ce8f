"""Fusions that depend on shapes and device, and so wait for the profile: what convolutions take over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from minitrt.graph import quantised
from minitrt.graph.copying import copy_graph
from minitrt.graph.ir import Graph, Op
from minitrt.graph.recipe import settle_recipes
from minitrt.graph.shortcut import joined
from minitrt.graph.tail import chained
from minitrt.passes import pooled, quantising, shortcuts, tails
from minitrt.passes.editing import Editor, Log

# who could become one operation, that one, and making it so; each step meets what the one before made
STEPS = (
    (pooled.pairs, pooled.joined, pooled.fuse_pools),
    (quantising.pairs, quantised.joined, quantising.fuse_quantisers),
    (shortcuts.pairs, joined, shortcuts.fuse_shortcuts),
    (tails.pairs, chained, tails.fuse_tails),
)


class Measures(Protocol):
    """What measures operations: the build."""

    def prepare(self, ops: Sequence[Op]) -> None:
        """Compile what these will need, side by side."""

    def best_us(self, op: Op) -> float:
        """Microseconds of the fastest kernel."""

    def taken(self, op: Op) -> bool:
        """Whether it stays as it is, for a reader's tactic."""


def possible(concrete: Graph, taken: Callable[[Op], bool]) -> list[Op]:
    """The operations of a graph, and those that its fusions would make of them one after the other: what a build may
    have to time. Compiled at once they keep every core at work; asked for step by step, each step would wait for its
    last kernel, and start its processes anew. taken: whether an operation stays as it is."""
    graph, found = copy_graph(concrete), list(concrete.ops)
    for pairs, join, fuse in STEPS:
        found += [join(*pair) for pair in pairs(Editor(graph, _silent)) if not any(map(taken, pair))]
        fuse(graph, _silent, lambda *pair: not any(map(taken, pair)))
    return found


def _silent(message: str) -> None:
    """Nothing is fused yet."""


def fuse_every_pool(graph: Graph, log: Log, taken: Collection[str]) -> None:
    """Let convolutions take over the pools behind them, as the reference backend can, but for those of these names."""
    pooled.fuse_pools(graph, log, lambda conv, pool: not {conv.name, pool.name} & set(taken))


def fuse_where_faster(graph: Graph, concrete: Graph, times: Measures, log: Log, sizes: Callable[[], Graph]) -> Graph:
    """Let convolutions take over what is around them where that is faster. concrete, and the result: the graph with
    shapes put in; sizes: puts them in."""
    settle_recipes(graph.constants())  # every tactic asks for them
    times.prepare(possible(concrete, times.taken))
    for step in STEPS:
        if _fuse_faster(*step, graph, concrete, times, log):
            concrete = sizes()
    return concrete


def _fuse_faster(pairs, join, fuse, graph: Graph, concrete: Graph, times: Measures, log: Log) -> bool:
    """pairs(editor): who could become one operation; join(*pair): that one; fuse(graph, log, wanted): make it so."""
    found = [pair for pair in pairs(Editor(concrete, log)) if not any(times.taken(op) for op in pair)]
    names = faster(found, [join(*pair) for pair in found], concrete, times, log)
    fuse(graph, log, lambda *pair: tuple(op.name for op in pair) in names)
    return bool(names)


def faster(found: list[tuple[Op, Op]], both: list[Op], concrete: Graph, times: Measures, log: Log) -> set[tuple]:
    """The names of those pairs whose joint operation takes less time than the two."""
    names = set()
    if found:
        times.prepare([*concrete.ops, *both])
    for pair, op in zip(found, both, strict=True):
        together, apart = times.best_us(op), sum(times.best_us(each) for each in pair)
        log(f"{pair[0].name} and {pair[1].name}: {together:.2f} us as one operation, {apart:.2f} us as two")
        if together < apart:
            names.add(tuple(each.name for each in pair))
    return names
