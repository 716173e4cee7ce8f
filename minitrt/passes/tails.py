"""A convolution and a 1x1 convolution of its result as one operation, which reads the result before it leaves the chip.

In a residual network the last convolution of a block and the first of the next are such a pair. Whether one kernel can
do both, and faster, depends on shapes and device, so the builder asks for each pair.
"""

from __future__ import annotations

from collections.abc import Callable

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op
from minitrt.graph.tail import chained
from minitrt.passes.editing import Editor, Log
from minitrt.passes.shortcuts import has_constants, is_plain, is_pointwise


def fuse_tails(graph: Graph, log: Log, faster: Callable[[Op, Op], bool]) -> None:
    """faster(first, second): whether the pair is to become one operation."""
    editor = Editor(graph, log)
    for head, tail in pairs(editor):
        if faster(head, tail):
            editor.fuse(head, tail, chained(head, tail))
    graph.sort()


def pairs(editor: Editor) -> list[tuple[Op, Op]]:
    """Every 1x1 convolution of INT8 and the first that reads its result; no operation is in two pairs."""
    found: list[tuple[Op, Op]] = []
    taken: set[Op] = set()
    for head in editor.graph.ops:
        if head.kind != "conv" or head in taken or not is_head(head):
            continue
        tail = next((op for op in editor.users(head.output) if is_tail(op, head) and op not in taken), None)
        if tail is not None:
            found.append((head, tail))
            taken |= {head, tail}
    return found


def is_head(op: Op) -> bool:
    """A 1x1 convolution at stride 1, with a residual, a shortcut or neither."""
    alone = has_constants(op) and not any(op.attrs.get(name) for name in ("pool", "tail", "dynamic"))
    return alone and is_pointwise(op) and stands_still(op) and op.output.dtype == DataType.INT8


def is_tail(op: Op, head: Op) -> bool:
    """The same without anything to add, of the first one's result alone."""
    if op.kind != "conv" or op.inputs[0] is not head.output or op.inputs.count(head.output) != 1 or op.input(3):
        return False
    known = (op.attrs.get("activation") or {}).get("type") in (None, "relu")
    return known and is_plain(op) and is_pointwise(op) and stands_still(op) and op.output.dtype == DataType.INT8


def stands_still(op: Op) -> bool:
    """Stride 1."""
    return all(step == 1 for step in op.attrs.get("stride") or [])
