"""A record has room for a limited number of launches in all cases together: ordinary cases have it for themselves."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.classroom.jail import host_check, host_functions, host_outcomes
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.judging import judged
from autograder.classroom.wire import Task
from autograder.outcome import CaseResult, Passed, Wrong
from autograder.running.cases.corners import corner_cases
from autograder.running.cases.domain import Domain
from autograder.running.cases.more_cases import all_cases
from tests.autograder.classroom.test_host_functions import HEAD, outcome
from tests.autograder.classroom.test_host_in_place import in_class
from tests.part import a_part
from tools.check_exercises import solution_of

SAMPLE = 6  # a commit tries one of so many
LONG_RECORD = [{"beyond": "", "long": True}]
RECORDED = [one for one in exercises.all_exercises() if one.kind == "host" and not one.on_host]
WITH_ARRAYS = [one for one in RECORDED if any(argument.shape for argument in one.arguments)]

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")


@pytest.mark.parametrize("exercise", [one for one in WITH_ARRAYS if corner_cases(one)], ids=lambda one: one.id)
def test_a_function_of_arrays_is_recorded_in_ordinary_cases_first(exercise, monkeypatch):
    program, asked = solution_of(exercise), []
    monkeypatch.setattr(host_functions, "_record", lambda *given: asked.extend(given[2]) or LONG_RECORD)

    host_functions.fixed(exercise, program, "", "sm_90")

    assert len(all_cases(replace(exercise, domain=Domain()), program.source)) == len(asked)


@needs_jail
def test_an_answer_that_is_wrong_at_a_corner_alone_is_wrong_in_class_too():
    exercise = exercises.find("streams.one_stream")
    solution = solution_of(exercise)
    only_there = solution.source.replace("    stream = ", "    if x.size in {2}:\n        return\n    stream = ", 1)

    found = judged(Task(exercise.id, replace(solution, source=only_there), host=True))

    assert ["n = 2"] == [case.name for case in found.cases if case.status == "wrong"]
    assert isinstance(found, Wrong) and found.points < exercise.points


def test_corners_that_one_record_has_no_room_for_are_judged_in_several(monkeypatch):
    asked = []

    def judged_on(exercise, program, secret, on_gpu=None, cases=()):
        asked.append(len(cases))
        if len(cases) > 2:
            return host_outcomes.too_long(exercise, program)
        named = tuple(CaseResult(case.name, "simt", "right") for case in cases)
        return Passed(exercise.id, exercise.points, exercise.points, "", cases=named)

    monkeypatch.setattr(host_check, "judged_on", judged_on)
    exercise = exercises.find("streams.one_stream")
    corners = [case.name for case in corner_cases(exercise)]

    found = host_check.check(exercise, solution_of(exercise))

    assert corners == [case.name for case in found.cases]
    assert 0 == asked[0] and max(asked[2:]) < len(corners) == asked[1]


def test_a_function_of_numbers_alone_keeps_its_corners_in_a_record(monkeypatch):
    exercise = exercises.find("vector_add.blocks_for")
    program, asked = solution_of(exercise), []
    monkeypatch.setattr(host_functions, "_record", lambda *given: asked.extend(given[2]) or LONG_RECORD)

    host_functions.fixed(exercise, program, "", "sm_90")

    assert len(all_cases(exercise, program.source)) == len(asked)


@needs_jail
@pytest.mark.parametrize("exercise", a_part(RECORDED, SAMPLE, lambda one: one.id))
def test_a_solution_earns_all_its_points_in_all_its_cases(exercise):
    found = judged(Task(exercise.id, in_class(exercise), host=True))

    assert exercise.points == found.points, str(found)


OUTSIZE = {
    "a name": "def blocks_for(n, threads):\n    raise type('E' * 500_000, (Exception,), {})('no')\n",
    "a number": "def blocks_for(n, threads):\n    return 10 ** 5_000\n",
    "a list": "def blocks_for(n, threads):\n    return [0] * 20_000\n",
    "a grid": HEAD + "    vector_add[(1,) * 20_000, 32](d_a)\n    return d_out.copy_to_host()\n",
    "arguments": HEAD + "    vector_add[1, 32](*[1] * 20_000)\n    return d_out.copy_to_host()\n",
}


@needs_jail
@pytest.mark.parametrize("source", OUTSIZE.values(), ids=OUTSIZE)
def test_what_is_outsize_is_its_authors_mistake_and_no_question_for_a_person(source):
    found = outcome(source, "blocks_for" if "blocks_for(n" in source else "add_on_device")

    assert "Crashed" == found.status, (found.status, found.observed)
    assert len(str(found)) < 2_000
