"""Wrong outputs that betray their cause: what an output looks like when a known mistake was made.

Each pattern is a predicate over `Output`, one wrong output of one case. A pattern counts only when it holds on every
failing case at hand, so that a coincidence on three elements convinces nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

LUCKY_SHARE = 0.1  # of elements that nobody computed may be right by chance: test values are small whole numbers


@dataclass(frozen=True)
class Output:
    """One wrong output: what came out of both runs, what should have, and what was in the buffer before.

    got, again: the two runs, started from different poison; poison: bool mask, elements that no run wrote.
    """

    name: str
    got: np.ndarray
    again: np.ndarray
    expected: np.ndarray
    right: np.ndarray  # bool, elementwise verdict on `got`
    unwritten: np.ndarray  # bool, elements still poisoned after both runs
    inputs: Mapping[str, np.ndarray]
    right_from_zero: bool  # True: a third run, with the outputs zeroed first, was right
    block: int  # threads per block of the launch; 256 where the contract does not say


@dataclass(frozen=True)
class Pattern:
    """A named shape of wrongness. says and remedy may use the words of `words_for`."""

    misconception: str
    says: str
    remedy: str
    holds: Callable[[Output], bool]


def _nothing_written(output: Output) -> bool:
    return output.unwritten.size > 0 and bool(output.unwritten.all())


def _only_first_block(output: Output) -> bool:
    """The first block's elements are right and all later ones are not, with at least two later blocks' worth."""
    right = output.right.ravel()
    first, second, rest = right[: output.block], right[output.block : 2 * output.block], right[output.block :]
    return rest.size > 0 and bool(first.all()) and not second.any() and rest.mean() < LUCKY_SHARE


def _blocks_overlap(output: Output) -> bool:
    """A right beginning that ends within a block, before half of it all, and nothing ever written after it."""
    edge = int(np.argmin(output.right.ravel()))
    after = output.unwritten.ravel()[edge:]
    within = edge > output.block and edge % output.block != 0
    return within and 2 * edge < output.right.size and bool(after.all())


def _tail_missing(output: Output) -> bool:
    """Right up to the end of a block, more than half of the way, and wrong from there on."""
    right = output.right.ravel()
    edge = int(np.argmin(right))
    at_a_block = edge > 0 and edge % output.block == 0 and 2 * edge > right.size
    return at_a_block and bool(right[edge:].mean() < LUCKY_SHARE)


def _some_unwritten(output: Output) -> bool:
    """Every wrong element is one that nobody wrote."""
    wrong = ~output.right
    return bool(wrong.any() and output.unwritten[wrong].all())


def _all_zero(output: Output) -> bool:
    return output.got.size > 0 and not output.got.any() and bool(output.expected.any())


def _runs_differ(output: Output) -> bool:
    """Every element was written, and two runs on the same input did not agree."""
    both = (output.got == output.again) | (_is_nan(output.got) & _is_nan(output.again))
    return not output.unwritten.any() and not both.all()


def _transposed(output: Output) -> bool:
    expected = output.expected
    if expected.ndim != 2 or 1 in expected.shape:
        return False
    return _same(output.got.ravel(), expected.T.ravel()) and not _same(output.got.ravel(), expected.ravel())


def _shifted(output: Output) -> bool:
    got, expected = output.got.ravel(), output.expected.ravel()
    if got.size < 3:
        return False
    return _same(got[1:], expected[:-1]) or _same(got[:-1], expected[1:])


def _factor(k: float) -> Callable[[Output], bool]:
    def holds(output: Output) -> bool:
        if output.expected.dtype.kind not in "iuf" or not np.any(output.expected):
            return False
        return _same(output.got, output.expected.astype(np.float64) * k)

    return holds


def _common_factor(output: Output) -> float | None:
    """The one ratio of got to expected, where there is one on at least two different values; None elsewhere."""
    expected, got = output.expected.ravel(), output.got.ravel()
    if expected.dtype.kind not in "iuf" or not np.any(got) or np.unique(expected).size < 2:
        return None
    largest = int(np.argmax(np.abs(expected)))
    ratio = float(got[largest]) / float(expected[largest])
    return (
        ratio
        if np.isfinite(ratio) and ratio not in (0, 1) and _same(got, expected.astype(np.float64) * ratio)
        else None
    )


def _copy_of_input(output: Output) -> bool:
    return output.got.size > 1 and any(
        array.shape == output.got.shape and _same(output.got, array) for array in output.inputs.values()
    )


def _all_nan(output: Output) -> bool:
    return output.got.size > 0 and bool(_is_nan(output.got).all()) and not _is_nan(output.expected).any()


PATTERNS = (
    Pattern(
        "output_not_written",
        "Nothing was ever written to {name}: it still holds what it held before the call.",
        "Let each thread store its result, as in {name}[i] = ...",
        _nothing_written,
    ),
    Pattern(
        "only_first_block",
        "Only the first block's {block} elements of {name} are right: every block works on the same place.",
        "Count the blocks before yours too: i = cuda.grid(1) is cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x.",
        _only_first_block,
    ),
    Pattern(
        "only_first_block",
        "Only the first {edge} elements of {name} were ever written: blocks work on elements of the first ones.",
        "Count the blocks before yours too: i = cuda.grid(1) is cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x.",
        _blocks_overlap,
    ),
    Pattern(
        "missing_tail",
        "{name} is right up to element {edge}, where a block of {block} ends, and wrong after it: the tail is missing.",
        "Cover the last, partial block as well: round the number of blocks or turns up and guard with the length.",
        _tail_missing,
    ),
    Pattern(
        "missing_tail",
        "Some elements of {name} were never written; the first is element {edge}.",
        "Make sure that the threads, or their turns through the loop, cover every element.",
        _some_unwritten,
    ),
    Pattern(
        "output_accumulates",
        "What {name} holds afterwards depends on what it held before: the result is added to old contents.",
        "Set {name} before adding to it, or store the result with = where it is complete.",
        lambda output: output.right_from_zero,
    ),
    Pattern(
        "order_dependent",
        "Two runs on the same input give different {name}: the result depends on the order in which blocks run.",
        "Blocks run in any order. Make every element the work of one thread, or combine results with an atomic.",
        _runs_differ,
    ),
    Pattern(
        "swapped_axes",
        "{name} holds the right values with rows and columns exchanged.",
        "cuda.grid(2) gives x first, and x walks along a row: write col, row = cuda.grid(2) and index with [row, col].",
        _transposed,
    ),
    Pattern(
        "off_by_one",
        "{name} holds the right values one place off.",
        "Compare the index you read with the index you write: one of them is 1 too large or too small.",
        _shifted,
    ),
    Pattern(
        "wrong_formula",
        "Every element of {name} is exactly twice what it should be.",
        "Look for work done twice.",
        _factor(2.0),
    ),
    Pattern(
        "wrong_formula",
        "Every element of {name} is exactly half of what it should be.",
        "Look for work left out.",
        _factor(0.5),
    ),
    Pattern(
        "wrong_formula",
        "Every element of {name} has the wrong sign.",
        "Look at the order of a subtraction.",
        _factor(-1.0),
    ),
    Pattern(
        "wrong_formula",
        "Every element of {name} is {factor} times what it should be.",
        "Look for a factor that is missing, or applied twice.",
        lambda output: _common_factor(output) is not None,
    ),
    Pattern(
        "output_not_written",
        "{name} is zero everywhere.",
        "Check that the value you compute is the value you store.",
        _all_zero,
    ),
    Pattern("wrong_formula", "{name} is a copy of an input.", "The computation itself is missing.", _copy_of_input),
    Pattern(
        "output_accumulates",
        "{name} is NaN everywhere: a value that was never set took part in the computation.",
        "Set every accumulator before adding to it, {name} included.",
        _all_nan,
    ),
)


def recognise(outputs: list[Output]) -> tuple[Pattern, Output] | None:
    """The first pattern that holds wherever the largest wrong output is wrong, and that output; None if none does."""
    if not outputs:
        return None
    telling = max(outputs, key=lambda output: output.got.size)
    enough = min(2 * telling.block + 1, telling.got.size)  # elements; fewer prove little
    alike = [output for output in outputs if output.name == telling.name and output.got.size >= enough]
    for pattern in PATTERNS:
        if all(pattern.holds(output) for output in alike):
            return pattern, telling
    return None


def words_for(output: Output) -> dict[str, object]:
    """What a pattern's sentences may mention: {name}, {block}, {edge} (first wrong linear index), {factor}."""
    factor = _common_factor(output)
    return {
        "name": output.name,
        "block": output.block,
        "edge": f"{int(np.argmin(output.right.ravel())):,}",
        "factor": f"{factor:.4g}" if factor is not None else "",
    }


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal everywhere, up to the rounding of the narrower type."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind == "f" and b.dtype.kind == "f":
        tolerance = 8 * max(np.finfo(a.dtype).eps, np.finfo(b.dtype).eps)
        return bool(np.allclose(a, b, rtol=tolerance, atol=0, equal_nan=True))
    return bool(np.array_equal(a, b))


def _is_nan(array: np.ndarray) -> np.ndarray:
    return np.isnan(array) if array.dtype.kind in "fc" else np.zeros(array.shape, bool)
