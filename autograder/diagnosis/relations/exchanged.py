"""Two outputs of one exercise, each holding what belongs in the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.contract import Exercise, Values
from autograder.diagnosis.symptoms import Output
from autograder.outcome import Cause
from autograder.running.compare import Mismatch


def cause_of_exchange(
    exercise: Exercise, failures: Sequence[tuple[Values, Sequence[Output]]], odd: Sequence[Mismatch]
) -> Cause | None:
    """What two outputs in each other's place say; None where that is not what is wrong.

    failures: for every failing case, its arguments and its wrong outputs; odd: outputs of another shape or dtype.
    """
    pair = _by_shape(odd) or _by_values([outputs for _, outputs in failures if outputs])
    if pair is None:
        return None
    first, second = sorted(pair, key=[one.name for one in exercise.outputs].index)
    order = ", ".join(one.name for one in exercise.outputs)
    returned = exercise.kind == "host" and exercise.arrays == "host"
    return Cause(
        "wrong_output",
        "wrong_return" if returned else "wrong_formula",
        f"{first} holds what belongs in {second}, and {second} what belongs in {first}.",
        f"Return {order}, in this order." if returned else "Exchange the arrays that the two results are stored to.",
    )


def _by_shape(odd: Sequence[Mismatch]) -> tuple[str, str] | None:
    shapes = [one for one in odd if one.reason == "shape"]
    for one in shapes:
        for other in shapes:
            if one.got == other.expected != one.expected == other.got:
                return one.output, other.output
    return None


def _by_values(failures: Sequence[Sequence[Output]]) -> tuple[str, str] | None:
    """The same two outputs in every failing case: by their numbers, of which some differ."""
    pairs = [
        {(a.name, b.name) for a in outputs for b in outputs if a.name < b.name and _is(a, b) and _is(b, a)}
        for outputs in failures
    ]
    return min(set.intersection(*pairs), default=None) if pairs else None


def _is(one: Output, other: Output) -> bool:
    """Whether an output holds just what belongs in another one."""
    return one.got.shape == other.expected.shape and bool(np.array_equal(one.got, other.expected, equal_nan=True))
