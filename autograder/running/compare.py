"""Is an output right? Exact where it can be, within a derived error bound where it cannot; never a bare tolerance.

Exact cases use values on which every order of float32 arithmetic gives the same bytes, so they are compared with
`==`: dropped work, a race that fires and a lower precision all show. General cases pass when ``abs(y - got) <= bound``
holds for every element, written so that NaN fails.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.contract import Exercise

UNIT_ROUNDOFF = {"float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}


@dataclass(frozen=True)
class Mismatch:
    """How one output differs. `wrong` marks the wrong elements, in the shape of the output (all of them for a wrong
    shape or dtype); `index` is the first of them, in C order."""

    output: str
    reason: str  # "value", "nan", "shape" or "dtype"
    index: tuple[int, ...]
    got: Any
    expected: Any
    wrong: np.ndarray
    value: object = None  # what came back where the shape or the dtype is wrong, if it is a single number

    @property
    def is_float_for_int(self) -> bool:
        """A single float came back where a whole number is promised, as `/` gives one."""
        kinds = (np.dtype(part).kind if self.reason == "dtype" else "" for part in (self.got, self.expected))
        return self.value is not None and next(kinds) == "f" and next(kinds) in "iu"

    @property
    def n_wrong(self) -> int:
        return int(self.wrong.sum())

    @property
    def says(self) -> str:
        """The first wrong element in words: "out[256] is 0, expected 3 (769 of 1,025 wrong)"."""
        if self.is_float_for_int:
            return f"{self.output} is {self.value!r}, a float, expected a whole number of type {self.expected}"
        if self.reason in ("shape", "dtype"):
            return f"{self.output} has {self.reason} {self.got}, expected {self.expected}"
        return self.with_value(f"is {in_words(self.got)}")

    def with_value(self, words: str) -> str:
        """The same sentence with other words for what was found there, as in "was never written"."""
        place = f"{self.output}[{', '.join(map(str, self.index))}]" if self.index else self.output
        share = f" ({self.n_wrong:,} of {self.wrong.size:,} wrong)" if self.wrong.size > 1 else ""
        return f"{place} {words}, expected {in_words(self.expected)}{share}"


def compare(name: str, got, expected, bound=None, dtype: str = "", signed: bool = False) -> Mismatch | None:
    """The first way in which one output is wrong, or None when all of it is right.

    Args: got: what the learner's code wrote; expected: the oracle's values, float64 or exact, same shape;
    bound: absolute error allowed, a number or an array of that shape, None for exact; dtype: what `got` must have;
    signed: whether -0.0 is another number than 0.0, as it is to who moves values and computes none.
    NaN and infinities must be exactly where they are expected.
    """
    got, expected = np.asarray(got), np.asarray(expected)
    dtype = dtype or str(expected.dtype)
    if got.shape != expected.shape:
        return _all_wrong(name, "shape", got.shape, expected.shape, got)
    if got.dtype != np.dtype(dtype):
        return _all_wrong(name, "dtype", got.dtype, np.dtype(dtype), got)
    right = _exactly_right(got, expected) if bound is None else _nearly_right(got, expected, bound)
    if signed and bound is None and got.dtype.kind == "f":
        right &= (got != 0) | (np.signbit(got) == np.signbit(expected))
    if right.all():
        return None
    index = tuple(int(i) for i in np.unravel_index(int(np.argmin(right)), right.shape))
    reason = "nan" if np.issubdtype(got.dtype, np.inexact) and np.isnan(got[index]) else "value"
    return Mismatch(name, reason, index, got[index].item(), expected[index].item(), ~right)


def moved(exercise: Exercise, values: Mapping, expected: Mapping) -> list[str]:
    """The outputs that hold numbers of the inputs, or 0, and no others: nothing is computed, and zeros keep signs."""
    given = [values[one.name] for one in exercise.arguments if one.role in ("in", "inout")]
    own = [one for one in exercise.outputs if one.name in expected]
    return [one.name for one in own if _is_among(np.asarray(expected[one.name]).astype(one.dtype), given)]


def _is_among(result: np.ndarray, given: Iterable) -> bool:
    """Whether every number of a result is, to the last bit, one of some arrays', or 0. Any NaN is."""
    known = [np.ravel(one) for one in given if isinstance(one, np.ndarray) and one.dtype == result.dtype]
    if result.dtype.kind != "f" or not known:
        return False
    bits = f"u{result.dtype.itemsize}"
    every = np.concatenate([*known, np.zeros(1, result.dtype)]).view(bits)
    return bool(np.isin(result[~np.isnan(result)].view(bits), every).all())


def sum_bound(absolute_terms, n_terms: int, result, dtype: str = "float32"):
    """Absolute error allowed for a sum of `n_terms` terms: 2 sqrt(K) u sum|terms| + 4 u |y|.

    Args: absolute_terms: the sum of the terms' absolute values, float64, one per output; result: the oracle's sums.
    At K = 4,096 it allows any order of float32 arithmetic and refuses float16 and TF32 inputs.
    """
    roundoff = UNIT_ROUNDOFF[dtype]
    return 2 * math.sqrt(max(n_terms, 1)) * roundoff * np.abs(absolute_terms) + 4 * roundoff * np.abs(result)


def ulp_bound(result, n_ulp: float = 4, dtype: str = "float32"):
    """Absolute error allowed for an elementwise map: `n_ulp` units in the last place of the result."""
    smallest = float(np.finfo(dtype).smallest_subnormal)
    return n_ulp * np.maximum(2 * UNIT_ROUNDOFF[dtype] * np.abs(np.asarray(result, np.float64)), smallest)


def in_words(value) -> str:
    """A value as a learner reads it: 3.0 -> "3", 0.31068 -> "0.31068", float32 noise cut at 7 digits."""
    if isinstance(value, float):
        return f"{value:.7g}"
    return str(value)


def _all_wrong(name: str, reason: str, got, expected, array: np.ndarray) -> Mismatch:
    """A mismatch of the whole output."""
    value = array.item() if array.ndim == 0 else None
    return Mismatch(name, reason, (), got, expected, np.ones(array.shape, bool), value)


def _exactly_right(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Elementwise equality after rounding `expected` to the output's dtype; NaN equals NaN."""
    if np.issubdtype(got.dtype, np.inexact):
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            rounded = expected.astype(got.dtype)
        return (got == rounded) | (np.isnan(got) & np.isnan(rounded))
    return got == expected


def _nearly_right(got: np.ndarray, expected: np.ndarray, bound) -> np.ndarray:
    """Elementwise ``abs(y - got) <= bound`` for finite values; the others must be equal."""
    with np.errstate(over="ignore", invalid="ignore"):
        infinite = ~np.isfinite(expected.astype(got.dtype))
        near = np.abs(got.astype(np.result_type(got, np.float64)) - expected) <= bound
    return np.where(infinite, _exactly_right(got, expected), near)
