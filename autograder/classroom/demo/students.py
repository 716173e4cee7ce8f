"""Six students and what each hands in, built from the released notebook, the solutions and the catalogue."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.classroom.course import Unit
from autograder.contract import Exercise
from autograder.exercises.answer_cells import cell_of
from autograder.exercises.catalogue import answers_for

SLOW = (
    "uncoalesced", "bank_conflicts", "too_much_traffic", "too_many_atomics", "too_many_transfers", "host_array",
    "lanes_differ", "local_array_in_memory", "too_many_loads", "copies_the_table", "waits_at_once", "global_atomics",
)  # fmt: skip
THREE_WAYS = ("no_guard", "missing_barrier", "only_first_block")  # what a learner gets wrong in the first weeks


@dataclass(frozen=True)
class InventedStudent:
    """An invented student. about: one clause; chooses: (sources, place in the unit) -> answer, None for the stub."""

    id: str
    about: str
    chooses: Callable[[Sources, int], str | None]


@dataclass(frozen=True)
class Sources:
    """What a student's answer to one exercise can be taken from."""

    exercise: Exercise
    n_exercises: int  # in the unit
    solution: str
    setup: tuple[str, ...]  # sources of the unit's setup cells

    def wrong_with(self, misconceptions: tuple[str, ...]) -> str | None:
        """The first wrong answer with one of these misconceptions, the first of them preferred."""
        for misconception in misconceptions:
            for answer in answers_for(self.exercise):
                if answer.outcome != "Passed" and answer.misconception == misconception:
                    return cell_of(answer, self.setup)
        return None

    def another_right(self) -> str | None:
        """A right answer that is written differently from the solution, and that a class takes."""
        rights = (each for each in answers_for(self.exercise) if each.outcome == "Passed" and not each.class_refuses)
        return next((cell_of(answer, self.setup) for answer in rights), None)


def _all_right(sources: Sources, place: int) -> str:
    return sources.solution


def _half_done(sources: Sources, place: int) -> str | None:
    return (sources.another_right() or sources.solution) if place < sources.n_exercises // 2 else None


def _right_but_slow(sources: Sources, place: int) -> str:
    return sources.wrong_with(SLOW) or sources.solution


def _wrong_in_three_ways(sources: Sources, place: int) -> str:
    return sources.wrong_with(THREE_WAYS) or sources.solution


def _untouched(sources: Sources, place: int) -> None:
    return None


CLASS = (
    InventedStudent("amara.okafor", "all right", _all_right),
    InventedStudent("bao.tran", "half done", _half_done),
    InventedStudent("carmen.ruiz", "right but slow", _right_but_slow),
    InventedStudent("dilnoza.karimova", "wrong in three ways", _wrong_in_three_ways),
    InventedStudent("emil.lindqvist", "untouched", _untouched),
)


def submission(student: InventedStudent, unit: Unit, released: NotebookNode, solved: NotebookNode) -> NotebookNode:
    """The notebook a student hands in for a unit: the release, with the chosen answers in its solution cells."""
    notebook = copy.deepcopy(released)
    solutions = cells_by_id(solved)
    setup = tuple(piece.source for piece in unit.setup)
    for place, exercise in enumerate(unit.exercises):
        solution = solutions[exercise.function].source
        sources = Sources(exercise, len(unit.exercises), solution, setup)
        answer = student.chooses(sources, place)
        if answer is not None:
            cells_by_id(notebook)[exercise.function].source = answer
    return notebook


def cells_by_id(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Cells by their grade_id."""
    return {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}
