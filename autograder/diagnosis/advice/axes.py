"""Row and column that have changed places: in an index, under a condition that has them right, or in `//` for `%`."""

from __future__ import annotations

import ast

from autograder.diagnosis.advice.guards import elements_at, written_out
from simt.events import Finding


def advice_on_axes(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about `dst[col, row]` where `row < dst.shape[0] and col < dst.shape[1]` was asked."""
    if finding.kind != "out_of_bounds" or len(finding.detail.get("shape", ())) != 2 or finding.detail.get("negative"):
        return None
    for element in elements_at(function, line, finding.array):
        parts = element.slice.elts if isinstance(element.slice, ast.Tuple) else []
        if len(parts) != 2 or ast.unparse(parts[0]) == ast.unparse(parts[1]):
            continue
        first, second = map(ast.unparse, parts)
        kept = [_asked(function, line, text, finding.array, axis) for text, axis in ((second, 0), (first, 1))]
        if all(kept):
            at, array = kept[0] - line + finding.lines[0], finding.array
            return "", (
                f"Line {at} keeps `{second}` below {array}.shape[0] and `{first}` below {array}.shape[1], so "
                f"`{second}` is the row: write {array}[{second}, {first}]."
            )
    return None


def advice_on_rows(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about `mean[i // n_cols]`, beyond an array of one element per column."""
    if finding.kind != "out_of_bounds" or len(finding.detail.get("shape", ())) != 1 or finding.detail.get("negative"):
        return None
    for element in elements_at(function, line, finding.array):
        place = written_out(element.slice, function)
        if not (isinstance(place, ast.BinOp) and isinstance(place.op, ast.FloorDiv)) or _is_number(place.right):
            continue
        flat, length = ast.unparse(place.left), ast.unparse(place.right)
        return "", (
            f"`{ast.unparse(place)}` counts whole rows of {length}. Where the place within a row is meant, as "
            f"{finding.array} has it, it is `{flat} % {length}`."
        )
    return None


def _is_number(expression: ast.expr) -> bool:
    """Whether an expression has no variable but constants of the module."""
    names = [node.id for node in ast.walk(expression) if isinstance(node, ast.Name)]
    return all(name.isupper() for name in names)


def _asked(function: ast.FunctionDef, line: int, index: str, array: str, axis: int) -> int:
    """The line of a condition that lets on only what is below the length of an axis; 0 without one.

    An `if` or `while` around the line with `<`, or an `if` before it that returns on `>=`.
    """
    for node in ast.walk(function):
        if not isinstance(node, ast.If | ast.While):
            continue
        around = node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)
        leaves = isinstance(node.body[-1], ast.Return) and (node.end_lineno or 0) < line
        for part in ast.walk(node.test):
            if not (isinstance(part, ast.Compare) and len(part.ops) == 1 and ast.unparse(part.left) == index):
                continue
            of_axis = ast.unparse(part.comparators[0]) == f"{array}.shape[{axis}]"
            if of_axis and (around and isinstance(part.ops[0], ast.Lt) or leaves and isinstance(part.ops[0], ast.GtE)):
                return node.test.lineno
    return 0
