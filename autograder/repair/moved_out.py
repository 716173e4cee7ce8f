"""A barrier of an `if`, outside it: before it, after it, or between two of the same condition."""

from __future__ import annotations

import ast
from dataclasses import replace

from autograder.answer.program import Program
from autograder.outcome import Cause
from autograder.repair.edits import Edit, Text
from simt.source.barrier_places import OUTSIDE, REMEDIES, place_of

MISSED = "barrier_divergence"


def moved_out(cause: Cause, program: Program, text: Text) -> Edit | None:
    """The answer with its barrier where every thread comes; None where that takes more than a move."""
    found = _place(cause, program, text)
    if found is None:
        return None
    node, place = found
    line, condition = cause.lines[0] + 1 - program.first_line, node.lineno
    moved = f"{' ' * node.col_offset}{text.lines[line - 1].decode().strip()}\n".encode()
    if place == "before":
        lines = [*text.lines[: condition - 1], moved, *text.lines[condition - 1 : line - 1], *text.lines[line:]]
    elif place == "after":
        end = node.end_lineno or line
        lines = [*text.lines[: line - 1], *text.lines[line:end], moved, *text.lines[end:]]
    else:
        again = text.lines[condition - 1]
        lines = [*text.lines[: line - 1], moved, again, *text.lines[line:]]
    return text.with_lines(lines, line, "moved_out", str(condition), moved.decode())


def worded(cause: Cause, program: Program) -> Cause:
    """A cause that asks for a barrier outside its `if`, with the place; other causes as they are."""
    try:
        found = _place(cause, program, Text(program.source))
    except (SyntaxError, ValueError, RecursionError):
        return cause
    if found is None:
        return cause
    node, place = found
    return replace(cause, remedy=REMEDIES[place].format(line=node.lineno + program.first_line - 1))


def _place(cause: Cause, program: Program, text: Text) -> tuple[ast.If, str] | None:
    """The `if` that a barrier stands in, and where it belongs: by what of the body comes before it and after it."""
    asked = OUTSIDE.match(cause.remedy) if cause.kind == MISSED else None
    if asked is None:
        return None
    line, condition = (number + 1 - program.first_line for number in (cause.lines[0], int(asked["line"])))
    return place_of(text.tree, line, condition)
