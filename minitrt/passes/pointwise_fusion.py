"""Chains of pointwise operations become one, ``PWN(a, b)``: one kernel that reads every tensor once."""

from __future__ import annotations

import re

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.graph.pointwise import inlined, inputs_read, renumbered
from minitrt.passes.editing import Editor, Log

MOST_INPUTS, MOST_STEPS = 8, 32  # of one kernel


def fuse_pointwise(graph: Graph, log: Log) -> None:
    editor = Editor(graph, log)

    def rewrite(op: Op) -> bool:
        if op.kind != "pointwise" or op.output.host:
            return False
        for index, value in enumerate(op.inputs):
            inner = editor.producer(value, "pointwise")
            if inner is not None and not inner.output.host and editor.only_user(value) is op and fits(op, inner):
                join(editor, op, inner, index)
                return True
        return False

    editor.until_stable(rewrite)


def fits(op: Op, inner: Op) -> bool:
    """The joint operation must be one kernel, and must not compute `inner` more often than before."""
    if len(op.inputs) + len(inner.inputs) - 1 > MOST_INPUTS:
        return False
    if len(op.attrs["program"]) + len(inner.attrs["program"]) > MOST_STEPS:
        return False
    quantised = inner.output.dtype == DataType.INT8 and inner.output.scale is not None
    return inner.output.shape == op.output.shape and not quantised


def join(editor: Editor, op: Op, inner: Op, index: int) -> None:
    """Put inner's program into op's, in place of input `index`."""
    editor.log(f"fuse {inner.name} into {op.name}")
    base = len(op.inputs)
    program = inlined(op.attrs["program"], inner.attrs["program"], index, list(range(base, base + len(inner.inputs))))
    every: list[Value] = [*op.inputs, *inner.inputs]
    kept: list[Value] = []
    order = {}
    for number in sorted(inputs_read(program)):
        if every[number] not in kept:
            kept.append(every[number])
        order[number] = kept.index(every[number])
    op.attrs = {**op.attrs, "program": renumbered(program, order)}
    op.inputs, op.name = kept, f"PWN({bare_name(inner)}, {bare_name(op)})"
    op.origin = [*inner.origin, *op.origin]
    editor.remove(inner)


def bare_name(op: Op) -> str:
    found = re.fullmatch(r"PWN\((.*)\)", op.name)
    return found[1] if found else op.name
