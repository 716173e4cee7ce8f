"""What unit 01 says in prose about journeys between host and device."""

from __future__ import annotations

import pytest

from autograder import exercises
from autograder.exercises.catalogue import answers_for
from autograder.judge import check

ARRAY_BYTES = 4 * 1025  # of one float32 array in the case that the budgets use


def arrays_moved(exercise_id: str, answer: str) -> float:
    """How many arrays an answer of the catalogue moves between host and device, both ways together."""
    exercise = exercises.find(exercise_id)
    (program,) = (known.program for known in answers_for(exercise) if known.name == answer)
    outcome = check(exercise, program, device="simt", isolate=False)
    (moved,) = {budget.value for budget in outcome.budgets if budget.counter == "transferred_bytes"}
    return moved / ARRAY_BYTES


@pytest.mark.parametrize(
    "exercise_id, answer, arrays",
    [
        ("vector_add.add_on_device", "one_line_a_step", 3),
        ("vector_add.add_on_device", "output_copied_up", 4),
        ("vector_add.add_on_device", "numpy_arrays_handed_in", 6),
        ("vector_add.add_four", "two_pairs", 5),
        ("vector_add.add_four", "three_round_trips", 9),
    ],
)
def test_journeys_move_as_many_arrays_as_the_unit_says(exercise_id, answer, arrays):
    assert arrays == arrays_moved(exercise_id, answer)
