"""A number drawn with an atomic and read afterwards: what the atomic returns is this thread's own, the cell is not."""

from __future__ import annotations

import ast
from dataclasses import replace

from autograder.answer.program import Program
from autograder.diagnosis.advice.guards import at_line, elements_at, is_far, written_out
from autograder.outcome import Cause
from simt.events import Finding


def advice_on_draws(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about `cuda.atomic.add(n, 0, 1)`, whose result nobody keeps, and `n[0]` below it.

    Not of a loop that looks at the cell until all have come: its own number is of no use to a thread there.
    """
    kinds = {kind for _, _, kind in finding.detail.get("accesses", ())}
    if finding.kind != "race" or kinds != {"atomic", "load"} or len(finding.lines) < 2:
        return None
    offset = finding.lines[0] - line
    drawn, read = sorted(one - offset for one in finding.lines[:2])
    if any(loop.lineno == read for loop in at_line(function, read, ast.While)):
        return None
    for statement in at_line(function, drawn, ast.Expr):
        call = statement.value
        if not (isinstance(call, ast.Call) and len(call.args) > 1 and ast.unparse(call.args[0]) == finding.array):
            continue
        place, written = ast.unparse(call.args[1]), ast.unparse(call)
        looked = [
            one for one in elements_at(function, read, finding.array) if ast.unparse(one.slice).strip("()") == place
        ]
        if written.startswith("cuda.atomic.") and looked:
            cell = ast.unparse(looked[0])
            return "", (
                f"`{written}` returns what {cell} held before, and no other thread is told the same. Keep that, as in "
                f"`old = {written}`, and leave {cell} alone: by line {read + offset} others may have changed it."
            )
    return None


def advice_on_kept_draws(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """`hist[v] = cuda.atomic.add(hist, v, 1)`: the old value is stored over the new one."""
    if finding.kind != "race":
        return None
    for node in at_line(function, line, ast.Assign):
        target, call = node.targets[0], node.value
        if not (isinstance(target, ast.Subscript) and isinstance(call, ast.Call) and call.args):
            continue
        if ast.unparse(call.func).startswith("cuda.atomic.") and ast.unparse(call.args[0]) == ast.unparse(target.value):
            return (
                "",
                f"`{ast.unparse(call)}` has changed {finding.array} already, and returns what was there before: call "
                "it without storing what it returns.",
            )
    return None


def advice_on_places_drawn(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """`dst[cuda.atomic.add(count, 0, 1)]`, where nobody has set count to 0 before."""
    if finding.kind != "out_of_bounds" or not (is_far(finding.detail) or finding.detail.get("negative")):
        return None
    for node in at_line(function, line, ast.Subscript):
        index = written_out(node.slice, function)
        if ast.unparse(node.value) == finding.array and ast.unparse(index).startswith("cuda.atomic."):
            cell = ast.unparse(index.args[0]) if isinstance(index, ast.Call) and index.args else "the counter"
            return (
                "",
                f"The place is what `{ast.unparse(index)}` found in {cell}: that must hold its first value before any "
                "thread of any block comes here, so set it before the launch. No block waits for another to do it.",
            )
    return None


def in_view_of_draws(cause: Cause, program: Program) -> Cause:
    """A wait without end, where every thread of a block that works together draws a number of its own."""
    tree = program.definition
    if cause.kind != "deadlock" or cause.lines or tree is None or "syncthreads" not in ast.unparse(tree):
        return cause
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        call = node.value
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "cuda.atomic.add" and len(call.args) == 3:
            if ast.unparse(call.args[1]) == "0" and ast.unparse(call.args[2]) == "1":
                array, name = ast.unparse(call.args[0]), ast.unparse(node.targets[0])
                return replace(
                    cause,
                    misconception="missing_barrier",
                    remedy=f"Every thread comes to line {node.lineno} and draws a number of its own from {array}, so "
                    f"most of them wait for a {name} that no block has. Let thread 0 draw one for its block, put it "
                    "into shared memory, and let the others read it after a cuda.syncthreads().",
                    lines=(node.lineno,),
                )
    return cause
