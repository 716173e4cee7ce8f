"""What a wrong output looks like: one predicate for each shape of wrongness that betrays its cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

WHOLE = 2**24  # below it a float32 may be any number that the cases have
REGULAR = 3  # stretches at equal distances, or more: of a row or a block each
LUCKY_SHARE = 0.1  # of elements that nobody computed may be right by chance: test values are small whole numbers


@dataclass(frozen=True)
class Output:
    """One wrong output: what came out of both runs, what should have, and what was in the buffer before.

    got, again: the two runs, started from different poison.
    """

    name: str
    got: np.ndarray
    again: np.ndarray
    expected: np.ndarray
    right: np.ndarray  # bool, elementwise verdict on `got`
    unwritten: np.ndarray  # bool, elements still poisoned after both runs
    inputs: Mapping[str, np.ndarray]
    right_from_zero: bool  # True: a third run, with the outputs zeroed first, was right
    depends_on: str  # "" where both runs were wrong; else what made the difference: "order", "contents" or "calls"
    block: int  # threads per block of the launch; 256 where it is not known
    case: str = ""  # as in "n = 1025"
    returned: bool = False  # True: a host function returned it, on the host
    in_scratch: str = ""  # room to work in whose old contents alone make it wrong
    blocks: int = 0  # of the launch; 0 where it is not known
    given: bool = False  # True: the contract launches, and not a host function of the learner
    to_fill: bool = False  # True: an array of the host that the caller handed to a host function
    before: np.ndarray | None = None  # what the caller has there before the call, of that shape or another
    extents: tuple[int, int] = (0, 0)  # threads of the grid along x and y; zeros where they are not known


def nothing_written(output: Output) -> bool:
    return output.unwritten.size > 0 and bool(output.unwritten.all())


def nothing_written_by_host(output: Output) -> bool:
    """The same of an array that host code was handed to fill."""
    return output.to_fill and nothing_written(output)


def nothing_copied(output: Output) -> bool:
    """A host function returned an array that nothing was ever put into."""
    return output.returned and nothing_written(output)


def only_first_block(output: Output) -> bool:
    """The first block's elements are right and nobody cared for later ones, at least two later blocks' worth."""
    right = output.right.ravel()
    first, second, rest = right[: output.block], right[output.block : 2 * output.block], right[output.block :]
    only_these = rest.size > 0 and bool(first.all()) and not second.any() and rest.mean() < LUCKY_SHARE
    return only_these and _left_alone(output)


def wrong_in_the_first_block(output: Output) -> bool:
    """A result of no more than one block's elements is wrong, and somebody worked it out."""
    return output.got.size <= output.block and not output.right.all() and not _left_alone(output)


def one_block_launched(output: Output) -> bool:
    """The host launched one block, and only that block's elements are right."""
    return output.blocks == 1 and not output.given and only_first_block(output)


def later_turns_elsewhere(output: Output) -> bool:
    """One block has to do everything, and only what its threads do first is right."""
    return output.blocks == 1 and output.given and only_first_block(output)


def nan_from_arithmetic(output: Output) -> bool:
    """Inputs hold infinities or NaN, and what is wrong is NaN where something else should be.

    A mask by multiplication also turns the sign of zeros: they may be wrong beside it.
    """
    got, expected = output.got[~output.right], output.expected[~output.right]
    nan = _is_nan(got)
    return with_infinities(output) and bool(nan.any() and (nan | (got == 0) & (expected == 0)).all())


def infinity_left_out(output: Output) -> bool:
    """Inputs hold infinities or NaN, and all that is wrong should be NaN and is not."""
    return with_infinities(output) and bool(_is_nan(output.expected)[~output.right].all())


