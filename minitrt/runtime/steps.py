"""What a run on a GPU does one after the other: steps, and graphs of those that do not stop the stream."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from minitrt.device.graph import capture
from minitrt.graph.ir import Op
from minitrt.tactics.reference import idle


@dataclass
class Step:
    """One operation, ready. enqueue: puts it on a stream; alone: whether it stops the stream, or calls what a graph
    cannot hold."""

    op: Op
    enqueue: Callable[[int], object]
    alone: bool = False


class Replayed:
    """Steps that do not stop the stream, captured when they are first asked for."""

    def __init__(self, steps: list[Step]):
        self.steps, self.graph = steps, None

    def enqueue(self, stream: int) -> None:
        self.graph = self.graph or capture(self.steps)
        self.graph.launch(stream)


def pieces_of(steps: list[Step]) -> list[Any]:
    """Steps that stand alone, and graphs of those between; what launches nothing is in neither."""
    found: list[Any] = []
    for alone, group in groupby((step for step in steps if not idle(step.op)), key=lambda step: step.alone):
        together = list(group)
        found += together if alone else [Replayed(together)]
    return found
