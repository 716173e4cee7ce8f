"""One number stands wherever the length of something, or an argument, belongs: what a search begins with is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from autograder.contract import Exercise, Values
from autograder.diagnosis.symptoms import Output
from autograder.outcome import Cause

FEWEST, FEWEST_CASES = 3, 2  # wrong elements, and cases with different numbers in their place
SAYS = "Wherever {name} is wrong it holds {held}, and {meant} belongs there."
REMEDY = (
    "Look for {held} in your code: as a sign for nothing found it may serve on the way, and what is stored then is "
    "{meant}."
)


def cause_of_placeholder(exercise: Exercise, failures: Sequence[tuple[Values, Sequence[Output]]]) -> Cause | None:
    """The one number that all wrong elements hold where a length or an argument is meant; None elsewhere."""
    names = {output.name for _, outputs in failures for output in outputs}
    if len(names) != 1 or len(failures) < FEWEST_CASES:
        return None
    shown = [(values, output) for values, outputs in failures for output in outputs]
    wrong = [~output.right for _, output in shown]
    held = np.unique(np.concatenate([output.got[bad].ravel() for (_, output), bad in zip(shown, wrong, strict=True)]))
    meant = [np.unique(output.expected[bad]) for (_, output), bad in zip(shown, wrong, strict=True)]
    if held.size != 1 or held.dtype.kind not in "iu" or any(one.size != 1 for one in meant):
        return None
    if any(output.unwritten[bad].any() for (_, output), bad in zip(shown, wrong, strict=True)):
        return None
    numbers = [one.item() for one in meant]
    if sum(map(np.count_nonzero, wrong)) < FEWEST or len(set(numbers)) < FEWEST_CASES:
        return None
    for words in _known(exercise, shown[0][0]):
        if all(_of(values, *words) == number for (values, _), number in zip(shown, numbers, strict=True)):
            called = f"{words[0]}{'' if words[1] is None else f'.shape[{words[1]}]'}"
            place = {"name": shown[0][1].name, "held": held.item(), "meant": called}
            return Cause("wrong_output", "placeholder_stored", SAYS.format(**place), REMEDY.format(**place))
    return None


def _known(exercise: Exercise, values: Values) -> Iterator[tuple[str, int | None]]:
    """What has a length or is a whole number: (argument, axis), or (argument, None)."""
    for one in exercise.arguments:
        value = values[one.name]
        if isinstance(value, np.ndarray):
            yield from ((one.name, axis) for axis in range(value.ndim))
        elif isinstance(value, int | np.integer):
            yield one.name, None


def _of(values: Values, name: str, axis: int | None) -> int:
    value = values[name]
    return int(value) if axis is None else int(value.shape[axis])
