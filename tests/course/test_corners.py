"""What may come, and what is found there alone."""

import ast
from dataclasses import replace

import numpy as np
import pytest

from autograder import exercises
from autograder.judge import check
from autograder.running import buffers
from autograder.running.cases.corners import corner_cases
from autograder.running.cases.domain import Domain
from tests.course.only_in_a_corner import ONLY_IN_A_CORNER
from tests.part import a_part
from tools.check_exercises import solution_of

SAMPLE = 6  # a commit tries one of so many
DECLARED = [exercise for exercise in exercises.all_exercises() if exercise.domain != Domain()]


def judged(name: str, changes: dict[str, str], domain: Domain | None = None):
    """The outcome of the solution with these pieces of text exchanged."""
    exercise = exercises.find(name)
    program = solution_of(exercise)
    for old, new in changes.items():
        assert old in program.source
        program = replace(program, source=program.source.replace(old, new))
    ast.parse(program.source)
    exercise = exercise if domain is None else replace(exercise, domain=domain)
    return check(exercise, program, device="simt", isolate=False)


@pytest.mark.parametrize("mistake", a_part(ONLY_IN_A_CORNER, SAMPLE, lambda one: f"{one[0]}-{one[1]}"))
def test_a_mistake_that_no_ordinary_case_shows_does_not_pass(mistake):
    name, _, changes = mistake

    assert not judged(name, changes).passed


@pytest.mark.parametrize("exercise", a_part(DECLARED, SAMPLE, lambda one: one.id))
def test_every_corner_has_arguments_and_a_name_of_its_own(exercise):
    corners = corner_cases(exercise)
    for case in corners:
        values = buffers.make_values(exercise, case)
        expected = exercise.expected_of(buffers.fresh(exercise, values, None))

        assert {*exercise.names} == {*values}
        assert all(np.shape(expected[name]) == np.shape(values[name]) for name in expected)

    names = [case.name for case in (*exercise.cases, *corners)]
    assert corners and len(names) == len({*names})
