"""A load outside its array on a line that every lane has to reach: the value is guarded there, and not the line."""

from __future__ import annotations

import ast

from autograder.diagnosis.advice.guards import at_line, axis_outside, elements_at
from autograder.diagnosis.advice.whole_loops import names_in
from simt.events import Finding

MEETINGS = ("syncthreads_count", "syncthreads_and", "syncthreads_or")


def advice_on_votes(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about `cuda.ballot_sync(mask, src[i] > limit)` past the end, or a value voted on later."""
    detail = finding.detail
    past_the_end = finding.kind == "out_of_bounds" and not detail.get("wraps") and not detail.get("negative")
    if not past_the_end or detail.get("access") != "load":
        return None
    meets = _meeting_of(function, line)
    element = next(elements_at(function, line, finding.array), None)
    if meets is None or element is None:
        return None
    axis, n_axes = axis_outside(detail), len(detail["shape"])
    parts = element.slice.elts if isinstance(element.slice, ast.Tuple) else [element.slice]
    if len(parts) != n_axes:
        return None
    limit = f"{finding.array}.size" if n_axes == 1 else f"{finding.array}.shape[{axis}]"
    inside, at = f"{ast.unparse(parts[axis])} < {limit}", meets.lineno + finding.lines[0] - line
    compared = [one for one in at_line(function, line, ast.Compare) if element in ast.walk(one)]
    better = (
        f"`{inside} and {ast.unparse(compared[-1])}`" if compared else f"`{ast.unparse(element)} if {inside} else 0`"
    )
    neutral = "" if compared else ", with a value in place of 0 that changes nothing"
    return "", (
        f"Every lane has to reach line {at}, so guard the value and not the line: write {better}{neutral}. A lane past "
        "the end takes part without an element."
    )


def _meeting_of(function: ast.FunctionDef, line: int) -> ast.Call | None:
    """The vote or shuffle on a line, or the first one below that works on what the line assigns."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and _meets(node)]
    meetings = sorted(calls, key=lambda call: call.lineno)
    made: set[str] = set()
    for node in at_line(function, line, ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.While):
        if isinstance(node, ast.If | ast.While):
            if not node.test.lineno <= line <= (node.test.end_lineno or 0):
                continue
        here = [one for one in meetings if node.lineno <= one.lineno <= (node.end_lineno or 0)]
        if here and not isinstance(node, ast.If | ast.While):
            return here[0]
        targets = node.targets if isinstance(node, ast.Assign) else []
        made |= {target.id for target in targets if isinstance(target, ast.Name)}
    return next((one for one in meetings if one.lineno > line and names_in(one) & made), None)


def _meets(node: ast.Call) -> bool:
    """Whether this is a call that lanes make together."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return name.endswith("_sync") or name in MEETINGS
