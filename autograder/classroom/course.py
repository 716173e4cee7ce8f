"""The instructor's side of a unit: which cells it has and what its setup says. All of it is trusted."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from autograder import exercises
from autograder.answer import cells, reference
from autograder.answer.magics import python_of
from autograder.answer.program import Piece
from autograder.answer.quick_nbformat import nbformat
from autograder.classroom import class_file
from autograder.classroom.class_file import ClassRules
from autograder.contract import Exercise
from autograder.exercises import own
from autograder.machine.course_home import released


class CourseError(LookupError):
    """A unit's own notebook is not to be found; the message says where it was looked for."""


@dataclass(frozen=True)
class Unit:
    """A unit as the instructor has it: its exercises in course order, and the setup every program starts with."""

    id: str
    notebook: Path
    exercises: tuple[Exercise, ...]
    setup: tuple[Piece, ...]
    solutions: Mapping[str, str] = field(default_factory=dict)  # of what others build on, by function, where present

    @property
    def max_points(self) -> float:
        """Points for right answers; speed points come on top."""
        return sum(exercise.points for exercise in self.exercises)


def notebook_of(unit: str) -> Path:
    """The instructor's notebook of a unit: the solved one where it is present, else the released one.

    $WARPBOOK_SOLUTIONS and $WARPBOOK_COURSE name folders that live elsewhere; one's own unit has its own beside it.
    Raises CourseError.
    """
    folders = [reference.solutions_folder(), Path(os.environ.get("WARPBOOK_COURSE") or released())]
    if home := own.home_of(unit):
        folders = [home / "solutions", home / "course"]
    looked = [folder / unit / f"{unit}.ipynb" for folder in folders if folder]
    for path in looked:
        if path.is_file():
            return path
    places = " or ".join(str(path) for path in looked)
    raise CourseError(
        f"The unit {unit} has no notebook at {places}. Run `make course`, or set WARPBOOK_COURSE to its folder."
    )


def units() -> tuple[str, ...]:
    """The ids of the units with graded exercises, in course order."""
    return tuple(exercises.units())


def rules_in(path: Path) -> ClassRules:
    """What class.toml says. The folders of exercises that it names are known from now on.

    Raises: class_file.ClassFileError; own.OwnFolderError.
    """
    for folder in class_file.own_folders(path):
        exercises.add_folder(folder)
    return class_file.read(path, {unit: [one.id for one in these] for unit, these in exercises.units().items()})


@cache
def unit(name: str) -> Unit:
    """A unit by its id, as in ``unit("06_reductions")``. Raises CourseError when there is none of that name."""
    contracts = exercises.units().get(name)
    if not contracts:
        raise no_such_unit(name)
    path = notebook_of(name)
    setup = [
        Piece(python_of(cell.source).source, f"{path.name}:setup", 1, trusted=True)
        for cell in cells.read_cells(path)
        if cell.role == "setup"
    ]
    return Unit(name, path, contracts, tuple(setup), _solutions(contracts))


def _solutions(contracts: Sequence[Exercise]) -> dict[str, str]:
    """The course's own answers to the exercises that others of the unit build on, as far as they are here."""
    used = {name for contract in contracts for name in contract.uses}
    found = {each.function: reference.solution_program(each) for each in contracts if each.id in used}
    return {function: program.source for function, program in found.items() if program is not None}


@cache
def trusted_markdown(name: str) -> frozenset[str]:
    """The texts of the unit's own markdown cells, as they are released."""
    cells = nbformat.read(notebook_of(name), as_version=4).cells
    return frozenset(cell.source for cell in cells if cell.cell_type == "markdown")


def no_such_unit(name: str) -> CourseError:
    """What is said of a unit that does not exist."""
    return CourseError(f"There is no unit {name!r} with graded exercises. Units: {', '.join(exercises.units())}.")


def check_cell(exercise: Exercise) -> str:
    """The grade_id of the locked cell that carries an exercise's points."""
    return f"{exercise.function}_check"


def race_cell(exercise: Exercise) -> str:
    """The grade_id of the locked cell that carries its speed points."""
    return f"{exercise.function}_race"
