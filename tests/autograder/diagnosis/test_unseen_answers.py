"""Answers from outside that were once misjudged: each stands for a class, and says what its verdict must name."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.judge import check
from tests.autograder.diagnosis.unseen.advice import MISLED
from tests.autograder.diagnosis.unseen.answers import WRONG
from tests.autograder.diagnosis.unseen.first_steps import FIRST_STEPS
from tests.autograder.diagnosis.unseen.growth import OF_GROWTH
from tests.autograder.diagnosis.unseen.habits import HABITS
from tests.autograder.diagnosis.unseen.in_first_units import FROM_FIRST_UNITS
from tests.autograder.diagnosis.unseen.in_four_units import FROM_FOUR_UNITS
from tests.autograder.diagnosis.unseen.later_rungs import FROM_LATER_RUNGS
from tests.autograder.diagnosis.unseen.locks import MISLOCKED
from tests.autograder.diagnosis.unseen.look_backs import FROM_LOOK_BACKS
from tests.autograder.diagnosis.unseen.performance import FROM_PERFORMANCE
from tests.autograder.diagnosis.unseen.places import MISPLACED
from tests.autograder.diagnosis.unseen.right import RIGHT
from tests.autograder.diagnosis.unseen.right_in_four_units import MORE_FROM_FOUR_UNITS, RIGHT_IN_FOUR_UNITS
from tests.autograder.diagnosis.unseen.scans import FROM_SCANS
from tests.autograder.diagnosis.unseen.strangers import FROM_STRANGERS
from tests.autograder.diagnosis.unseen.warps import FROM_WARPS
from tests.autograder.diagnosis.unseen.weak_words import WEAKLY_TOLD
from tests.part import a_part
from tools.check_exercises import solution_of

OUTSIDE = (
    WRONG
    | MISLED
    | MISLOCKED
    | MISPLACED
    | FROM_FOUR_UNITS
    | MORE_FROM_FOUR_UNITS
    | FROM_FIRST_UNITS
    | HABITS
    | FIRST_STEPS
)
OUTSIDE |= FROM_SCANS | FROM_LOOK_BACKS | FROM_PERFORMANCE | OF_GROWTH | FROM_WARPS | WEAKLY_TOLD | FROM_LATER_RUNGS
OUTSIDE |= FROM_STRANGERS
RIGHT_OUTSIDE = RIGHT | RIGHT_IN_FOUR_UNITS


@pytest.mark.parametrize("name", a_part(OUTSIDE, 28))
def test_the_verdict_names_the_cause_and_its_line(name):
    identifier, source, line, says = OUTSIDE[name]
    exercise = exercises.find(identifier)
    outcome = check(exercise, replace(solution_of(exercise), source=source), device="simt", isolate=False)

    assert outcome.points < exercise.points
    assert says in " ".join(str(outcome).split())
    assert not line or line in outcome.causes[0].lines


@pytest.mark.parametrize("name", a_part(RIGHT_OUTSIDE, 3))
def test_a_right_answer_in_another_style_passes_whole(name):
    identifier, source = RIGHT_OUTSIDE[name]
    exercise = exercises.find(identifier)
    outcome = check(exercise, replace(solution_of(exercise), source=source), device="simt", isolate=False)

    assert outcome.passed and outcome.points == exercise.points, str(outcome)


def test_a_return_that_is_the_wrong_way_round_is_named():
    source = """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        return
    out[i] = a[i] + b[i]
"""
    exercise = exercises.find("vector_add.vector_add")
    outcome = check(exercise, replace(solution_of(exercise), source=source), device="simt", isolate=False)

    text = " ".join(str(outcome).split())
    assert "Changing line 4 alone makes every case right: its condition is the wrong way round." in text
    assert "compare that with `i < out.size`" in text
