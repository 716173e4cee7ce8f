"""Branches that sizes choose: what an untaken one would read lies in memory as everybody can read it."""

from __future__ import annotations

from minitrt.builder.views import moves
from minitrt.graph.ir import LINEAR, Graph, Op
from minitrt.tactics.contract import Tactic


def beside_branches(concrete: Graph, graph: Graph) -> list[Op]:
    """The choices, and the operations whose results a branch reads that the sizes of `concrete` do not take."""
    if not any(op.kind == "choice" for op in graph.ops):
        return []
    here = {op.name for op in concrete.ops}
    read = {value.name for op in graph.ops if op.name not in here for value in op.present}
    choices = {op.name for op in graph.ops if op.kind == "choice"}
    return [op for op in concrete.ops if op.name in choices or any(value.name in read for value in op.outputs)]


def linear(tactic: Tactic) -> bool:
    """Whether a tactic reads and writes tensors in the order of their shapes, and moves elements if it must."""
    return {*tactic.inputs, *tactic.outputs} <= {LINEAR, None} and moves(tactic)
