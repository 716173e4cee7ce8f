"""Which ladder answers a mistake that both an exercise and the common hints know."""

from autograder import exercise
from autograder.exercises.hints.common import FLOAT64_ARITHMETIC


def test_an_exercises_own_ladder_goes_before_the_common_one():
    question = exercise("vector_add.blend")
    ladder = question._ladder("float64_arithmetic")
    first = next(hint for hint in question.exercise.hints if hint.misconception == "float64_arithmetic")

    assert FLOAT64_ARITHMETIC is not first
    assert first is ladder
