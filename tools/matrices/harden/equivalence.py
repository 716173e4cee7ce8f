"""Is a mutant that passes one at all? Both are run on many inputs of the domain, far more than any check tries.

The smallest input on which the mutant is wrong and the original right is what a hole is told with.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from autograder.answer.program import Program, ProgramError
from autograder.contract import CORNERS, PATTERNS, Case, Exercise, Values
from autograder.running import buffers, run_simt
from autograder.running.cases import corners
from autograder.running.evidence import is_mistake
from autograder.running.held_to import is_wrong
from simt.lanes.meter import Meter

ROUNDS = 30  # inputs drawn from a domain
STEPS = 40_000  # of the interpreter for one of them
SECONDS = 30.0
ELEMENTS = 1 << 18  # of all arrays of an input
TOO_LARGE: dict[str, list[dict[str, int]]] = {}  # sizes, by exercise, whose arrays have more: drawing them took longest


def told_apart(exercise: Exercise, original: Program, mutant: Program) -> str:
    """The smallest input of the domain on which a mutant is wrong, in words; "" where it is wrong on none of many."""
    listens = "shared" in original.text
    with original.loaded() as (_, right):
        try:
            with mutant.loaded() as (_, other):
                for case, values in _inputs(exercise):
                    if _fails(exercise, other, case, values, listens):
                        if not _fails(exercise, right, case, values, listens):
                            return case.name
        except ProgramError:
            pass
    return ""


def _inputs(exercise: Exercise) -> Iterator[tuple[Case, Values]]:
    """Inputs all over the domain, small ones first."""
    base = corners.base_case(exercise)
    cases = [*corners.corner_cases(exercise), *(case for case in exercise.cases if not case.launch)]
    rng = np.random.default_rng(ROUNDS)
    if base is not None:
        cases += [_drawn(exercise, replace(base, corner="value", trace=False), rng) for _ in range(ROUNDS)]
    for case in sorted(cases, key=_volume):
        for secret in ("a",) if case.corner in ("", *CORNERS) else ("a", "b", "c", "d"):
            if _is_too_large(exercise, case):
                break
            try:
                values = buffers.make_values(exercise, case, secret)
            except (ValueError, IndexError, MemoryError):  # sizes that do not go together
                continue
            if sum(np.size(value) for value in values.values()) <= ELEMENTS:
                yield case, values
            else:
                TOO_LARGE.setdefault(exercise.id, []).append(case.sizes)


def _is_too_large(exercise: Exercise, case: Case) -> bool:
    """Whether arrays were too large at sizes of which none was larger."""
    known = TOO_LARGE.get(exercise.id, [])
    return any(all(case.sizes.get(name, 0) >= size for name, size in sizes.items()) for sizes in known)


def _volume(case: Case) -> int:
    return int(np.prod([max(size, 1) for size in case.sizes.values()], dtype=object))


def _drawn(exercise: Exercise, case: Case, rng: np.random.Generator) -> Case:
    """Sizes, scalars and an order of numbers, all drawn from the domain."""
    domain = exercise.domain
    sizes = {name: int(span.within(rng)) for name, span in domain.sizes.items()}
    scalars = tuple(
        (name, rng.choice(numbers.also) if numbers.also and rng.random() < 0.3 else numbers.within(rng))
        for name, numbers in domain.scalars.items()
    )
    pattern = str(rng.choice([case.values, *PATTERNS])) if domain.arrays else case.values
    return replace(case, sizes={**case.sizes, **sizes}, scalars=scalars, values=pattern)


def _fails(exercise: Exercise, function: Callable, case: Case, values: Values, listens: bool) -> bool:
    """Whether a function fails on an input, or races where its first block is listened to."""
    launched = exercise.launched_for(case)
    with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        expected = exercise.expected_of(buffers.fresh(exercise, values, None))
        given, meter = buffers.fresh(exercise, values, 0), Meter(STEPS)
        how = {"traced": False, "sampled": listens, "seed": 0, "seconds": SECONDS, "meter": meter}
        run = run_simt.run(launched, function, given, **how)
        if run.error is not None or any(is_mistake(one) and one.kind == "race" for one in run.findings):
            return True
        return is_wrong(exercise, case, values, expected, run.outputs)
