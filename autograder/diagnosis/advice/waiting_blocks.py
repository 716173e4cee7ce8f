"""Words that blocks hand to one another while they run, read or written by a plain access."""

from __future__ import annotations

import ast
from dataclasses import replace

from autograder.answer.program import Program
from autograder.outcome import Cause
from simt.events import Finding


def in_view_of_waiting(cause: Cause, finding: Finding, program: Program, blocks_wait: bool) -> Cause:
    """A race between blocks that wait for each other, as the task asks: "in the next launch" is no advice there."""
    detail = finding.detail
    if not blocks_wait or cause.kind != "race" or (detail.get("scope"), detail.get("space")) != ("grid", "global"):
        return cause
    kinds = {kind for _, _, kind in detail.get("accesses", ())}
    if kinds == {"atomic", "load"}:
        peek = _relaxed_load(program)
        how = f"{peek}({finding.array}, ...)" if peek else "an atomic, such as cuda.atomic.add of 0"
        return replace(
            cause,
            remedy=f"A plain load may be answered with an old value, again and again: look at {finding.array} with "
            f"{how}, as long as other blocks write it.",
        )
    if kinds == {"atomic", "store"}:
        return replace(
            cause,
            remedy=f"Write {finding.array} with one atomic, such as cuda.atomic.exch: who waits for it has to find the "
            "whole of it, in one piece, or nothing yet.",
        )
    return cause


def _relaxed_load(program: Program) -> str:
    """The given function that looks at an element as it is now; "" where there is none."""
    for piece in program.setup:
        try:
            functions = [node for node in ast.parse(piece.source).body if isinstance(node, ast.FunctionDef)]
        except SyntaxError:
            continue
        for function in functions:
            returned = function.body[-1]
            if isinstance(returned, ast.Return) and "load_relaxed(" in ast.unparse(returned):
                return function.name
    return ""
