"""Read a unit's percent-format source into a notebook with nbgrader's metadata and ids that stay.

A cell's marker says its role: ``# %% solution="scale"``, or check, race, predict, or nothing. The points come
from the exercise's contract, so they are written down once.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROLES = ("solution", "check", "race", "predict")
SCHEMA_VERSION = 3  # nbgrader's
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class SourceError(ValueError):
    """A unit's source breaks a rule of the course. The message names the file, the cell and what to do."""


def read_source(path: Path, exercises: tuple) -> NotebookNode:
    """The notebook of one unit, without outputs.

    path: its percent-format file; exercises: its contracts in course order.
    Raises: SourceError where a cell's role and the contracts disagree.
    """
    import jupytext  # here, since a machine that only records (`record_outputs --to`) has none

    notebook = jupytext.read(path, fmt="py:percent")
    notebook.metadata = NotebookNode(kernelspec=dict(KERNEL), language_info={"name": "python"})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    by_function = {exercise.function: exercise for exercise in exercises}
    for number, cell in enumerate(notebook.cells):
        settle_cell(cell, number, by_function, path)
    check_all_there(notebook, exercises, path)
    return notebook


def settle_cell(cell: NotebookNode, number: int, by_function: dict, path: Path) -> None:
    """Give one cell its id and its metadata, from the role its marker names."""
    roles = {role: cell.metadata[role] for role in ROLES if role in cell.metadata}
    tags = list(cell.metadata.get("tags", []))
    cell.metadata = NotebookNode()
    cell.id = f"cell-{number:03d}"
    if roles:
        if len(roles) > 1:
            raise SourceError(f"{where(path, number, cell)} has several roles, {roles}. Give it one.")
        role, function = next(iter(roles.items()))
        if function not in by_function:
            known = ", ".join(by_function) or "none"
            raise SourceError(
                f"{where(path, number, cell)} is for {function!r}, which no exercise of the unit is called. "
                f"Known: {known}. Mend the marker, or add the exercise to the unit's contract."
            )
        fill_role(cell, role, function, by_function[function], where(path, number, cell))
        tags += ["predict"] if role == "predict" else []
    if tags:
        cell.metadata.tags = tags


def fill_role(cell: NotebookNode, role: str, function: str, exercise, place: str) -> None:
    """Set the id and nbgrader's metadata of a cell with a role, and check that its source fits the role."""
    cell.id = function if role == "solution" else f"{function}_{role}"
    if role == "solution":
        if not cell.source.count("BEGIN SOLUTION") == cell.source.count("END SOLUTION") >= 1:
            raise SourceError(f"{place} needs '### BEGIN SOLUTION' and '### END SOLUTION' around the answer.")
        cell.metadata.nbgrader = nbgrader_cell(function)
    elif role in ("check", "race"):
        if cell.source.splitlines()[-1].strip() != f"q.{role}({function}).points":
            raise SourceError(f"{place} must end with the line: q.{role}({function}).points")
        if role == "race" and exercise.speed is None:
            raise SourceError(f"{place} races, but {exercise.id} has no speed policy. Drop it or add one.")
        points = exercise.points if role == "check" else exercise.speed.points
        cell.metadata.nbgrader = nbgrader_cell(cell.id, points)


def nbgrader_cell(grade_id: str, points: float | None = None) -> NotebookNode:
    """nbgrader's metadata: the learner's cell without points, a locked graded cell with."""
    graded = points is not None
    role = {"grade": graded, "grade_id": grade_id, "locked": graded, "solution": not graded, "task": False}
    return NotebookNode(role | {"schema_version": SCHEMA_VERSION} | ({"points": points} if graded else {}))


def check_all_there(notebook: NotebookNode, exercises: tuple, path: Path) -> None:
    """Raise SourceError unless every exercise has its cells once, and every id is used once."""
    ids = [cell.id for cell in notebook.cells]
    repeated = sorted({name for name in ids if ids.count(name) > 1})
    if repeated:
        raise SourceError(f"{path}: {', '.join(repeated)} appears twice. A role belongs to one cell.")
    for exercise in exercises:
        needed = [exercise.function, f"{exercise.function}_check"]
        needed += [f"{exercise.function}_race"] if exercise.speed else []
        missing = [name for name in needed if name not in ids]
        if missing:
            raise SourceError(
                f"{path}: {exercise.id} has no cell {', '.join(missing)}. Add a cell whose marker is "
                f'# %% solution="{exercise.function}" (or check, or race).'
            )


def where(path: Path, number: int, cell: NotebookNode) -> str:
    """How an error names a cell: file, number and first line."""
    first = cell.source.splitlines()[0] if cell.source else "(empty)"
    return f"{path}, cell {number} ({first})"


def render(notebook: NotebookNode) -> str:
    """The text of a notebook file: one spelling, so that equal notebooks are equal bytes."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4) + "\n"
