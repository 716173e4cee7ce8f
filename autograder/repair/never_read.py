"""Elements of an input that no thread reads, where the result depends on them: a loop that ends too early, a rest.

What is read is listened to; that it counts is seen from the oracle, which gives another result for other numbers there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.contract import Exercise, Values
from autograder.diagnosis.symptoms import Output
from autograder.outcome import Cause
from autograder.running import run_simt
from autograder.running.buffers import fresh
from autograder.running.evidence import Failure
from autograder.running.runs import parameter_names
from autograder.running.session import Session
from simt.events import Access, Listener
from simt.lanes.meter import Meter
from simt.tracing import Tracer

STEPS, SECONDS = 20_000, 20.0  # of the interpreter, for one run that is listened to
TAIL = "From element {first} on nothing of {name} is ever read{at}, and the result depends on that."
SOME = "Element {first} of {name} is never read{at}, and the result depends on it."
TO_THE_END = (
    "Let every element be somebody's: check the index at which each thread reads, how a number of iterations is "
    "rounded, and where a loop ends."
)
WHOSE = "Which thread, in which iteration, should read element {first}? Work its index out with your code's formula."


class Reads(Listener):
    """Which elements of arguments are read, by the kernel's names."""

    hears_wide = True

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.read = {name: np.zeros(size, bool) for name, size in sizes.items()}
        self.aside: set[str] = set()  # read in another way, or under another name

    def access(self, event: Access) -> None:
        seen = self.read.get(event.array.name)
        if seen is None or event.array.space != "global" or event.kind == "store":
            return
        if seen.size != event.array.n_cells:
            self.aside.add(event.array.name)
            return
        for step in range(event.wide):
            seen[np.minimum(event.cells + step, seen.size - 1)] = True

    def copy_begins(self, event: Access) -> None:
        self.access(event)

    def tile_read(self, event: Access) -> None:
        self.aside.add(event.array.name)

    def constant_load(self, event: Access) -> None:
        self.access(event)


def in_view_of_what_is_read(session: Session, cause: Cause) -> Cause:
    """A wrong output without a cause, with the elements that nobody reads and that count; other causes as they are."""
    named = (
        cause.kind != "wrong_output"
        or cause.misconception != "wrong_formula"
        or cause.is_slip
        or cause.lines
        or cause.remedy
    )
    if named or session.exercise.kind != "kernel" or session.runner is not run_simt.run:
        return cause
    for failure in session.failures:
        if failure.outputs and (told := _of_failure(session, failure)):
            says, remedy = told
            return replace(cause, misconception="never_read", says=says, remedy=remedy)
    return cause


def _of_failure(session: Session, failure: Failure) -> tuple[str, str] | None:
    exercise = session.exercise
    agreed = exercise.launched_for(failure.case)
    own = parameter_names(exercise, session.function)
    called = dict(zip(own, (one.name for one in exercise.arguments), strict=False))
    inputs = [(name, values) for name in called if (values := _numbers(exercise, failure.values, called[name])).size]
    reads = Reads({name: values.size for name, values in inputs})
    tracer = Tracer(counters=False, races=False, also=[reads])
    options: dict[str, Any] = {"seed": 0, "seconds": SECONDS, "lenient": True, "meter": Meter(STEPS)}
    run = run_simt.run_with(tracer, agreed, session.function, fresh(exercise, failure.values, 0), **options)
    if run.error is not None:
        return None
    for name, values in inputs:
        unread = ~reads.read[name]
        if name in reads.aside or not unread.any() or unread.all():
            continue
        if (first := _first_that_counts(exercise, failure, called[name], unread)) is not None:
            return _words(name, first, unread, values.shape, failure.case.name.partition(" (")[0])
    return None


def _numbers(exercise: Exercise, values: Values, name: str) -> np.ndarray:
    """The array that comes in under a name, if its elements are numbers that may be any; an empty one elsewhere."""
    role = next(one.role for one in exercise.arguments if one.name == name)
    array = values[name]
    comes_in = role == "in" and isinstance(array, np.ndarray) and array.dtype.kind == "f"
    return array if comes_in else np.empty(0)


def _first_that_counts(exercise: Exercise, failure: Failure, name: str, unread: np.ndarray) -> int | None:
    """The first element that nobody reads and of which a wrong result depends; None where it depends on none."""
    places = np.flatnonzero(unread)
    if not _count(exercise, failure, name, places):
        return None
    none, some = 0, len(places)  # the first so many make no difference, and the first so many do
    while some - none > 1:
        half = (none + some) // 2
        none, some = (none, half) if _count(exercise, failure, name, places[:half]) else (half, some)
    return int(places[some - 1])


def _count(exercise: Exercise, failure: Failure, name: str, places: np.ndarray) -> bool:
    """Whether other numbers at these places would make another result, where it is wrong."""
    others = fresh(exercise, failure.values, None)
    array = others[name].reshape(-1)
    array[places] = np.where(array[places] == array[-1], array[0], array[-1])  # numbers that the task may have
    with np.errstate(all="ignore"):
        expected = exercise.expected_of(others)
    return any(_depends(one, expected) for one in failure.outputs)


def _depends(output: Output, expected: Mapping[str, Any]) -> bool:
    other = np.asarray(expected.get(output.name, output.expected))
    if other.shape != output.expected.shape:
        return False
    same = (other == output.expected) | ((other != other) & (output.expected != output.expected))
    return bool((~same & ~output.right).any())


def _words(name: str, first: int, unread: np.ndarray, shape: tuple[int, ...], case: str) -> tuple[str, str]:
    """The sentence and the remedy. first: the first unread element that counts."""
    if len(shape) == 1 and unread[first:].all():
        first = int(np.flatnonzero(~unread)[-1]) + 1  # as long as the stretch is
    place = f"{first:,}" if len(shape) == 1 else str([int(one) for one in np.unravel_index(first, shape)])
    words = {"first": place, "name": name, "at": f" at {case}"}
    if len(shape) == 1 and first > 0 and unread[first:].all():
        return TAIL.format(**words), TO_THE_END
    return SOME.format(**words), WHOSE.format(first=place)
