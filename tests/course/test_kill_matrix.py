"""Every exercise proves itself: stub, solution, and every catalogued answer earn the verdict they were promised."""

import pytest

from autograder import exercises
from autograder.exercises.catalogue import answers_for
from tools import check_exercises

ANSWERS = [(exercise, answer) for exercise in exercises.all_exercises() for answer in answers_for(exercise)]


@pytest.mark.parametrize("exercise", exercises.all_exercises(), ids=lambda exercise: exercise.id)
def test_an_exercise_has_enough_answers_and_hints_to_prove_something(exercise):
    assert [] == check_exercises.shortcomings(exercise, answers_for(exercise))


@pytest.mark.parametrize("exercise", exercises.all_exercises(), ids=lambda exercise: exercise.id)
def test_the_stub_is_not_attempted_and_the_solution_passes(exercise):
    rows = check_exercises.prove_solution(exercise)
    assert [("stub", "NotAttempted", ""), ("solution", "Passed", "")] == [
        (row.kind, row.outcome, row.complaint) for row in rows
    ]


@pytest.mark.parametrize(("exercise", "answer"), ANSWERS, ids=[f"{e.id}-{a.name}" for e, a in ANSWERS])
def test_a_catalogued_answer_earns_its_verdict(exercise, answer):
    assert "" == check_exercises.prove_answer(exercise, answer).complaint
