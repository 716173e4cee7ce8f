"""Slips of an exercise against what came out: does the misconception give exactly this, and what is right elsewhere?

One slip every exercise of floats invites: numbers that lose their fractions, coming in or going out. Whole numbers stay
right, so only cases with other values show it, and there every element may be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from autograder.contract import Argument, Exercise, Outputs, Slip, Values
from autograder.diagnosis.symptoms import Output
from autograder.running.compare import compare
from simt.values.conversions import to_integer

ROUNDS_MORE = 2e-6  # of a number: a few roundings of a float32


def explains(slip: Slip, exercise: Exercise, values: Values, outputs: Sequence[Output]) -> bool:
    """True when the misconception would have produced exactly these wrong outputs, and got the others right."""
    dtypes = {argument.name: argument.dtype for argument in exercise.outputs}
    produced = outputs_of(slip, values)
    bounds = exercise.bounds_of(values, produced)
    wrong = {output.name for output in outputs}
    if any(_goes_wrong(one, exercise, values, produced) for one in exercise.outputs if one.name not in wrong):
        return False
    return bool(outputs) and all(
        output.name in produced
        and _holds(output, produced[output.name], _with_room(bounds, produced, output.name), dtypes[output.name])
        for output in outputs
    )


def _with_room(bounds: Outputs, produced: Outputs, name: str) -> np.ndarray | None:
    """What a mistake's result may be off by: a contract's bound is proven for the right formula alone, and a wrong one
    may round more often."""
    bound, made = bounds.get(name), np.ma.filled(produced[name], 0)
    if bound is None or made.dtype.kind != "f":  # whole numbers round nowhere, and int8 has no absolute value of -128
        return bound
    return np.ma.filled(bound, 0) + ROUNDS_MORE * np.abs(made)


def makes_no_difference(slip: Slip, exercise: Exercise, values: Values) -> bool:
    """Whether the misconception gives what is right in this case, too."""
    produced = outputs_of(slip, values)
    return not any(_goes_wrong(one, exercise, values, produced) for one in exercise.outputs)


def computes(exercise: Exercise, values: Values) -> bool:
    """Whether some output of this case is no copy of an input: one that is right is worked out."""
    expected = exercise.expected_of(values)
    inputs = [np.asarray(value) for value in values.values()]
    wanted = [np.asarray(expected[one.name]) for one in exercise.outputs if one.name in expected]
    return any(not any(np.array_equal(one, given, equal_nan=True) for given in inputs) for one in wanted)


def _goes_wrong(one: Argument, exercise: Exercise, values: Values, produced: Outputs) -> bool:
    """Whether a slip gives another output than the right one."""
    expected = exercise.expected_of(values)
    known = one.name in produced and one.name in expected
    return known and _differs(one, produced, expected, exercise.bounds_of(values, expected))


def outputs_of(slip: Slip, values: Values) -> Outputs:
    """What the misconception makes of a case's arguments, which stay as they are. NumPy's warnings are meant."""
    copies = {name: np.copy(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}
    with np.errstate(all="ignore"):
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


def _through(integer: type) -> Callable[[np.ndarray], np.ndarray]:
    """Into whole numbers and back, with what a GPU makes of infinities."""
    return lambda values: to_integer(np.asarray(values), np.dtype(integer)).astype(values.dtype)


WAYS = (
    (_through(np.int64), "as if by int()"),
    (_through(np.int32), "as if kept in an int32"),
    (np.floor, "as if by //"),
    (np.rint, "as if by round()"),
)


def lost_fractions(exercise: Exercise) -> Iterator[Slip]:
    """What comes out where a float input, or the floats of all outputs, are made whole numbers."""
    floats = [one for one in exercise.arguments if one.shape and "float" in one.dtype]
    read = [one for one in floats if one.role in ("in", "inout")]
    written = [one.name for one in floats if one in exercise.outputs]
    for whole, who in WAYS:
        yield from (_of_input(exercise, one, whole, who) for one in read)
        if written:
            yield _of_outputs(exercise, written, whole, who)


def _of_input(exercise: Exercise, one: Argument, whole: Callable, who: str) -> Slip:
    def produces(values: Values) -> Outputs:
        return exercise.expected_of({**values, one.name: whole(values[one.name])})

    return Slip("lost_fraction", f"what is read from {one.name} loses its fraction before it is used, {who}", produces)


def _of_outputs(exercise: Exercise, names: list[str], whole: Callable, who: str) -> Slip:
    def produces(values: Values) -> Outputs:
        expected = exercise.expected_of(values)
        return {name: whole(wanted) if name in names else wanted for name, wanted in expected.items()}

    says = f"{' and '.join(names)} would be right, but for the fractions, which are lost, {who}"
    return Slip("lost_fraction", says, produces)
