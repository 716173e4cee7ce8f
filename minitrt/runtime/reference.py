"""Executes a plan with NumPy, operation by operation; shapes that only running tells are known as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from minitrt.graph.ir import Graph, Op, Value
from minitrt.plugins import running  # noqa: F401 - plugins are operations, too
from minitrt.reference import run_op
from minitrt.shapes.bodies import settled
from minitrt.tactics.own.tactic import OwnTactic, asked

NONE_OF_READERS: Mapping[str, OwnTactic] = MappingProxyType({})


@dataclass
class Watch:
    """Who wants to see a run: layer(name, milliseconds) after each operation; tensor(value, array) for kept values."""

    layer: Callable[[str, float], None] | None = None
    tensor: Callable[[Value, np.ndarray], bool] | None = None
    kept: set[Value] = field(default_factory=set)


def execute(
    graph: Graph,
    inputs: Mapping[str, np.ndarray],
    watch: Watch | None = None,
    own: Mapping[str, OwnTactic] = NONE_OF_READERS,
) -> dict[str, np.ndarray]:
    """Run a graph on arrays as they are stored. Returns its outputs by name. own: operation's name -> what runs it.

    Raises: ValueError where shapes do not fit, or where an assertion of the network does not hold.
    """
    watch = watch or Watch()
    arrays: dict[Value, np.ndarray] = {value: inputs[value.name] for value in graph.inputs}
    left = readers(graph)
    for op in graph.ops:
        began = time.perf_counter()
        ins = [None if value is None else value.data if value.is_constant else arrays[value] for value in op.inputs]
        results = computed(op, ins, own.get(op.name)) if not all(v.is_constant for v in op.outputs) else []
        for value, array in zip(op.outputs, results, strict=False):
            arrays[value] = array
            if watch.tensor and value in watch.kept:
                watch.tensor(value, array)
        for value in set(op.present):
            left[value] -= 1
            if not left[value]:
                arrays.pop(value, None)
        if watch.layer:
            watch.layer(op.name, (time.perf_counter() - began) * 1e3)
    return {value.name: value.data if value.is_constant else arrays[value] for value in graph.outputs}


def computed(op: Op, ins: list[np.ndarray | None], tactic: OwnTactic | None) -> list[np.ndarray]:
    """The outputs of an operation: by a reader's kernels, where they run these sizes, too, or with NumPy."""
    sizes_known = not any(-1 in value.shape for value in (*op.present, *op.outputs))
    if tactic is not None and sizes_known and asked(tactic, "supports", op):
        from minitrt.tactics.own.interpreted import run

        return run(tactic, op, ins)
    return run_op(settled(op, ins), ins)


def readers(graph: Graph) -> dict[Value, int]:
    """How many operations read each value; one more for an output, so that it stays."""
    count = {value: len(users) for value, users in graph.users().items()}
    for value in graph.outputs:
        count[value] = count.get(value, 0) + 1
    return count
