"""Cases that nobody wrote down: other launches of a kernel that promises to be right for any, sizes that are drawn,
a long row, a long column and a square, one infinity at the end of the input, zeros in the middle, sizes that the
answer names, and the corners of the exercise's domain.

An answer that was fitted to the cases of a contract fails these. What is drawn follows from the answer's own source, so
that the same answer earns the same points wherever it is judged; in a class, from the run's secret as well.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from math import isqrt

import numpy as np

from autograder.contract import AT_THE_END, ZEROS, Case, Exercise
from autograder.running.buffers import make_values
from autograder.running.cases.corners import corner_cases
from autograder.running.cases.named_sizes import named_sizes

ROOM = 64  # a size above it can be another one without becoming a case of its own kind
LARGEST_SHARE = 8  # a drawn size is up to an eighth smaller
ROWS, COLUMNS = "n_rows", "n_cols"
LONG = 2  # times the longest side of the contract's cases
LONGEST, WIDEST = 2_600, 200  # of a long row or column, and of a square


def all_cases(exercise: Exercise, source: str, secret: str = "") -> tuple[Case, ...]:
    """The contract's cases, then those that follow from it. source: of the answer; secret: of a class's run."""
    return (
        *exercise.cases,
        *other_launches(exercise),
        *drawn_sizes(exercise, source, secret),
        *other_shapes(exercise),
        *infinity_at_the_end(exercise),
        *zeros_in_the_middle(exercise),
        *named_sizes(exercise, source),
        *corner_cases(exercise),
    )


def zeros_in_the_middle(exercise: Exercise) -> tuple[Case, ...]:
    """A middling exact case, once more with zeros at the same places of all floats, which random values never have.

    What is skipped, divided by or compared where numbers are 0 shows there.
    """
    floats = any(one.shape and one.role in ("in", "inout") and "float" in one.dtype for one in exercise.arguments)
    exact = [case for case in exercise.cases if case.trace and case.values == "exact" and not case.demanding]
    middle = sorted(exact, key=_volume)[len(exact) // 2 :][:1] if floats else ()
    return tuple(replace(case, values=ZEROS, trace=False) for case in middle)


def infinity_at_the_end(exercise: Exercise) -> tuple[Case, ...]:
    """The largest case that meets infinities, once more with one of them, as the last element.

    A thread past the end that reads the last element and multiplies it by 0 has NaN then. Among other infinities and
    NaN that shows only where none of them goes into the same result.
    """
    kinds = ("nonfinite", "special") if exercise.one_infinity else ()
    met = [case for case in exercise.cases if case.trace and case.values in kinds]
    return tuple(replace(case, values=AT_THE_END, trace=False) for case in sorted(met, key=_volume)[-1:])


def other_launches(exercise: Exercise) -> tuple[Case, ...]:
    """The largest traced case, once for each launch that the contract names besides its own, or block of its domain."""
    cases = _largest(exercise)[:1]
    named = [replace(case, launch=launch) for launch in exercise.launches for case in cases]
    blocks = [(case, block) for block in exercise.domain.blocks for case in cases]
    return (*named, *(_in_blocks(exercise, case, block) for case, block in blocks))


def _in_blocks(exercise: Exercise, case: Case, block: int | tuple[int, ...]) -> Case:
    """The case launched with other blocks: along each axis at least as many threads as the contract's launch has.

    Run once and untraced: what a number in place of `cuda.blockDim` does shows in the values.
    """
    assert exercise.launch is not None
    grid, own, *dynamic = exercise.launch(make_values(exercise, case))
    sides = [(one,) if isinstance(one, int) else tuple(one) for one in (grid, own, block)]
    axes = max(map(len, sides))
    padded = ((*one, *(1 for _ in range(axes - len(one)))) for one in sides)
    wanted = tuple(-(-n * old // new) for n, old, new in zip(*padded, strict=True))
    launch = (wanted if axes > 1 or not isinstance(grid, int) else wanted[0], block, *dynamic)
    return replace(case, launch=launch, trace=False, last=True, corner="value")


def other_shapes(exercise: Exercise) -> tuple[Case, ...]:
    """One long row, one long column and a square, where rows and columns may be any number.

    Longer than any of the contract's cases, for what counts iterations that are enough for those, and what else is free
    is longer, too: a ring of stages has to come round. A square that takes several tiles, for what asks whether one
    side is the longer one. Tried where an answer is right otherwise.
    """
    exact = [case for case in exercise.cases if case.values == "exact" and not case.launch]
    traced = [case for case in exact if case.trace]
    known = all({ROWS, COLUMNS} <= {*case.sizes} for case in exact)
    if not traced or not known or not {ROWS, COLUMNS} <= {*exercise.free_sizes}:
        return ()
    base = max(traced, key=_volume)
    sides = [(case.sizes[ROWS], case.sizes[COLUMNS]) for case in exact]
    long = min(LONG * max(max(pair) for pair in sides) + 1, LONGEST)
    side = min(isqrt(max(rows * columns for rows, columns in sides)) + 1, WIDEST)
    others = {name for name, size in base.sizes.items() if name in exercise.free_sizes and size > 1} - {ROWS, COLUMNS}
    deep = {name: LONG * max(case.sizes[name] for case in exact) + 1 for name in others}
    shapes = ({**deep, ROWS: 1, COLUMNS: long}, {ROWS: long, COLUMNS: 1}, {ROWS: side, COLUMNS: side})
    found = (replace(base, sizes={**base.sizes, **shape}, trace=False, last=True) for shape in shapes)
    return tuple(case for case in found if _has_output(exercise, case))


def _has_output(exercise: Exercise, case: Case) -> bool:
    """Whether sizes that no contract names leave anything to compute: a window without padding may not fit in."""
    try:
        values = exercise.make(case.sizes, case.values, np.random.default_rng(0))
    except (ValueError, IndexError):  # what NumPy says of a negative length, and of a place outside
        return False
    return all(np.size(values[output.name]) for output in exercise.outputs)


def drawn_sizes(exercise: Exercise, source: str, secret: str) -> tuple[Case, ...]:
    """The largest traced case and the largest of all, with sizes somewhat smaller."""
    known = {case.name for case in exercise.cases}
    rng = np.random.default_rng(list(hashlib.sha256(f"{exercise.id}|{source}|{secret}".encode()).digest()))
    drawn = [replace(case, sizes=_drawn(exercise, case, rng)) for case in _largest(exercise)]
    return tuple(case for case in drawn if case.name not in known)


def _drawn(exercise: Exercise, case: Case, rng: np.random.Generator) -> dict[str, int]:
    return {
        name: size - int(rng.integers(1, size // LARGEST_SHARE))
        if name in exercise.free_sizes and size > ROOM
        else size
        for name, size in case.sizes.items()
    }


def _largest(exercise: Exercise) -> list[Case]:
    """The largest traced case and the largest untraced one; one far out of the ordinary is tried once as it is."""
    exact = [case for case in exercise.cases if case.values == "exact" and not case.last]
    kinds = [[case for case in exact if case.trace is traced] for traced in (True, False)]
    return [max(cases, key=_volume) for cases in kinds if cases]


def _volume(case: Case) -> int:
    volume = 1
    for size in case.sizes.values():
        volume *= max(size, 1)
    return volume
