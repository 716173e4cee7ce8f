"""Cells of a tile that nobody filled, since the threads that should have were sent away before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnosis.advice.whole_loops import names_in, names_of_threads
from simt.events import Finding
from simt.source.swaps import called_attribute

BARRIERS = ("syncthreads", "syncwarp")


def advice_on_fills(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """(what happens, what to do) about a read of shared memory behind a `return` of some threads, before a barrier."""
    if finding.kind != "uninitialised_read" or finding.detail.get("space") != "shared":
        return None
    fills = [node.lineno for node in _fills_of(finding.array, function) if node.lineno < line]
    meets = [
        node.lineno for node in ast.walk(function) if isinstance(node, ast.Call) and called_attribute(node) in BARRIERS
    ]
    if not fills or max(meets, default=0) < min(fills):
        return None
    offset = finding.lines[0] - line
    for statement in function.body:
        if statement.lineno < min(fills) and isinstance(statement, ast.If) and _sends_away(statement, function):
            return "", (
                f"Line {statement.lineno + offset} sends away the threads where `{ast.unparse(statement.test)}`, so "
                f"their cells of {finding.array} stay empty. Take that return out, let every thread fill its cells and "
                f"reach the barrier, and store the result below `if {ast.unparse(_otherwise(statement.test))}:` at the "
                "end."
            )
    return None


def _fills_of(array: str, function: ast.FunctionDef) -> Iterator[ast.Subscript | ast.Call]:
    """The stores to an array, and the calls of functions that are handed it."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == array:
            yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if array in {ast.unparse(argument) for argument in node.args}:
                yield node


def _sends_away(statement: ast.If, function: ast.FunctionDef) -> bool:
    """Whether some threads return there: those of a condition that has to do with the thread."""
    returns = isinstance(statement.body[-1], ast.Return) and not statement.orelse
    return returns and (
        bool(names_in(statement.test) & names_of_threads(function)) or "cuda." in ast.unparse(statement.test)
    )


OPPOSITE = {ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


def _otherwise(test: ast.expr) -> ast.expr:
    """The condition under which a thread stays."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITE:
        return ast.Compare(test.left, [OPPOSITE[type(test.ops[0])]()], test.comparators)
    if isinstance(test, ast.BoolOp):
        other = ast.And() if isinstance(test.op, ast.Or) else ast.Or()
        return ast.BoolOp(other, [_otherwise(one) for one in test.values])
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)
