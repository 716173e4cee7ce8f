"""An index that is a result itself, or is counted by votes: out of range, the number is wrong, and a guard hides it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnosis.advice.guards import all_that_makes, axis_outside, elements_at
from simt.events import Finding

COUNTS = {f"cuda.{name}" for name in ("ffs", "popc", "clz", "brev", "ballot_sync", "match_any_sync")}
Assigned = dict[str, list[ast.Assign | ast.AugAssign]]
PLACES = ("cuda.grid", "cuda.threadIdx", "cuda.blockIdx", "cuda.laneid")  # of a thread: it belongs to an element


def advice_on_counts(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about `row = table[kept]`, where `kept` is counted by votes, or stored as a result below.

    A place that a thread has by its own number may have to be guarded; a number that was worked out is wrong.
    """
    detail = finding.detail
    if finding.kind != "out_of_bounds" or detail.get("space") != "global" or detail.get("wraps"):
        return None
    axis, offset = axis_outside(detail), finding.lines[0] - line
    written = axis if detail.get("along") is None else int(detail["along"])  # of `a` in `a[text, kept]`, one row of it
    assigned = _assigned(function)
    for element in elements_at(function, line, finding.array):
        parts = element.slice.elts if isinstance(element.slice, ast.Tuple) else [element.slice]
        index = parts[min(written, len(parts) - 1)]
        made = _worked_out(index.id, assigned, function, line) if isinstance(index, ast.Name) else 0
        if made and isinstance(index, ast.Name):
            return "", (
                f"`{index.id}` is worked out at line {made + offset}, and came out as {detail['index'][axis]}, where "
                f"the last place of {finding.array} is {detail['shape'][axis] - 1}: the number itself is wrong, and a "
                f"condition around line {finding.lines[0]} would only hide it. Work line {made + offset} out by hand "
                "for this block."
            )
    return None


def _worked_out(name: str, assigned: Assigned, function: ast.FunctionDef, line: int) -> int:
    """The last line above that works a variable out, where it is counted by votes or is a result; 0 for any other."""
    made = [node for node in assigned.get(name, ()) if node.lineno <= line]
    if not made:
        return 0
    calls = {ast.unparse(node.func) for node in ast.walk(made[-1].value) if isinstance(node, ast.Call)}
    of_a_place = any(one.startswith(PLACES) for one in all_that_makes({name}, function))
    is_result = not of_a_place and name in set(_stored(function))
    return made[-1].lineno if calls & COUNTS or is_result else 0


def _assigned(function: ast.FunctionDef) -> Assigned:
    """The assignments to each variable, by its name, from top to bottom of a block."""
    found: Assigned = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found.setdefault(ast.unparse(target), []).append(node)
    return found


def _stored(function: ast.FunctionDef) -> Iterator[str]:
    """The variables whose values a kernel stores as they are."""
    for node in (one for one in ast.walk(function) if isinstance(one, ast.Assign)):
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for place, value in pairs:
                if isinstance(place, ast.Subscript) and isinstance(value, ast.Name):
                    yield value.id
