"""The program of an exercise, read out of a notebook as data: setup cells, the answers it uses, its own answer.

Cells are found by nbgrader's grade_id, which is the function's name. Nothing is run, and nothing else in the notebook's
metadata is believed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.answer.magics import python_of
from autograder.answer.program import Piece, Program, ProgramError
from autograder.contract import Exercise
from autograder.exercises import find

SOLUTION_REGION = re.compile(
    r"^(?P<indent>[ \t]*)#+ BEGIN SOLUTION.*?^[^\n]*END SOLUTION[^\n]*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Cell:
    """One code cell. role: "setup", the name of the function it answers, or ""."""

    source: str
    role: str


def program_of_exercise(path: Path, exercise: Exercise) -> Program:
    """Setup cells, the solution cells of the exercises it `uses`, and its own, in that order.

    Raises ProgramError when a cell is missing or there are two of it.
    """
    return program_in(read_cells(path), path.name, exercise)


def program_in(cells: list[Cell], name: str, exercise: Exercise) -> Program:
    """The same from cells that are read already; name: of their file, for tracebacks."""
    setup = [_piece(name, cell) for cell in cells if cell.role == "setup"]
    for used in exercise.uses:
        setup.append(_piece(name, _only(cells, find(used).function, name)))
    own = _piece(name, _only(cells, exercise.function, name))
    return Program(own.source, exercise.function, own.filename, own.first_line, tuple(setup))


def read_cells(path: Path) -> list[Cell]:
    """The code cells of a notebook."""
    try:
        return cells_of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProgramError(f"{path} cannot be read as a notebook: {error}.") from error


def released_source(solution: str) -> str:
    """The stub a learner gets: every solution region replaced by ``raise NotImplementedError()`` at its indent."""
    return SOLUTION_REGION.sub(r"\g<indent># YOUR CODE HERE\n\g<indent>raise NotImplementedError()", solution)


def cells_of(document: Mapping) -> list[Cell]:
    """Code cells of a notebook's document; grade_id names a role only where the cell holds a solution."""
    cells = []
    for cell in document["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        nbgrader = cell.get("metadata", {}).get("nbgrader", {})
        role = "setup" if "setup" in cell.get("metadata", {}).get("tags", []) else ""
        if nbgrader.get("solution") and nbgrader.get("cell_type", "code") == "code":
            role = str(nbgrader.get("grade_id", ""))
        cells.append(Cell(source, role))
    return cells


def _only(cells: list[Cell], role: str, name: str) -> Cell:
    """The one cell with a role."""
    found = [cell for cell in cells if cell.role == role]
    if len(found) == 1:
        return found[0]
    what = "no cell" if not found else f"{len(found)} cells"
    raise ProgramError(f"{name} has {what} for `{role}`; exactly one must answer it.")


def _piece(name: str, cell: Cell) -> Piece:
    """A cell as a piece of a program, magics taken out so that lines keep their numbers."""
    return Piece(python_of(cell.source).source, f"{name}:{cell.role}", 1)
