"""A number drawn with an atomic and read afterwards: what the atomic returns is this thread's own, the cell is not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograder.answer.program import Program
from autograder.answer.syntax import around
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
    """What comes of numbers that nobody passes on: drawn by each thread, or by one lane that keeps it to itself."""
    tree = program.definition
    shows = cause.kind == "wrong_output" and not cause.lines or cause.misconception == "infinite_loop"
    if tree is not None and shows and not cause.is_slip and (found := _of_a_warp(cause, tree)) is not None:
        return found
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


def _of_a_warp(cause: Cause, tree: ast.FunctionDef) -> Cause | None:
    """A warp's number: every lane draws one and lane 0's alone is used, or lane 0 draws and the others never hear."""
    shuffled = {
        ast.unparse(node.args[1])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "cuda.shfl_sync" and len(node.args) == 3
    }
    for statement, guard in _draws(tree):
        name = ast.unparse(statement.targets[0])
        drawn, lines = ast.unparse(statement.value), (statement.lineno,)
        if guard is None and name in shuffled and cause.kind == "wrong_output" and not cause.lines:
            return replace(
                cause,
                says=f"Every lane draws at line {statement.lineno}, and the shuffle hands on the number of one lane "
                "alone: what the others drew is never done.",
                remedy=f"Let lane 0 alone draw: put `{name} = {drawn}` below an `if` that asks for the lane, and set "
                f"{name} before it, so that the others have a value, too.",
                lines=lines,
            )
        if guard is not None and cause.misconception == "infinite_loop" and _passes_nothing_on(tree):
            return replace(
                cause,
                says=f"Only the lane that comes to line {statement.lineno} knows the number that it draws: in the "
                f"others `{name}` stays what it was, and they never leave the loop.",
                remedy=f"Hand it on below that `if`, where all lanes come: {name} = cuda.shfl_sync(0xFFFFFFFF, {name}, "
                "0).",
                lines=lines,
            )
    return None


def _passes_nothing_on(tree: ast.FunctionDef) -> bool:
    """Whether a function reads no lane's value by its number and no shared memory."""
    text = ast.unparse(tree)
    return "cuda.shfl_sync" not in text and "shared.array" not in text


def _draws(tree: ast.FunctionDef) -> Iterator[tuple[ast.Assign, ast.If | None]]:
    """(`n = cuda.atomic.add(cell, 0, 1)` within a loop, the `if` around it) of a function."""
    for loop in (node for node in ast.walk(tree) if isinstance(node, ast.While | ast.For)):
        for node in ast.walk(loop):
            if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
                continue
            call = node.value
            if ast.unparse(call.func) == "cuda.atomic.add" and [ast.unparse(one) for one in call.args[1:]] == [
                "0",
                "1",
            ]:
                yield node, next(iter(around(node, loop, ast.If)), None)
