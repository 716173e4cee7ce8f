"""What a slip makes is explained by that slip, in numbers of every kind."""

import numpy as np
import pytest

from autograder.contract import Slip
from autograder.diagnosis.slips import explains
from autograder.diagnosis.symptoms import Output
from autograder.exercises import all_exercises
from autograder.running import buffers

FEW = 70_000  # elements of a case that is tried


def wrong_outputs(exercise, slip: Slip):
    """(arguments, wrong outputs) of the first case in which a slip makes a difference; None where none shows it."""
    for case in exercise.cases:
        values = buffers.make_values(exercise, case, "")
        if sum(np.size(value) for value in values.values()) > FEW:
            continue
        expected, made = exercise.expected_of(values), {}
        with np.errstate(all="ignore"):
            made = slip.produces({name: np.copy(value) for name, value in values.items()})
        if any(np.ma.getmaskarray(one).any() for one in made.values()):
            return None  # what nobody wrote is no number
        outputs = []
        for one in exercise.outputs:
            with np.errstate(all="ignore"):
                got = np.asarray(made.get(one.name, expected[one.name])).astype(one.dtype)
            right = got == np.asarray(expected[one.name])
            if not right.all():
                nothing = np.zeros(got.shape, bool)
                outputs.append(
                    Output(one.name, got, got, np.asarray(expected[one.name]), right, nothing, values, False, "", 256)
                )
        if outputs:
            return values, outputs
    return None


WHOLE = [
    (exercise, slip)
    for exercise in all_exercises()
    if exercise.outputs and all(one.dtype == "int8" for one in exercise.outputs)
    for slip in exercise.slips
]


@pytest.mark.parametrize(("exercise", "slip"), WHOLE, ids=lambda one: getattr(one, "id", getattr(one, "name", "")))
def test_a_slip_explains_what_it_makes_down_to_the_lowest_number(exercise, slip):
    found = wrong_outputs(exercise, slip)

    assert found is None or explains(slip, exercise, *found)


def test_there_is_something_to_explain():
    assert 10 <= sum(wrong_outputs(exercise, slip) is not None for exercise, slip in WHOLE)
