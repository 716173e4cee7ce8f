"""Waits that let the copy go on which is read next: `wait_copies(1)` where no other group has begun."""

from __future__ import annotations

import ast

from autograder.answer.program import Piece
from autograder.answer.syntax import tree_of
from autograder.words import count_text
from simt.events import Finding


def advice_on_waits(finding: Finding, quotable: Piece) -> tuple[str, str] | None:
    """(what happens, what to do) about a copy that is read too early although the source waits: for older groups."""
    if finding.kind != "race" or finding.detail.get("hazard") != "copy":
        return None
    tree = tree_of(quotable.source)
    if tree is None:
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "wait_copies"]
    numbers = [call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else 0 for call in calls]
    if not calls or 0 in numbers or not isinstance(numbers[-1], int):
        return None
    call, kept = calls[-1], numbers[-1]
    line = call.lineno + quotable.first_line - 1
    last = "the group begun last" if kept == 1 else f"the {count_text(kept, 'group')} begun last"
    return "", (
        f"`{ast.unparse(call)}` at line {line} lets {last} go on, and this copy belongs there: wait with a smaller "
        "number, or begin the groups after it before you wait."
    )
