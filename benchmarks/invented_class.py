"""A class that nobody taught: any number of students, whose answers come from the solutions and the catalogue."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.jail import namespaces as jail
from autograder.classroom.wire import Task
from autograder.contract import Exercise
from autograder.machine.course_home import PACKAGES

if TYPE_CHECKING:
    from nbformat import NotebookNode

UNTOUCHED, WRONG = 0.15, 0.25  # shares of the answers; the others are right


def hand_in(folder: Path, unit_id: str, n_submissions: int) -> int:
    """Write submissions as a class would. Returns how many answers were given in all."""
    import nbformat

    n_answers = 0
    for student in range(n_submissions):
        notebook, given = submission(unit_id, student)
        n_answers += given
        path = folder / f"student{student:03}" / unit_id / f"{unit_id}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    return n_answers


def submission(unit_id: str, student: int, right_only: bool = False) -> tuple[NotebookNode, int]:
    """What a student hands in, and how many answers there are in it; each is unlike anybody else's."""
    import nbformat

    from autograder.classroom import course
    from autograder.classroom.demo.students import cells_by_id

    unit = course.unit(unit_id)
    notebook = nbformat.read(PACKAGES / "course" / unit_id / f"{unit_id}.ipynb", as_version=4)
    solved = cells_by_id(nbformat.read(course.notebook_of(unit_id), as_version=4))
    cells, rng = cells_by_id(notebook), random.Random(student)
    setup, n_answers = tuple(piece.source for piece in unit.setup), 0
    for exercise in unit.exercises:
        drawn = 1.0 if right_only else rng.random()
        if drawn >= UNTOUCHED:
            wrong = _wrong_answer(exercise, setup, rng) if drawn < UNTOUCHED + WRONG else None
            source = wrong or solved[exercise.function].source
            cells[exercise.function].source = _unlike(source, exercise.function, student)
            n_answers += 1
    return notebook, n_answers


def _wrong_answer(exercise: Exercise, setup: tuple[str, ...], rng: random.Random) -> str | None:
    """One of those that the catalogue has and a class takes."""
    from autograder.exercises.answer_cells import cell_of
    from autograder.exercises.catalogue import answers_for

    known = [each for each in answers_for(exercise) if each.outcome != "Passed" and not each.class_refuses]
    return cell_of(rng.choice(known), setup) if known else None


def _unlike(source: str, function: str, student: int) -> str:
    """The same with a line more in the function, so that it is judged for itself."""
    lines = source.split("\n")
    at = next((n for n, line in enumerate(lines) if line.startswith(f"def {function}(")), None)
    if at is None:
        return source
    while not lines[at].rstrip().endswith(":"):
        at += 1
    return "\n".join([*lines[: at + 1], f"    student = {student}  # noqa", *lines[at + 1 :]])


def tasks_of(unit_id: str, n_submissions: int, right_only: bool = False) -> list[Task]:
    """The tasks of a class in that unit, in the order in which it handed in."""
    from autograder.classroom import course
    from autograder.classroom.reading.answers import read_answers

    found = {}
    for student in range(n_submissions):
        for answer in read_answers(submission(unit_id, student, right_only)[0], course.unit(unit_id)):
            if answer.program is not None:
                task = Task(answer.exercise.id, answer.program, answer.host, bool(jail.unavailable()), "benchmark")
                found[task.key] = task
    return list(found.values())
