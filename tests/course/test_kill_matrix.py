"""Every exercise proves itself: its stub and the answers of its catalogue earn the verdict they were promised."""

import zlib

import pytest

from autograder import exercises
from autograder.exercises.catalogue import answers_for
from tests.course.costly import COSTLY
from tools import check_exercises
from tools.matrices.rows import in_other_styles

MISTAKES = 1  # of each exercise, in a commit's tests
FEWEST_STYLES = 6  # right answers that somebody wrote, or that its solution gives written otherwise


def tried(exercise):
    """A mistake, a right answer, and one of the other styles: what `left_to_a_release` says of them.

    `make check-exercises`, which `make test-all` runs, tries all answers that there are.
    """
    answers = answers_for(exercise)
    start = zlib.crc32(exercise.id.encode())  # not always the first ones of a file
    kinds = {answer.misconception: answer for answer in answers if answer.outcome != "Passed"}
    styles = [answer for answer in answers if answer.is_style]
    others = [answer for answer in answers if answer.outcome == "Passed" and not answer.is_style]
    return [
        *turned(list(kinds.values()), start)[:MISTAKES],
        *turned(others, start)[:1],
        *turned(styles, start)[:1],
    ]


def turned(things, start):
    """The same in the same order, from another one on."""
    first = start % len(things) if things else 0
    return things[first:] + things[:first]


def left_to_a_release(exercise, answer):
    """Other styles, and what takes seconds. A commit tries a mistake of a third of the exercises, a right answer of
    another third."""
    third = zlib.crc32(exercise.id.encode()) % 3
    wanted = {0: True, 1: False}.get(third)  # whether it passes
    return answer.is_style or (answer.outcome == "Passed") is not wanted or exercise.id in COSTLY


ANSWERS = [
    pytest.param(
        exercise,
        answer,
        id=f"{exercise.id}-{answer.name}",
        marks=pytest.mark.release if left_to_a_release(exercise, answer) else (),
    )
    for exercise in exercises.all_exercises()
    for answer in tried(exercise)
]


@pytest.mark.parametrize("exercise", exercises.all_exercises(), ids=lambda exercise: exercise.id)
def test_an_exercise_has_enough_answers_and_hints_to_prove_something(exercise):
    assert [] == check_exercises.shortcomings(exercise, answers_for(exercise))


@pytest.mark.parametrize("exercise", exercises.all_exercises(), ids=lambda exercise: exercise.id)
def test_the_stub_is_not_attempted(exercise):
    """Its solution: test_notebooks_run.py, in the notebook that a learner reads."""
    assert "" == check_exercises.prove_stub(exercise).complaint


@pytest.mark.parametrize(("exercise", "answer"), ANSWERS)
def test_a_catalogued_answer_earns_its_verdict(exercise, answer):
    assert "" == check_exercises.prove_answer(exercise, answer).complaint


@pytest.mark.parametrize("unit", sorted({exercise.unit for exercise in exercises.all_exercises()}))
def test_every_exercise_has_right_answers_in_six_other_styles(unit):
    few = {}
    for exercise in exercises.of_unit(unit):
        count = sum(answer.outcome == "Passed" for answer in answers_for(exercise))
        if count < FEWEST_STYLES:
            count += len(list(in_other_styles(exercise, check_exercises.solution_of(exercise))))
        if count < FEWEST_STYLES:
            few[exercise.id] = count

    assert {} == few
