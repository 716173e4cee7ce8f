"""A record has room for a limited number of launches in all cases together: ordinary cases have it for themselves."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.classroom.jail import host_functions
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail.host_functions import NOT_IN_A_RECORD
from autograder.classroom.judging import judged, why_for_review
from autograder.classroom.wire import Task
from autograder.outcome import NotCheckable
from autograder.running.cases.corners import corner_cases
from autograder.running.cases.domain import Domain
from autograder.running.cases.more_cases import all_cases
from tests.part import a_part
from tools.check_exercises import solution_of

SAMPLE = 6  # a commit tries one of so many
LONG_RECORD = [{"beyond": "", "long": True}]
RECORDED = [one for one in exercises.all_exercises() if one.kind == "host" and not one.on_host]
WITH_ARRAYS = [one for one in RECORDED if any(argument.shape for argument in one.arguments)]

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


@pytest.mark.parametrize("exercise", [one for one in WITH_ARRAYS if corner_cases(one)], ids=lambda one: one.id)
def test_a_function_of_arrays_is_recorded_in_ordinary_cases_alone(exercise, monkeypatch):
    program, asked = solution_of(exercise), []
    monkeypatch.setattr(host_functions, "_record", lambda *given: asked.extend(given[2]) or LONG_RECORD)

    host_functions.fixed(exercise, program, "", "sm_90")

    assert len(all_cases(replace(exercise, domain=Domain()), program.source)) == len(asked)


def test_a_function_of_numbers_alone_keeps_its_corners_in_a_record(monkeypatch):
    exercise = exercises.find("vector_add.blocks_for")
    program, asked = solution_of(exercise), []
    monkeypatch.setattr(host_functions, "_record", lambda *given: asked.extend(given[2]) or LONG_RECORD)

    host_functions.fixed(exercise, program, "", "sm_90")

    assert len(all_cases(exercise, program.source)) == len(asked)


@needs_jail
@pytest.mark.parametrize("exercise", a_part(RECORDED, SAMPLE, lambda one: one.id))
def test_a_solution_earns_all_its_points_in_all_its_cases_or_does_what_no_record_has(exercise):
    found = judged(Task(exercise.id, solution_of(exercise), host=True))

    if isinstance(found, NotCheckable):
        assert why_for_review(exercise) or NOT_IN_A_RECORD in found.observed, str(found)
    else:
        assert exercise.points == found.points, str(found)
