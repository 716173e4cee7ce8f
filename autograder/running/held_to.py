"""What the outputs of a case are held to: the oracle's values, to the bit or within the contract's bound."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.contract import Case, Exercise, Values
from autograder.running.buffers import fresh
from autograder.running.cases import corners
from autograder.running.compare import Mismatch, compare, moved

UNDERFLOW = 256 * float(np.finfo(np.float32).smallest_subnormal)  # what so many products that come to 0 may lose


def bounds_of(exercise: Exercise, case: Case, values: Values, expected: Mapping) -> Mapping[str, Any]:
    """The absolute error allowed for each output; empty for exact cases, where there are any."""
    exact = exercise.is_exact(case) and not corners.rounds(exercise, case, values, expected)
    if exact:
        return {}
    return {name: np.maximum(bound, UNDERFLOW) for name, bound in exercise.bounds_of(values, expected).items()}


def mismatches_in(
    exercise: Exercise, outputs: Mapping, expected: Mapping, bounds: Mapping, signed: Collection[str] = ()
) -> dict[str, Mismatch]:
    """The wrong outputs of one run, by name. What the oracle says nothing about may hold anything.

    signed: those in which the sign of a zero counts, where results are exact.
    """
    found = {}
    for name, dtype in ((one.name, one.dtype) for one in exercise.outputs if one.name in expected):
        mismatch = compare(name, outputs[name], expected[name], bounds.get(name), dtype, name in signed)
        if mismatch is not None:
            found[name] = mismatch
    return found


def is_wrong(exercise: Exercise, case: Case, values: Values, expected: Mapping, outputs: Mapping) -> bool:
    """Whether any output of one run is not what the oracle says."""
    return bool(mismatches_in(exercise, outputs, expected, bounds_of(exercise, case, values, expected)))


@dataclass(frozen=True)
class Held:
    """What the outputs of one case are held to. signed: those in which the sign of a zero counts."""

    exercise: Exercise
    expected: Mapping
    bounds: Mapping[str, Any]
    signed: Collection[str] = ()

    @classmethod
    def to(cls, exercise: Exercise, case: Case, values: Values) -> Held:
        """For the arguments of a case."""
        expected = exercise.expected_of(fresh(exercise, values, None))
        signed = moved(exercise, values, expected) if case.values == "special" else ()
        return cls(exercise, expected, bounds_of(exercise, case, values, expected), signed)

    def mismatches(self, outputs: Mapping) -> dict[str, Mismatch]:
        """The wrong outputs of one run, by name."""
        return mismatches_in(self.exercise, outputs, self.expected, self.bounds, self.signed)
