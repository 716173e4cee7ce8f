"""Sizes of outputs that come from the elements of shape tensors: known where all of a profile's give the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minitrt.graph.ir import Graph, Value

TRIPLE = MINIMUM, OPTIMUM, MAXIMUM = range(3)
Shape = tuple[int, ...]


def narrow(graph: Graph, elements: dict[str, Any], at: Callable[[int], Graph]) -> None:
    """Enter into the outputs' shapes what is alike at a profile's minimum, optimum and maximum.

    elements: (min, opt, max) of each shape tensor that is an input. at: the graph with the sizes of one of them put in;
    it may raise ValueError, where they do not go together: then elements that are sizes themselves still tell.
    """
    try:
        found = [[value.shape for value in at(which).outputs] for which in TRIPLE]
    except ValueError:
        found = []
    for place, value in enumerate(graph.outputs):
        shapes = [outputs[place] for outputs in found] or asked_for(graph, value, elements)
        if value.shape is not None and shapes and all(s is not None and len(s) == len(value.shape) for s in shapes):
            value.shape = tuple(merged(n, given) for n, *given in zip(value.shape, *shapes, strict=True))


def merged(size: int, given: Sequence[int]) -> int:
    """A size that was open, where all agree on it."""
    return given[0] if size == -1 and len(set(given)) == 1 and given[0] > 0 else size


def asked_for(graph: Graph, value: Value, elements: dict[str, Any]) -> list[Shape]:
    """The shapes that a shape tensor asks an output to have, where it is of an operation that takes its shape so."""
    maker = next((op for op in graph.ops if value in op.outputs), None)
    dynamic = maker.attrs.get("dynamic", {}) if maker is not None else {}
    for name in ("shape", "sizes"):
        source = maker.inputs[dynamic[name]] if name in dynamic else None
        if source is not None and source.name in elements:
            return [tuple(int(n) for n in each) for each in elements[source.name]]
    return []
