"""Where a barrier of an `if` belongs: before the condition, after it, or between two of the same condition."""

from __future__ import annotations

import ast
import re

from simt.source.walking import walk

OUTSIDE = re.compile(r"Move the barrier out of the condition at line (?P<line>\d+)(?=[,:])")
REMEDIES = {
    "before": "Move the barrier out of the condition at line {line}, before the `if`, so that every thread arrives.",
    "after": "Move the barrier out of the condition at line {line}, after all of the `if`, so that every thread "
    "arrives.",
    "between": "Move the barrier out of the condition at line {line}: end the `if` before it, and begin another with "
    "the same condition after it, so that every thread arrives.",
}


def place_of(tree: ast.AST, barrier: int, condition: int) -> tuple[ast.If, str] | None:
    """The `if` at line `condition` of a tree, and which of REMEDIES moves the barrier at line `barrier` of its body out
    of it; None where that takes more than a move."""
    follows = _elifs(tree)
    for node in walk(tree):
        if not (isinstance(node, ast.If) and node.lineno == condition):
            continue
        at = next((n for n, one in enumerate(node.body) if one.lineno == barrier == one.end_lineno), None)
        alone = len(node.body) == 1 or node.body[0].lineno == node.lineno
        if at is None or alone or node.test.end_lineno != condition:
            return None
        place = "before" if at == 0 else "after" if at == len(node.body) - 1 else "between"
        can_move = place == "after" or not (node in follows or (node.orelse and place == "between"))
        return (node, place) if can_move else None
    return None


def _elifs(tree: ast.AST) -> list[ast.stmt]:
    """Each `elif`, which no statement can stand before."""
    chains = (node for node in walk(tree) if isinstance(node, ast.If) and len(node.orelse) == 1)
    return [other for node in chains for other in node.orelse if other.col_offset == node.col_offset]


def with_place(remedy: str, tree: ast.AST, barrier: int) -> str:
    """A remedy that asks for a barrier outside its `if`, with the place; any other as it is."""
    asked = OUTSIDE.match(remedy)
    found = place_of(tree, barrier, int(asked["line"])) if asked is not None else None
    return REMEDIES[found[1]].format(line=found[0].lineno) if found is not None else remedy
