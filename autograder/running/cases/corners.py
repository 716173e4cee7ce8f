"""Corner cases, derived from what a contract says may come: ends of every size, numbers in every order, extremes.

Each is small or long in one axis alone, runs once and untraced, and only for answers that are right otherwise. A long
one is listened to in its first block: a race that begins in a late iteration shows in no short case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from autograder.contract import (
    EXTREME,
    HIGHEST,
    LOWEST,
    NOT_ABOVE_0,
    OPPOSED,
    PATTERNS,
    RISING,
    TINY,
    Case,
    Exercise,
    Sizes,
    Values,
)
from autograder.running.cases.domain import Domain, Numbers, Real, Whole
from simt.hardware import WARP_SIZE

RAGGED = (5, 7, 11, 13, 17, 19)  # sizes of which none is another's multiple, nor a power of two
TINY_NUMBERS = [sign * one for one in (1e-7, 1e-30, 1e-42) for sign in (1, -1)]  # the last is no normal float32
MANY, MANY_OF_ONE = 1 << 15, 32  # elements of a case in which no size is small, and what each has to be more than
DRAWN = 30  # inputs of a function of a few numbers
DEEP = 2_000  # operations for each result: what a slow answer, of many lines in its inner loop, gets through
TOO_LARGE_TO_ADD = 1 << 24  # sums of whole numbers beyond it round in float32


def corner_cases(exercise: Exercise) -> tuple[Case, ...]:
    """Every corner of the exercise's domain; () where it says nothing of what may come."""
    base = base_case(exercise)
    if base is None:
        return ()
    sizes = {**base.sizes, **exercise.domain.base}
    base = replace(base, sizes=sizes, trace=False, last=True, launch=())
    known = {case.name for case in exercise.cases}
    found = {case.name: case for case in (*_sizes(exercise, base), *_values(exercise.domain, base))}
    found |= {case.name: case for case in (*_inputs(exercise.domain, base), *_drawn(exercise, base))}
    return tuple(case for name, case in found.items() if name not in known)


def without_corners(exercise: Exercise) -> Exercise:
    """The exercise as its host function is recorded first: its arrays give it no corner cases.

    A record has room for so many launches and copies in all cases together, and ordinary cases have one to themselves.
    What takes numbers alone launches nothing, and keeps its corners there.
    """
    if not any(argument.shape for argument in exercise.arguments):
        return exercise
    return replace(exercise, domain=replace(exercise.domain, sizes={}, scalars={}, arrays={}, inputs=()))


