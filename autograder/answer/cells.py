"""The program of an exercise, read out of a notebook as data: setup cells, the answers it uses, its own answer.

Cells are found by nbgrader's grade_id, which is the function's name, in a `.ipynb`; or by `solution="..."` in the
marker of a percent-format `.py`. Nothing is run, and nothing else in the notebook's metadata is believed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.answer.program import Piece, Program, ProgramError
from autograder.contract import Exercise
from autograder.exercises import find

MARKER = re.compile(r"^# %%(?P<rest>.*)$", re.MULTILINE)
ROLE = re.compile(r'solution="(?P<name>\w+)"')
SETUP = re.compile(r"tags=\[[^\]]*[\"']setup[\"'][^\]]*\]")
NOT_PYTHON = re.compile(r"^[%!].*$", re.MULTILINE)  # notebook magics
SOLUTION_REGION = re.compile(
    r"^(?P<indent>[ \t]*)#+ BEGIN SOLUTION.*?^[^\n]*END SOLUTION[^\n]*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Cell:
    """One code cell. role: "setup", the name of the function it answers, or "". first_line: 1 in a notebook."""

    source: str
    role: str
    first_line: int = 1


def program_of_exercise(path: Path, exercise: Exercise) -> Program:
    """Setup cells, the solution cells of the exercises it `uses`, and its own, in that order.

    Raises ProgramError when a cell is missing or there are two of it.
    """
    cells = read_cells(path)
    setup = [_piece(path, cell) for cell in cells if cell.role == "setup"]
    for used in exercise.uses:
        setup.append(_piece(path, _only(cells, find(used).function, path)))
    own = _piece(path, _only(cells, exercise.function, path))
    return Program(own.source, exercise.function, own.filename, own.first_line, tuple(setup))


def read_cells(path: Path) -> list[Cell]:
    """The code cells of a notebook or of the percent file it is built from."""
    try:
        text = path.read_text(encoding="utf-8")
        return _cells_of_percent(text) if path.suffix == ".py" else _cells_of_notebook(json.loads(text))
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProgramError(f"{path} cannot be read as a notebook: {error}.") from error


def released_source(solution: str) -> str:
    """The stub a learner gets: every solution region replaced by ``raise NotImplementedError()`` at its indent."""
    return SOLUTION_REGION.sub(r"\g<indent># YOUR CODE HERE\n\g<indent>raise NotImplementedError()", solution)


def _cells_of_notebook(document: dict) -> list[Cell]:
    """Code cells of a `.ipynb`; grade_id names a role only where the cell holds a solution."""
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


def _cells_of_percent(text: str) -> list[Cell]:
    """Code cells of a percent file, numbered by the lines of the file."""
    cells = []
    markers = list(MARKER.finditer(text))
    for marker, following in zip(markers, [*markers[1:], None], strict=True):
        rest = marker["rest"].strip()
        if rest.startswith("[markdown]"):
            continue
        solution = ROLE.search(rest)
        role = solution["name"] if solution else "setup" if SETUP.search(rest) else ""
        body = text[marker.end() + 1 : following.start() if following else len(text)]
        cells.append(Cell(body, role, text.count("\n", 0, marker.end()) + 2))
    return cells


def _only(cells: list[Cell], role: str, path: Path) -> Cell:
    """The one cell with a role."""
    found = [cell for cell in cells if cell.role == role]
    if len(found) == 1:
        return found[0]
    what = "no cell" if not found else f"{len(found)} cells"
    raise ProgramError(f"{path} has {what} for `{role}`; exactly one must answer it.")


def _piece(path: Path, cell: Cell) -> Piece:
    """A cell as a piece of a program, magics blanked so that lines keep their numbers."""
    return Piece(NOT_PYTHON.sub("", cell.source), f"{path.name}:{cell.role}", cell.first_line)
