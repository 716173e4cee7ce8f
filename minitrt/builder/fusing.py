"""Fusions that depend on shapes and device, and so wait for the profile: what convolutions take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from minitrt.graph.ir import Graph, Op
from minitrt.graph.shortcut import joined
from minitrt.graph.tail import chained
from minitrt.passes import pooled, shortcuts, tails
from minitrt.passes.editing import Editor, Log


class Measures(Protocol):
    """What measures operations: the build."""

    def prepare(self, ops: Sequence[Op]) -> None:
        """Compile what these will need, side by side."""

    def best_us(self, op: Op) -> float:
        """Microseconds of the fastest kernel."""


def fuse_every_pool(graph: Graph, log: Log) -> None:
    """Let convolutions take over the pools behind them, as the reference backend can."""
    pooled.fuse_pools(graph, log, lambda conv, pool: True)


def fuse_faster_pools(graph: Graph, concrete: Graph, times: Measures, log: Log) -> bool:
    """Let convolutions take over the pools behind them where that is faster; whether any did."""
    return _fuse_faster(pooled.pairs, pooled.joined, pooled.fuse_pools, graph, concrete, times, log)


def fuse_faster_shortcuts(graph: Graph, concrete: Graph, times: Measures, log: Log) -> bool:
    """Let convolutions take over those that make their residuals where that is faster; whether any did."""
    return _fuse_faster(shortcuts.pairs, joined, shortcuts.fuse_shortcuts, graph, concrete, times, log)


def fuse_faster_tails(graph: Graph, concrete: Graph, times: Measures, log: Log) -> bool:
    """Let convolutions take over 1x1 convolutions of their results where that is faster; whether any did."""
    return _fuse_faster(tails.pairs, chained, tails.fuse_tails, graph, concrete, times, log)


def _fuse_faster(pairs, join, fuse, graph: Graph, concrete: Graph, times: Measures, log: Log) -> bool:
    """pairs(editor): who could become one operation; join(*pair): that one; fuse(graph, log, wanted): make it so."""
    found = pairs(Editor(concrete, log))
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
