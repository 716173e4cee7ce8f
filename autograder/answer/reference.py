"""The exercise's own solution, read as data from the solved notebook."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.answer.cells import program_of_exercise
from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.exercises import own
from autograder.machine.course_home import course_home

ABSENT = (
    "The solved notebook solutions/{unit}/{unit}.ipynb is not here, so there is nothing to show. "
    "It comes with the project; a class usually leaves it out. Set WARPBOOK_SOLUTIONS to its folder if it is elsewhere."
)


def solutions_folder() -> Path | None:
    """Where solved notebooks are: $WARPBOOK_SOLUTIONS, or `solutions` beside this package or above this folder.

    None where there is no such folder.
    """
    named = os.environ.get("WARPBOOK_SOLUTIONS")
    here = Path.cwd()
    candidates = [Path(named)] if named else [folder / "solutions" for folder in (course_home(), here, *here.parents)]
    return next((folder for folder in candidates if folder.is_dir()), None)


def solved_notebook(exercise: Exercise) -> Path | None:
    """The solved notebook of an exercise's unit, or None where it is absent."""
    home = own.home_of(exercise.unit)
    folder = home / "solutions" if home else solutions_folder()
    notebook = folder / exercise.unit / f"{exercise.unit}.ipynb" if folder else None
    return notebook if notebook and notebook.is_file() else None


def solution_program(exercise: Exercise) -> Program | None:
    """The solution as a program that can be checked and timed like any submission; None where it is absent."""
    notebook = solved_notebook(exercise)
    return program_of_exercise(notebook, exercise) if notebook else None


def solved(exercise: Exercise) -> Program:
    """The same, for what cannot do without. Raises: FileNotFoundError where it is absent."""
    program = solution_program(exercise)
    if program is None:
        raise FileNotFoundError("there are no solved notebooks: run `make course` first")
    return program


def solution_source(exercise: Exercise) -> str | None:
    """The text of the exercise's own solution cell, without the markers; None where it is absent."""
    from autograder.answer.quick_nbformat import nbformat

    notebook = solved_notebook(exercise)
    if notebook is None:
        return None
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == exercise.function:
            lines = cell.source.splitlines()
            return "\n".join(
                line for line in lines if "### BEGIN SOLUTION" not in line and "### END SOLUTION" not in line
            )
    return None
