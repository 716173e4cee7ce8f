"""Infinities and NaN of a contract's cases come to where a mistake shows: into every field, and into the result."""

import re

import numpy as np
import pytest

from autograder import exercises
from autograder.running.buffers import make_values

KINDS = ("special", "nonfinite")

ODD = [
    pytest.param(exercise, [case for case in exercise.cases if case.values in KINDS], id=exercise.id)
    for exercise in exercises.all_exercises()
    if any(case.values in KINDS for case in exercise.cases)
]


def is_float(array):
    return isinstance(array, np.ndarray) and array.dtype.kind == "f" and array.size


@pytest.mark.parametrize(("exercise", "cases"), ODD)
def test_every_field_of_an_array_of_fields_meets_one(exercise, cases):
    fields = [one.name for one in exercise.arguments if re.match(r"\(\d+, ", one.shape) and one.role in ("in", "inout")]
    for name in fields:
        arrays = [make_values(exercise, case)[name] for case in cases]
        finite = [
            all(np.isfinite(array[row]).all() for array in arrays if is_float(array)) for row in range(len(arrays[0]))
        ]

        assert not any(finite), f"{name}: rows {[row for row, all_finite in enumerate(finite) if all_finite]}"


@pytest.mark.parametrize(("exercise", "cases"), ODD)
def test_results_that_are_floats_hold_some(exercise, cases):
    expected = [exercise.expected_of(make_values(exercise, case)) for case in cases]
    results = [np.asarray(one[name]) for one in expected for name in one if np.asarray(one[name]).dtype.kind == "f"]

    assert not results or any(not np.isfinite(result).all() for result in results)
