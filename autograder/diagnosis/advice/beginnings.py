"""An array whose every store is outside: its index begins at another place, and a guard would only leave it empty."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import replace

from autograder.answer.program import Program
from autograder.diagnosis.advice.guards import axis_outside, elements_at
from autograder.outcome import Cause
from simt.events import Finding


def in_view_of_beginnings(cause: Cause, finding: Finding, program: Program, empty: Collection[str]) -> Cause:
    """An index past the end of an array that no thread ever stored into, with where it begins; others as they are.

    empty: the kernel's names for outputs of which no case has one element that was written.
    """
    tree, detail = program.definition, finding.detail
    if cause.kind != "out_of_bounds" or cause.array not in empty or tree is None or not cause.lines:
        return cause
    if detail.get("wraps") or detail.get("negative"):
        return cause
    stores = [one for one in ast.walk(tree) if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)]
    here = [one for one in elements_at(tree, cause.lines[0], cause.array) if isinstance(one.ctx, ast.Store)]
    if len(here) != 1 or sum(ast.unparse(one.value) == cause.array for one in stores) != 1:
        return cause
    parts = here[0].slice.elts if isinstance(here[0].slice, ast.Tuple) else [here[0].slice]
    index = ast.unparse(parts[min(axis_outside(detail), len(parts) - 1)])
    return replace(
        cause,
        misconception="far_index",
        says=f"{cause.says} No thread comes to an element inside, so a guard would leave {cause.array} empty.",
        remedy=f"An array begins at 0: subtract from `{index}` what lies before the part that {cause.array} is.",
    )
