"""The kernels of the course, solutions and naive versions, each on its largest traced case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from autograder.answer.reference import solution_program
from autograder.contract import Case, Exercise, Values
from autograder.exercises import all_exercises, naive_of
from autograder.running import buffers

# Launched so often in one call that their smallest case is enough: a profiler replays every launch.
MANY_LAUNCHES = ("scan.radix_sort (naive)",)


@dataclass(frozen=True)
class CourseEntry:
    """A function of the course on one case. naive: the version that speed is measured against."""

    exercise: Exercise
    case: Case
    naive: bool

    @property
    def name(self) -> str:
        return f"{self.exercise.id}{' (naive)' if self.naive else ''}"

    @property
    def contract(self) -> Exercise:
        """The exercise, with the launch that this version wants."""
        own = self.naive and self.exercise.naive_launch is not None
        return replace(self.exercise, launch=self.exercise.naive_launch) if own else self.exercise

    def function(self) -> Callable:
        """The kernel or host function itself."""
        return naive_of(self.exercise) if self.naive else solution_program(self.exercise).load()[1]

    def values(self) -> Values:
        """Fresh arguments, the same ones every time; outputs hold zeros."""
        return buffers.fresh(self.exercise, buffers.make_values(self.exercise, self.case), None)


def entries() -> Iterator[CourseEntry]:
    """Every exercise that has a case to trace, in course order."""
    for exercise in all_exercises():
        cases = [case for case in exercise.cases if case.trace and not case.demanding]
        if not cases:
            continue
        smallest, *_, largest = sorted(cases * 2, key=lambda case: np.prod(list(case.sizes.values())))
        for naive in (False, True) if exercise.naive else (False,):
            entry = CourseEntry(exercise, largest, naive)
            yield replace(entry, case=smallest) if entry.name in MANY_LAUNCHES else entry