def chosen_without_nan(output: Output) -> bool:
    """The same, where there are fewer results than numbers, each of them one of the input: chosen by comparisons, and
    not computed."""
    numbers = output.expected[~_is_nan(output.expected)]
    held = [array.ravel() for array in output.inputs.values() if array.dtype.kind == "f"]
    if not numbers.size or not held or output.expected.size >= max(array.size for array in held):
        return False
    return bool(np.isin(numbers, np.concatenate(held)).all()) and infinity_left_out(output)


def sign_of_zero_lost(output: Output) -> bool:
    """All that is wrong are zeros with the other sign."""
    got, expected = output.got[~output.right], output.expected[~output.right]
    return got.size > 0 and not got.any() and not expected.any()


def _left_alone(output: Output) -> bool:
    """Whether nobody worked out what is wrong: never written, what it was, or one number; others somebody computed."""
    wrong = ~output.right
    got = output.got[wrong]
    as_before = np.shape(output.before) == wrong.shape and same(got, np.asarray(output.before)[wrong])
    one_number = np.unique(got).size == 1 and (got.size > 1 or not got.any())
    one_number = one_number and not (_is_nan(got).any() and _odd_inputs(output))  # NaN may come from what was given
    return bool(output.unwritten[wrong].all()) or as_before or one_number


def with_infinities(output: Output) -> bool:
    """Somebody worked out a wrong result, and inputs hold infinities or NaN."""
    written = not output.unwritten[~output.right].any()
    return written and not output.right.all() and _odd_inputs(output)


def _odd_inputs(output: Output) -> bool:
    """Whether what was given holds infinities or NaN."""
    given = (*output.inputs.values(), *([] if output.before is None else [np.asarray(output.before)]))
    return any(not np.isfinite(one).all() for one in given if one.dtype.kind == "f")


def blocks_overlap(output: Output) -> bool:
    """A right beginning that ends within a block, before half of it all, and nothing ever written after it."""
    edge = int(np.argmin(output.right.ravel()))
    after = output.unwritten.ravel()[edge:]
    within = edge > output.block and edge % output.block != 0
    if output.given and output.blocks > 1 and (edge - output.block) % (output.blocks - 1):
        return False  # blocks that lie over one another begin at equal distances
    return within and 2 * edge < output.right.size and bool(after.all())


def too_few_threads(output: Output) -> bool:
    """The same, where the contract launches fewer threads than there are elements."""
    return output.given and output.blocks * output.block < output.got.size and blocks_overlap(output)


def tail_missing(output: Output) -> bool:
    """Right up to the end of a block, more than half of the way, and wrong from there on."""
    right = output.right.ravel()
    edge = int(np.argmin(right))
    launched = output.blocks * output.block or edge  # of a host function: a chunk may end there as well
    at_a_block = edge > 0 and edge % output.block == 0 and 2 * edge > right.size and (output.given or edge <= launched)
    return at_a_block and bool(right[edge:].mean() < LUCKY_SHARE) and _left_alone(output)


def some_unwritten(output: Output) -> bool:
    """Every wrong element is one that nobody wrote."""
    wrong = ~output.right
    return bool(wrong.any() and output.unwritten[wrong].all())


def unwritten_here_and_there(output: Output) -> bool:
    """Every wrong element is one that nobody wrote: few, among others that were, and at no equal distances."""
    unwritten = output.unwritten.ravel()
    if not some_unwritten(output) or unwritten[0] or unwritten[-1] or unwritten.mean() >= LUCKY_SHARE:
        return False
    begins = np.flatnonzero(unwritten[1:] & ~unwritten[:-1])
    return len(begins) < REGULAR or np.unique(np.diff(begins)).size > 1


def gap_between_parts(output: Output) -> bool:
    """Host code that fills an array in parts left one stretch out, with others on both sides."""
    unwritten = output.unwritten.ravel()
    if output.given or not some_unwritten(output) or unwritten[0] or unwritten[-1]:
        return False
    return np.count_nonzero(unwritten[1:] & ~unwritten[:-1]) == 1


