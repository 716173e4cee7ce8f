"""A wrong result that no slip explains is told by where it first differs from the right one, and the rule there."""

import numpy as np
import pytest

from autograder import exercises
from autograder.contract import Case
from autograder.running.buffers import make_values
from autograder.running.runs import given
from tools.check_exercises import solution_of

COMPARED = [exercise for exercise in exercises.all_exercises() if exercise.compared]
LARGEST = {one.id: max(one.cases, key=lambda case: max(case.sizes.values())) for one in COMPARED}


def right_call(exercise, case: Case):
    """Arguments, right results by name, and the stand-ins as the solution left them."""
    values = make_values(exercise, case)
    stand_ins = {name: given(exercise, values, name) for name in exercise.stand_ins}
    arguments = {one.name: values[one.name] for one in exercise.arguments if one.role != "out"} | stand_ins
    with solution_of(exercise).loaded() as (_, function):
        returned = function(*arguments.values())
    outputs = [one.name for one in exercise.outputs]
    parts = returned if len(outputs) > 1 else (returned,)
    return values, {name: np.array(part) for name, part in zip(outputs, parts, strict=True)}, stand_ins


@pytest.mark.parametrize("exercise", COMPARED, ids=lambda one: one.id)
def test_nothing_is_said_of_a_right_result(exercise):
    values, right, stand_ins = right_call(exercise, LARGEST[exercise.id])

    assert "" == exercise.compared(values, right, stand_ins)


@pytest.mark.parametrize("exercise", COMPARED, ids=lambda one: one.id)
@pytest.mark.parametrize("wrong", [1, -1, 40, -40, 1_000_000])
def test_whatever_element_is_wrong_a_sentence_says_which_and_why(exercise, wrong):
    values, right, stand_ins = right_call(exercise, LARGEST[exercise.id])
    rng = np.random.default_rng(abs(wrong))

    for name, output in right.items():
        got = {**right, name: output.copy()}
        at = tuple(int(rng.integers(0, size)) for size in output.shape)
        got[name][at] += wrong
        says = exercise.compared(values, got, stand_ins)

        assert says.endswith(".") and len(says) > 30, (name, at)
        assert not at or str(at[0]) in says, (name, at, says)
