"""A slip is what a mistake computes: some wrong answer makes each of them, so that its words are met by somebody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.exercises import all_exercises
from autograder.exercises.catalogue import answers_for
from autograder.judge import check
from tests.course.costly import COSTLY
from tests.course.one_change import ONE_CHANGE
from tools.check_exercises import solution_of


def test_every_slip_is_made_by_a_wrong_answer():
    made = {(name.split(".")[0], misconception) for name, misconception, _, _ in ONE_CHANGE}
    made |= {(one.id.split(".")[0], answer.misconception) for one in all_exercises() for answer in answers_for(one)}
    slips = {(one.id.split(".")[0], slip.misconception) for one in all_exercises() for slip in one.slips}

    assert set() == slips - made


def tried(number, row):
    """A row; half of those that do not take seconds are tried in a commit."""
    name, misconception = row[:2]
    left = number % 2 or name in COSTLY
    return pytest.param(*row, id=f"{name}-{misconception}", marks=pytest.mark.release if left else ())


@pytest.mark.parametrize(
    ("name", "misconception", "changes", "words"), [tried(*each) for each in enumerate(ONE_CHANGE)]
)
def test_one_change_to_the_right_answer_is_told(name, misconception, changes, words):
    exercise = exercises.find(name)
    program = solution_of(exercise)
    source = program.source
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    outcome = check(exercise, replace(program, source=source), device="simt", isolate=False)

    assert not outcome.passed
    assert words in " ".join(str(outcome).split())
