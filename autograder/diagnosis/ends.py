"""Where a statement ends that is written over several lines: what is to come after it cannot come in its midst."""

from __future__ import annotations

import ast
import re

from autograder.answer.program import Piece
from autograder.answer.syntax import tree_of

AFTER = re.compile(r"(?<=\bafter line )\d+")


def behind_whole_statements(remedy: str, piece: Piece) -> str:
    """A remedy whose "after line 4" names the last line of the statement that line 4 is a part of."""
    if not AFTER.search(remedy):
        return remedy
    tree = tree_of(piece.source)
    simple = (
        [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")] if tree else []
    )
    offset = piece.first_line - 1
    ends = {
        line + offset: (one.end_lineno or one.lineno) + offset
        for one in simple
        for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)
    }
    return AFTER.sub(lambda found: str(ends.get(int(found[0]), int(found[0]))), remedy)
