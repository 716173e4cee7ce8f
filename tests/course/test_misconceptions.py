"""The vocabulary of mistakes: what a check can find has hints in every unit, and no ladder waits for nothing."""

from pathlib import Path

import pytest

from autograder import exercises
from autograder.diagnosis.misconceptions import MISCONCEPTIONS
from autograder.exercises.catalogue import answers_for
from autograder.exercises.hints import COMMON, ladders_of

ALL = exercises.all_exercises()


def of_contract(exercise) -> set[str]:
    """The misconceptions that a contract and the answers to it name."""
    named = {budget.misconception for budget in exercise.budgets} | {slip.misconception for slip in exercise.slips}
    return (named | {answer.misconception for answer in answers_for(exercise)}) - {""}


@pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)
def test_whatever_a_check_can_find_has_a_ladder(exercise):
    known = {hint.misconception for hint in exercise.hints}

    assert [] == sorted((set(MISCONCEPTIONS) | of_contract(exercise)) - known)


@pytest.mark.parametrize("unit", exercises.units())
def test_no_ladder_of_a_unit_waits_for_a_word_that_nobody_says(unit):
    said = {"start", *MISCONCEPTIONS}.union(*(of_contract(exercise) for exercise in exercises.of_unit(unit)))
    path = Path(exercises.__file__).parent / f"u{unit}" / "hints.md"

    assert [] == [f"{each.line}: {each.misconception}" for each in ladders_of(path) if each.misconception not in said]


def test_no_common_ladder_waits_for_a_word_that_nobody_says():
    said = set(MISCONCEPTIONS).union(*(of_contract(exercise) for exercise in ALL))

    assert [] == [f"{each.line}: {each.misconception}" for each in ladders_of(COMMON) if each.misconception not in said]
