"""A right result is not enough: the work must be shared out, and done on the device."""

from __future__ import annotations

import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.diagnosis import recorded_work, work
from autograder.judge import check
from tests.autograder.diagnosis.no_work import ANSWERS
from tests.part import a_part
from tools.check_exercises import solution_of


def counters(accesses: int, busiest: int, threads: int) -> dict[str, int]:
    """Those of a traced case that work is read from."""
    asked = dict.fromkeys(("global_load_bytes", "global_store_bytes", "global_atomic_bytes"), accesses)
    return {"memory_accesses": accesses, "busiest_thread_accesses": busiest, "threads_at_work": threads, **asked}


@pytest.mark.parametrize("answer", a_part(ANSWERS, 2, lambda answer: "-".join(answer[:2])))
def test_a_right_result_without_the_work_is_not_right(answer):
    exercise_id, _, misconception, source = answer
    exercise = exercises.find(exercise_id)
    program = Program(source.lstrip(), exercise.function, setup=solution_of(exercise).setup)

    outcome = check(exercise, program, device="simt", isolate=False)

    assert misconception == outcome.misconception, str(outcome)
    assert outcome.points <= (0.0 if misconception == "nothing_on_device" else round(0.6 * exercise.points, 2))


def test_every_exercise_with_a_traced_case_has_its_solutions_work_on_record():
    missing = [
        exercise.id
        for exercise in exercises.all_exercises()
        if recorded_work.measured_cases(exercise) and not recorded_work.of_solution(exercise)
    ]

    assert [] == missing


def test_work_is_measured_on_the_smallest_case_that_tells_and_on_the_largest():
    cases = {name: counters(n, 1, 1) for name, n in (("a", 9), ("b", 2000), ("c", 2001), ("d", 9000))}
    sizes = {"a": 1, "b": 600, "c": 700, "d": 3000}

    assert ["b", "d"] == list(recorded_work.record(cases, sizes))
    assert ["a"] == list(recorded_work.record({"a": cases["a"]}, sizes))


def test_an_answer_that_did_not_run_a_measured_case_is_accused_of_nothing():
    exercise = exercises.find("vector_add.vector_add")
    case = next(iter(recorded_work.of_solution(exercise)))
    alone = counters(3000, 3000, 1)

    assert ["one_thread_works"] == [cause.misconception for cause in work.evaluate(exercise, {case: alone})]
    assert () == work.evaluate(exercise, {"another case": alone})


@pytest.mark.parametrize(("few", "many", "told"), [(73, 400, True), (73, 100, False), (300, 400, False)])
def test_a_busiest_thread_that_does_more_the_longer_the_input_is_told(few, many, told):
    """As of threads that each add up all pieces before; the solution's make 73 accesses, however long the input is."""
    exercise = exercises.find("scan.scan_device")
    seen = {
        name: counters(one.memory_accesses, busiest, one.threads_at_work) | {"kernel_launches": 3}
        for (name, one), busiest in zip(recorded_work.of_solution(exercise).items(), (few, many), strict=True)
    }

    assert ["one_thread_works"] * told == [cause.misconception for cause in work.evaluate(exercise, seen)]


@pytest.mark.parametrize(("share", "cells", "told"), [(0.5, 301, True), (0.01, 301, False), (1.0, 1024, False)])
def test_numbers_of_all_blocks_that_every_block_reads_are_told_unless_they_are_as_many_in_any_case(share, cells, told):
    exercise = exercises.find("scan.scan_device")
    seen = {
        name: counters(one.memory_accesses, one.busiest_thread_accesses, one.threads_at_work)
        | {"kernel_launches": 3, "read_by_blocks": share, "read_cells": cells}
        for name, one in recorded_work.of_solution(exercise).items()
    }

    assert ["work_repeated"] * told == [cause.misconception for cause in work.evaluate(exercise, seen)]


@pytest.mark.parametrize(("few", "many", "told"), [(4, 16, True), (6, 16, True), (4, 10, False), (40, 44, False)])
def test_work_of_one_thread_that_grows_with_the_input_is_told_where_it_is_a_small_part_of_all(few, many, told):
    """As of a block whose first thread scans the sums of 1 and of 8 pieces; in the solution nobody's part grows."""
    exercise = exercises.find("scan.scan_device")
    cases = recorded_work.of_solution(exercise)
    seen = {
        name: counters(one.memory_accesses, one.busiest_thread_accesses, one.threads_at_work)
        | {"accesses_alone": alone, "kernel_launches": 3}
        for (name, one), alone in zip(cases.items(), (few, many), strict=True)
    }

    assert ["one_thread_works"] * told == [cause.misconception for cause in work.evaluate(exercise, seen)]