def threads_along_the_other_axis(output: Output) -> bool:
    """Unwritten is what lies beyond the threads of one axis, and with x and y exchanged there is a thread for all."""
    (across, down), shape = output.extents, output.got.shape
    if len(shape) != 2 or not output.given or not across or not output.unwritten.any():
        return False
    rows, columns = np.indices(shape)
    for of_rows, of_columns in ((across, down), (down, across)):
        beyond = (rows >= of_rows) | (columns >= of_columns)
        if beyond.any() and shape[0] <= of_columns and shape[1] <= of_rows and (output.unwritten == beyond).all():
            return True
    return False


def all_zero(output: Output) -> bool:
    return output.got.ndim > 0 and output.got.size > 0 and not output.got.any() and bool(output.expected.any())


def runs_differ(output: Output) -> bool:
    """Every element was written, and two runs on the same input did not agree."""
    both = (output.got == output.again) | (_is_nan(output.got) & _is_nan(output.again))
    return not output.unwritten.any() and not both.all()


def transposed(output: Output) -> bool:
    expected = output.expected
    if expected.ndim != 2 or 1 in expected.shape:
        return False
    return same(output.got.ravel(), expected.T.ravel()) and not same(output.got.ravel(), expected.ravel())


def shifted(output: Output) -> bool:
    got, expected = output.got.ravel(), output.expected.ravel()
    if got.size < 3:
        return False
    return same(got[1:], expected[:-1]) or same(got[:-1], expected[1:])


def factor(k: float) -> Callable[[Output], bool]:
    def holds(output: Output) -> bool:
        if output.expected.dtype.kind not in "iuf" or not np.any(output.expected):
            return False
        return same(output.got, output.expected.astype(np.float64) * k)

    return holds


def common_factor(output: Output) -> float | None:
    """The one ratio of got to expected, where there is one on at least two different values but 0; None elsewhere."""
    expected, got = output.expected.ravel(), output.got.ravel()
    if expected.dtype.kind not in "iuf" or not np.any(got) or np.unique(expected[expected != 0]).size < 2:
        return None
    largest = int(np.argmax(np.abs(expected)))
    ratio = float(got[largest]) / float(expected[largest])
    return (
        ratio if np.isfinite(ratio) and ratio not in (0, 1) and same(got, expected.astype(np.float64) * ratio) else None
    )


def as_before(output: Output) -> bool:
    """Whether every element is what the caller had there before the call, to the bit."""
    return output.before is not None and output.got.size > 0 and np.array_equal(output.got, output.before, True)


def copy_of_input(output: Output) -> bool:
    return output.got.size > 1 and any(
        array.shape == output.got.shape and same(output.got, array) for array in output.inputs.values()
    )


def all_nan(output: Output) -> bool:
    return output.got.size > 0 and bool(_is_nan(output.got).all()) and not _is_nan(output.expected).any()


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal everywhere, up to the rounding of the narrower type."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind == "f" and b.dtype.kind == "f":
        tolerance = 8 * max(np.finfo(a.dtype).eps, np.finfo(b.dtype).eps)
        return bool(np.allclose(a, b, rtol=tolerance, atol=0, equal_nan=True))
    return bool(np.array_equal(a, b))


def value_for_bits(output: Output) -> bool:
    """Whole numbers of a float's bits are asked for, and the float's whole number came out."""
    got, expected = output.got, output.expected
    if got.dtype != np.int32 or expected.dtype != np.int32 or not got.size or output.right.any():
        return False
    meant = np.ascontiguousarray(expected).view(np.float32)
    if not (np.isfinite(meant) & (np.abs(meant) >= 1) & (np.abs(meant) < WHOLE)).all():
        return False
    return bool((got == meant.astype(np.int32)).all())


def _is_nan(array: np.ndarray) -> np.ndarray:
    return np.isnan(array) if array.dtype.kind in "fc" else np.zeros(array.shape, bool)