def base_case(exercise: Exercise) -> Case | None:
    """The middling one of the contract's ordinary cases, with elements: the others are told apart from it."""
    full = [case for case in exercise.cases if all(case.sizes.values()) and not case.demanding]
    exact = [case for case in full if case.values == "exact"] or full
    traced = [case for case in exact if case.trace] or exact
    ragged = [case for case in traced if any(size % WARP_SIZE for size in case.sizes.values())] or traced
    ragged.sort(key=lambda case: int(np.prod([*case.sizes.values()], dtype=object)))
    return ragged[len(ragged) // 2] if ragged else None


def _sizes(exercise: Exercise, base: Case) -> Iterator[Case]:
    """Each size at its ends, the others few where it is large and middling where it is small; all ragged; all many.

    A large one comes with the smallest launch that a kernel promises to be right for: threads go round most often then.
    Of the few others one is a multiple of what tiles are: nothing of the last tile is left over.
    """
    spans = exercise.domain.sizes
    few = {**base.sizes, **{name: span.few for name, span in spans.items()}}
    names = [*spans]
    for at, (name, span) in enumerate(spans.items()):
        other = names[at - 1]
        whole = {**few, other: spans[other].aligned}
        *low, high = span.ends
        for size in low:
            yield replace(base, sizes={**base.sizes, name: size}, corner="value")
        for size in (high, *span.also):
            sizes = {**whole, name: size}
            if exercise.launches or size in span.also or not _is_known(exercise, sizes, name):
                yield replace(base, sizes=sizes, corner="size", launch=_smallest_launch(exercise, name))
    if len(spans) > 1:
        for ragged in (RAGGED[: len(spans)], RAGGED[len(spans) - 1 :: -1]):
            near = {
                name: min(span.low + size // span.step * span.step, span.ends[-1])
                for (name, span), size in zip(spans.items(), ragged, strict=False)
            }
            yield replace(base, sizes=_not_too_deep(exercise, {**base.sizes, **near}), corner="value")
        if many := _many_of_all(spans):
            yield replace(base, sizes={**base.sizes, **many}, corner="size")


def _not_too_deep(exercise: Exercise, sizes: Sizes) -> Sizes:
    """Sizes that all are larger than a few, with half of those that are at their range's end where together they ask
    one thread for more than a slow answer gets through. Such an end has a case of its own, with few of all others."""
    if exercise.cost is None:
        return sizes
    values = exercise.make(sizes, "exact", np.random.default_rng(0))
    results = sum(np.size(values[output.name]) for output in exercise.outputs if output.name in values)
    if not results or exercise.cost(values).flops <= DEEP * results:
        return sizes
    spans = exercise.domain.sizes
    ends = {name for name, span in spans.items() if sizes[name] == span.ends[-1]}
    return {name: spans[name].at_most(size // 2) if name in ends else size for name, size in sizes.items()}


def _is_known(exercise: Exercise, sizes: Sizes, name: str) -> bool:
    """Whether an ordinary case has as many along a size, and as few of everything else."""
    return any(
        case.sizes[name] >= sizes[name] and all(case.sizes[other] <= n for other, n in sizes.items() if other != name)
        for case in exercise.cases
    )


def _many_of_all(spans: Mapping[str, Whole]) -> dict[str, int]:
    """As many of each as the others allow, so that all together are `MANY`; {} where that is hardly more than a few."""
    most = 1
    while most < max(span.ends[-1] for span in spans.values()) and _together(spans, most + 1) <= MANY:
        most += 1
    return {name: span.at_most(most) for name, span in spans.items()} if most > MANY_OF_ONE else {}


def _together(spans: Mapping[str, Whole], most: int) -> int:
    return math.prod(span.at_most(most) for span in spans.values())


def _smallest_launch(exercise: Exercise, name: str) -> tuple:
    """Of the launches that the contract names besides its own, the one with the fewest blocks along a size.

    () for none, and for one that covers the columns.
    """

    def blocks(launch: tuple) -> int:
        grid = launch[0]
        return grid if isinstance(grid, int) else grid[1] if name == "n_rows" else int(np.prod(grid))

    launch = min(exercise.launches, key=blocks, default=())
    return () if launch and name == "n_cols" and not isinstance(launch[0], int) else launch


def _values(domain: Domain, base: Case) -> Iterator[Case]:
    """The middling sizes with every order of numbers, and every scalar at its ends, in between and at odd values."""
    scalars = {name: (*numbers.ends, *numbers.also) for name, numbers in domain.scalars.items()}
    most = max((len(values) for values in scalars.values()), default=0)
    patterns = [one for one in PATTERNS if any(_fits(one, numbers) for numbers in domain.arrays.values())]
    patterns = [one for one in patterns if one != OPPOSED or len(domain.arrays) > 1]

    def case(at: int, values: str) -> Case:
        chosen = tuple((name, numbers[(at + k) % len(numbers)]) for k, (name, numbers) in enumerate(scalars.items()))
        return replace(base, values=values, scalars=chosen, corner="value")

    yield from (case(at, base.values) for at in range(most))  # among far numbers a scalar may not show
    yield from (case(at, pattern) for at, pattern in enumerate(patterns))


def _fits(pattern: str, numbers: Numbers) -> bool:
    """Whether an array of these numbers can be of this kind: 0, and what is next to it, lies in its range or not."""
    whole = isinstance(numbers, Whole)
    return pattern not in (TINY, NOT_ABOVE_0) or numbers.low <= 0 <= numbers.high and not (whole and pattern == TINY)


def _inputs(domain: Domain, base: Case) -> Iterator[Case]:
    for one in domain.inputs:
        yield replace(base, sizes=dict(one.sizes) or base.sizes, corner=one.name)


def on_device(exercise: Exercise, cases: Sequence[Case], device: str) -> list[Case]:
    """The cases that a device runs: an input that needs a larger GPU than some are is for the interpreter alone."""
    beyond = {one.name for one in exercise.domain.inputs if not one.any_gpu} if device != "simt" else set()
    return [case for case in cases if case.corner not in beyond]


def _drawn(exercise: Exercise, base: Case) -> Iterator[Case]:
    """For functions of a few numbers, which take no time, numbers of which none has to do with another."""
    if not any(argument.shape for argument in exercise.arguments):
        rng = np.random.default_rng(DRAWN)
        for _ in range(DRAWN):
            sizes = {name: int(span.within(rng)) for name, span in exercise.domain.sizes.items()}
            scalars = tuple((name, numbers.within(rng)) for name, numbers in exercise.domain.scalars.items())
            yield replace(base, sizes={**base.sizes, **sizes}, scalars=scalars, corner="value")


def laid_out(exercise: Exercise, case: Case, rng: np.random.Generator) -> Values:
    """The arguments of a corner case: what the contract or an input makes, then arrays and scalars of the case."""
    made = next((one.make for one in exercise.domain.inputs if one.name == case.corner), None)
    pattern = case.values if case.values in PATTERNS else ""
    values = made(case.sizes, rng) if made else exercise.make(case.sizes, "exact" if pattern else case.values, rng)
    for at, (name, numbers) in enumerate(exercise.domain.arrays.items() if pattern else ()):
        own = (LOWEST, HIGHEST)[at % 2] if pattern == OPPOSED else pattern
        if _fits(own, numbers):
            values[name] = in_pattern(values[name], numbers, own, rng)
    for name, value in case.scalars:
        values[name] = type(values[name])(value)
    return values


def in_pattern(array: np.ndarray, numbers: Numbers, pattern: str, rng: np.random.Generator) -> np.ndarray:
    """An array of the same shape and dtype with numbers that rise, fall, are all equal, are extremes or next to 0."""
    low, high, n = numbers.low, numbers.high, array.size
    if pattern in (LOWEST, HIGHEST):
        flat = np.full(n, low if pattern == LOWEST else high, np.float64)
    elif pattern == EXTREME:
        flat = rng.choice(np.array([low, high, *numbers.also], np.float64), n)
    elif pattern == TINY:
        flat = rng.choice([one for one in TINY_NUMBERS if low <= one <= high], n)
    elif pattern == NOT_ABOVE_0:
        flat = rng.choice([0.0, low, *(-0.0 for one in numbers.also if one == 0 and np.signbit(one))], n)
    else:
        share = np.linspace(0, 1, n)
        flat = numbers.at(share) if isinstance(numbers, Real) else low + share * (high - low)
        flat = flat if pattern == RISING else flat[::-1]
    if isinstance(numbers, Whole) and pattern not in (EXTREME, NOT_ABOVE_0):
        flat = low + np.floor((flat - low) / numbers.step) * numbers.step
    return flat.reshape(array.shape).astype(array.dtype)


def rounds(exercise: Exercise, case: Case, values: Values, expected) -> bool:
    """Whether right answers to a corner case may differ in their last bits, so that its bound decides."""
    if not case.corner or exercise.bound is None:
        return False
    if (
        not exercise.domain.exact
        or case.values in PATTERNS
        or any(isinstance(one, Real) for one in exercise.domain.scalars.values())
    ):
        return True
    results = [np.asarray(value) for value in expected.values()]
    sums = [
        np.abs(array, dtype=np.float64).sum() for array in map(np.asarray, values.values()) if array.dtype.kind == "f"
    ]
    largest = (np.abs(array, dtype=np.float64).max(initial=0) for array in results if array.dtype.kind in "fiu")
    return max([0.0, *sums, *largest]) >= TOO_LARGE_TO_ADD
