"""Which lines of an answer the course gave: what stood in its cell before the learner wrote anything."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

from autograder.answer.cells import read_cells, released_source
from autograder.answer.program import Program, ProgramError
from autograder.answer.reference import solved_notebook
from autograder.contract import Exercise

GAP = ("# YOUR CODE HERE", "raise NotImplementedError()")  # what a released cell has in the place of a solution


def given_lines(exercise: Exercise, program: Program) -> frozenset[int]:
    """Lines of `program.source`, counted from 1, that are the course's own and untouched.

    Nothing where there is no solved notebook to tell: then every line may be the learner's.
    """
    notebook = solved_notebook(exercise)
    given = _given(notebook, exercise.function) if notebook else ()
    own = [line.rstrip() for line in program.source.splitlines()]
    blocks = SequenceMatcher(None, given, own, autojunk=False).get_matching_blocks()
    same = (at for block in blocks for at in range(block.b, block.b + block.size))
    return frozenset(at + 1 for at in same if own[at])


@lru_cache(maxsize=8)
def _given(notebook: Path, function: str) -> tuple[str, ...]:
    """What an exercise's cell has outside its gaps."""
    try:
        cells = read_cells(notebook)
    except ProgramError:
        return ()
    released = (released_source(cell.source) for cell in cells if cell.role == function)
    return tuple(line.rstrip() for line in next(released, "").splitlines() if line.strip() not in GAP)
