"""What a text promises beside values, and whether two runs of a case kept it."""

from __future__ import annotations

import numpy as np

from autograder.contract import Exercise
from autograder.outcome import Cause
from autograder.running.buffers import same_bytes, still_poisoned
from autograder.running.runs import Run
from autograder.words import count_text


def broken(exercise: Exercise, first: Run, second: Run) -> Cause | None:
    """The first promise that was not kept. second: from other poison, blocks in another order; or the first itself."""
    promises = exercise.promises
    for name in promises.same_bits:
        one, other = (np.asarray(run.outputs[name]) for run in (first, second))
        if not same_bytes(one, other):
            return _other_bits(name, one, other)
    for name in promises.filled:
        one, other = (np.asarray(run.after[name]) for run in (first, second))
        left = still_poisoned(one, 0) & still_poisoned(other, 0 if first is second else 1)
        if left.any():
            return _left_empty(name, left)
    most, n = promises.launches, len(first.launches)
    if most is not None and n > most:
        says = f"{count_text(n, 'launch', 'launches')} in one call; the task allows {most}, whatever the size."
        return Cause("over_budget", "too_many_launches", says, "Let each launch do the work of all elements.")
    return None


def _other_bits(name: str, one: np.ndarray, other: np.ndarray) -> Cause:
    at = int(np.argmax(one.reshape(-1) != other.reshape(-1)))
    values = " and ".join(str(array.reshape(-1)[at]) for array in (one, other))
    return Cause(
        "wrong_output",
        "order_dependent",
        f"{name} depends on the order in which blocks finish: two runs on the same numbers give {values}. The task "
        "asks for the same bits every time.",
        "Add up in an order that the places in memory decide, and not the number of the block or who came first.",
        array=name,
    )


def _left_empty(name: str, left: np.ndarray) -> Cause:
    places = np.flatnonzero(left)
    return Cause(
        "wrong_output",
        "output_not_written",
        f"{name}[{places[0]}] was never written ({places.size:,} of {left.size:,} were not).",
        f"Write every element of {name}: its size is the number that is asked for.",
        array=name,
    )
