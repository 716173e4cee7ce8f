"""Slips of an exercise against what came out: does the misconception give exactly this, and what is right elsewhere?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.contract import Argument, Exercise, Outputs, Slip, Values
from autograder.diagnosis.symptoms import Output
from autograder.running.compare import compare


def explains(slip: Slip, exercise: Exercise, values: Values, outputs: Sequence[Output]) -> bool:
    """True when the misconception would have produced exactly these wrong outputs."""
    dtypes = {argument.name: argument.dtype for argument in exercise.outputs}
    produced = _produced(slip, values)
    bounds = exercise.bounds_of(values, produced)
    return bool(outputs) and all(
        output.name in produced and _holds(output, produced[output.name], bounds.get(output.name), dtypes[output.name])
        for output in outputs
    )


def makes_no_difference(slip: Slip, exercise: Exercise, values: Values) -> bool:
    """Whether the misconception gives what is right in this case, too."""
    produced = _produced(slip, values)
    with np.errstate(invalid="ignore", over="ignore"):
        expected = exercise.expected_of(values)
    bounds = exercise.bounds_of(values, expected)
    return not any(
        one.name in produced and one.name in expected and _differs(one, produced, expected, bounds)
        for one in exercise.outputs
    )


def computes(exercise: Exercise, values: Values) -> bool:
    """Whether some output of this case is no copy of an input: one that is right is worked out."""
    with np.errstate(invalid="ignore", over="ignore"):
        expected = exercise.expected_of(values)
    inputs = [np.asarray(value) for value in values.values()]
    wanted = [np.asarray(expected[one.name]) for one in exercise.outputs if one.name in expected]
    return any(not any(np.array_equal(one, given, equal_nan=True) for given in inputs) for one in wanted)


def _produced(slip: Slip, values: Values) -> Outputs:
    """What the misconception makes of a case's arguments, which stay as they are."""
    copies = {name: np.copy(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}
    with np.errstate(invalid="ignore", over="ignore"):
        return slip.produces(copies)


def _differs(one: Argument, produced: Outputs, expected: Outputs, bounds: Outputs) -> bool:
    """Whether a slip produces another output than the one that is right, or leaves some of it unwritten."""
    if np.ma.getmaskarray(produced[one.name]).any():
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        got = np.ma.getdata(produced[one.name]).astype(one.dtype)
    return compare(one.name, got, expected[one.name], bounds.get(one.name), one.dtype) is not None


def _holds(output: Output, produced: np.ndarray, bound, dtype: str) -> bool:
    """True when an output is what a slip produces. Elements that the slip masks are those that nobody wrote."""
    unwritten = np.ma.getmaskarray(produced)
    if not unwritten.any():
        return compare(output.name, output.got, np.ma.getdata(produced), bound, dtype) is None
    if not np.array_equal(unwritten, output.unwritten):
        return False
    got, wanted = np.where(unwritten, 0, output.got).astype(output.got.dtype), np.ma.filled(produced, 0)
    return compare(output.name, got, wanted, None if bound is None else np.ma.filled(bound, 0), dtype) is None
