"""Indices that are kept in range, but in another one, and accesses that reach further than their index."""

from __future__ import annotations

import ast

from autograder.diagnosis.advice.guards import at_line, axis_outside, elements_at, written_out
from simt.events import Finding

WIDE = ("load16", "store16")


def advice_on_reaches(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """(what happens, what to do) about an index outside a global array whose line says more than "no guard"."""
    detail = finding.detail
    if finding.kind != "out_of_bounds" or detail.get("wraps") or detail.get("negative"):
        return None
    for call in at_line(function, line, ast.Call):
        if ast.unparse(call.func) in WIDE and len(call.args) > 1 and ast.unparse(call.args[0]) == finding.array:
            return _wide(finding, call)
    if detail.get("space") != "global":
        return None
    place = next(elements_at(function, line, finding.array), None)
    return _clamped(finding, function, place) if place is not None else None


def _wide(finding: Finding, call: ast.Call) -> tuple[str, str]:
    last = call.args[1].elts[-1] if isinstance(call.args[1], ast.Tuple) else call.args[1]
    return "", (
        f"`{ast.unparse(call.func)}` moves 16 bytes, from `{ast.unparse(last)}` on along a row: all of these elements "
        f"must be inside {finding.array}, and the first at a multiple of 16 bytes."
    )


def _clamped(finding: Finding, function: ast.FunctionDef, place: ast.Subscript) -> tuple[str, str] | None:
    """`min(row, n_cols - 1)` as an index of rows."""
    axis, shape = axis_outside(finding.detail), finding.detail.get("shape", ())
    parts = place.slice.elts if isinstance(place.slice, ast.Tuple) else [place.slice]
    if len(parts) != len(shape):
        return None
    index = written_out(parts[axis], function)
    bound = next(filter(None, map(_bound, ast.walk(index))), None)
    if bound is None:
        return None
    array = finding.array
    last = f"{array}.size - 1" if len(shape) == 1 else f"{array}.shape[{axis}] - 1"
    if ast.unparse(bound) == last:
        return None
    return "", (
        f"The index is clamped, but not to the length of this axis: `{ast.unparse(parts[axis])}` goes up to "
        f"`{ast.unparse(bound)}`, and the last one is {last}, which is {shape[axis] - 1:,} here."
    )


def _bound(node: ast.AST) -> ast.expr | None:
    """What a call of min keeps an index below: the argument that counts."""
    if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "min" and len(node.args) == 2):
        return None
    return next((one for one in reversed(node.args) if not isinstance(one, ast.Call | ast.Constant)), None)
