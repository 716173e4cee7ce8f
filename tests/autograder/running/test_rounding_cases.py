"""An exercise whose arithmetic rounds whatever it is given is judged by its bound in every case, and only then."""

from dataclasses import replace

import numpy as np
import pytest

from autograder.judge import check
from tests.autograder.answers import program
from tests.autograder.sample import ADD

ROUNDING = replace(ADD, slips=(), bound=lambda values, expected: {"out": 2.0**-20 * np.abs(expected["out"])})
ANSWER = """
@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (a[i] + b[i]) * float32(0.99999994)
"""


@pytest.mark.parametrize("rounds", [False, True])
def test_a_rounding_is_an_error_where_an_exercise_has_exact_cases(rounds):
    exercise = replace(ROUNDING, rounds=rounds)

    outcome = check(exercise, program(ANSWER, "add"), device="simt", isolate=False)
    assert rounds == (outcome.points == ADD.points), str(outcome)


def test_a_wrong_result_stays_wrong_where_arithmetic_rounds():
    answer = program(ANSWER.replace("0.99999994", "0.9999"), "add")

    outcome = check(replace(ROUNDING, rounds=True), answer, device="simt", isolate=False)
    assert outcome.points < ADD.points
