"""Single numbers that are wrong, read together over the cases: one shows nothing, and several have a relation.

Patterns want several elements. A function that gives a number has one a case, so its cases are laid side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np

from autograder.contract import Exercise, Values
from autograder.diagnosis.symptoms import Output, same
from autograder.outcome import Cause

LARGEST = 4_096  # of two arguments that change places: one may be a length
FEWEST = 3  # cases that have to show it, with different numbers
ITSELF = "{name} is {given} itself, in every case that is wrong: what is to be worked out with it is missing."
TIMES = "{name} is {factor:.4g} times what it should be, in every case that is wrong."
UPSIDE_DOWN = "{name} is 1 divided by what it should be, in every case that is wrong."
EXCHANGED = "What comes out is right for {one} and {other} in each other's place."
LOOK = {
    ITSELF: "Work one of these cases out by hand: what has to be done with {given} before it is returned?",
    TIMES: "Look for a factor that is missing, or applied twice.",
    UPSIDE_DOWN: "What is divided by what? Say which of the two is larger, and whether the result is above 1.",
    EXCHANGED: "Look at each place where one of the two stands: which of them does the text name there?",
}


def cause_of_numbers(exercise: Exercise, failures: Sequence[tuple[Values, Sequence[Output]]]) -> Cause | None:
    """What the wrong numbers of several cases have in common; None where they show nothing."""
    by_name: dict[str, list[tuple[Values, Output]]] = {}
    for values, outputs in failures:
        for output in outputs:
            if output.got.size == 1 and output.expected.dtype.kind in "iuf":
                by_name.setdefault(output.name, []).append((values, output))
    for name, shown in by_name.items():
        got = np.array([one.got.item() for _, one in shown], np.float64)
        expected = np.array([one.expected.item() for _, one in shown], np.float64)
        if len(shown) < FEWEST or np.unique(expected).size < FEWEST or not np.isfinite([got, expected]).all():
            continue
        scalars = [one.name for one in exercise.arguments if one.role == "scalar"]
        given = [{one: values[one] for one in scalars} for values, _ in shown]
        for words, known in _relations(name, given, got, expected):
            return Cause("wrong_output", "a_step_off", words.format(**known), LOOK[words].format(**known))
    return _exchanged(exercise, failures)


def _relations(
    name: str, values: Sequence[Values], got: np.ndarray, expected: np.ndarray
) -> Iterator[tuple[str, dict[str, object]]]:
    for given in values[0]:
        numbers = [one[given] for one in values]
        if all(isinstance(one, int | float | np.number) for one in numbers) and same(got, np.array(numbers, float)):
            yield ITSELF, {"name": name, "given": given}
    if expected.all() and got.all():
        factor = float(got[0] / expected[0])
        if factor != 1 and same(got, expected * factor):
            yield TIMES, {"name": name, "factor": factor}
        if same(got, 1 / expected):
            yield UPSIDE_DOWN, {"name": name}


def _exchanged(exercise: Exercise, failures: Sequence[tuple[Values, Sequence[Output]]]) -> Cause | None:
    """Two arguments in each other's place, where all outputs are numbers."""
    numbers = [one.name for one in exercise.arguments if one.role == "scalar"]
    of_numbers = all(output.got.size == 1 for _, outputs in failures for output in outputs)
    if not of_numbers or len(failures) < FEWEST or len(numbers) < len(("one", "other")):
        return None
    for one, other in combinations(numbers, 2):
        if all(_as_if(exercise.expected_of, values, (one, other), outputs) for values, outputs in failures):
            known = {"one": one, "other": other}
            return Cause("wrong_output", "a_step_off", EXCHANGED.format(**known), LOOK[EXCHANGED].format(**known))
    return None


def _as_if(expected_of: Callable, values: Values, pair: tuple[str, str], outputs: Sequence[Output]) -> bool:
    one, other = pair
    if values[one] == values[other] or max(abs(values[one]), abs(values[other])) > LARGEST:
        return False
    try:
        made = expected_of({**values, one: values[other], other: values[one]})
    except (ArithmeticError, ValueError, IndexError):
        return False
    return all(same(np.asarray(made[output.name]), output.got) for output in outputs)
