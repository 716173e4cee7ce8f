"""What a wrong output looks like that is made of the right numbers, and has lost digits of them on the way."""

from __future__ import annotations

import numpy as np

from autograder.diagnosis.symptoms import Output, same

NEARLY = {"float64": 1e-6, "float32": 1e-4}  # of a result: what rounding in a float32 and long sums explain
NEARLY_IN_HALF = 2.0**-9  # a few roundings to a float16
USUAL = 75  # the percentage of results that are no larger than a usual one
DIGITS = 6  # after the point, of numbers that were rounded on purpose
NARROW = ("int8", "uint8", "int16", "uint16", "int32", "uint32")  # types that a value may be squeezed through
LARGEST = 2.0**62  # beyond it a float64 is no int64
ENOUGH = 3  # elements that have to show what a type does to them
MOSTLY = 0.75  # of the sums of two numbers that were cut, so many at least lie nearer to 0
TWO_CUT = 2  # so much is less than two numbers lose that are cut to whole ones


def nearly_right(output: Output) -> bool:
    """All that is wrong differs by little from what it should be, each element beside itself or a usual result.

    Little is what rounding explains: to the output's type, to a float16 where one takes part or what came out fits one,
    or to a few digits after the point.
    """
    if output.expected.dtype.kind != "f" or output.right.all() or output.unwritten.any():
        return False
    finite = np.isfinite(output.expected)
    if not finite.any():
        return False
    usual = np.percentile(np.abs(output.expected[finite]), USUAL)
    wrong = ~output.right
    got, expected = output.got[wrong].astype(np.float64), output.expected[wrong].astype(np.float64)
    least = _rounding_of(output, got, expected)
    return bool((np.abs(got - expected) <= least * np.maximum(np.abs(expected), usual)).all())


def _rounding_of(output: Output, got: np.ndarray, expected: np.ndarray) -> float:
    """The relative error that some rounding explains."""
    halves = any(one.dtype == np.float16 for one in (output.got, *output.inputs.values()))
    if halves or np.array_equal(got, got.astype(np.float16)) and (got != np.round(got)).any():
        return NEARLY_IN_HALF
    if any(np.array_equal(np.round(expected, digits), got) for digits in range(1, DIGITS)):
        return NEARLY_IN_HALF
    return NEARLY.get(output.got.dtype.name, NEARLY["float32"])


def squeezed_through(output: Output) -> str:
    """The integer type that keeps exactly what came out of what should have, as in "int8"; "" for none.

    Enough elements do not fit it, and they are not all changed by one number, nor all left with one.
    """
    whole = _whole(output)
    if whole is None or output.expected.dtype.kind == "f" and not np.array_equal(whole, output.expected):
        return ""
    for name in NARROW:
        kept = whole.astype(name).astype(np.int64)
        lost = kept != whole
        shown = np.unique(whole[lost] - kept[lost]).size > 1 and np.unique(kept[lost]).size > 1
        narrower = output.got.dtype.kind == "f" or np.dtype(name).itemsize < output.got.dtype.itemsize
        if narrower and shown and lost.sum() >= ENOUGH and same(output.got, kept):
            return name
    return ""


def cut_to_whole(output: Output) -> bool:
    """All that is wrong are fractions, of which only the whole number is left, or the sum of two that were cut."""
    whole, got = _whole(output), output.got
    if whole is None or got.dtype.kind != "f" or (output.expected != whole).sum() < ENOUGH:
        return False
    if any(same(got, cut(output.expected).astype(got.dtype)) for cut in (np.trunc, np.floor)):
        return True
    lost = output.expected - got
    towards_zero = np.mean((np.sign(lost) == np.sign(output.expected))[lost != 0])
    alike = (np.abs(lost) < TWO_CUT).all() and ((lost >= 0).all() or towards_zero >= MOSTLY)
    return bool(alike and (got == np.trunc(got)).all() and np.unique(got).size >= ENOUGH)


def _whole(output: Output) -> np.ndarray | None:
    """What should have come out, without fractions; None where that is not known of every element."""
    expected = output.expected
    if expected.dtype.kind not in "iuf" or output.got.dtype.kind not in "iuf" or output.unwritten.any():
        return None
    if expected.dtype.kind == "f" and not (np.abs(expected) < LARGEST).all():  # NaN is not less, either
        return None
    return expected.astype(np.int64)
