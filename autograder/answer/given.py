"""Names that an answer misses because a cell of the notebook that gives them was not run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from autograder.answer.cells import Cell, read_cells
from autograder.answer.program import ProgramError
from autograder.answer.reference import solved_notebook
from autograder.contract import Exercise
from autograder.outcome import Cause, Outcome

MISSING = re.compile(r"[Nn]ame `?'?(\w+)'?`? is not defined")
MOST_NOTEBOOKS = 8  # of the folder that a notebook runs in


def told(outcome: Outcome, exercise: Exercise) -> Outcome:
    """The outcome, with "run the cell" in place of a guess at another name where a cell defines what is missing."""
    causes = tuple(_with_its_cell(cause, exercise) for cause in outcome.causes)
    return replace(outcome, causes=causes) if causes != outcome.causes else outcome


def _with_its_cell(cause: Cause, exercise: Exercise) -> Cause:
    missing = MISSING.search(cause.says)
    if missing is None or not _is_given(missing[1], exercise):
        return cause
    return replace(cause, remedy=f"Run the cell above that defines {missing[1]}, then this one again.")


def _is_given(name: str, exercise: Exercise) -> bool:
    """Whether a cell of this notebook, or of the solved one, defines a name at its top level."""
    defines = re.compile(rf"^(?:def {name}\(|{name} *=|(?:from .*)?import .*\b{name}\b)", re.MULTILINE)
    return any(defines.search(cell.source) for cell in _cells(exercise) if cell.role != exercise.function)


def _cells(exercise: Exercise) -> Iterator[Cell]:
    """The cells of the notebooks beside this one, and of the solved one."""
    here = sorted(Path.cwd().glob("*.ipynb"))[:MOST_NOTEBOOKS]
    solved = solved_notebook(exercise)
    for notebook in (*here, *([solved] if solved else [])):
        try:
            yield from read_cells(notebook)
        except ProgramError:
            continue
