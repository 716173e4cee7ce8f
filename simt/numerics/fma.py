"""a * b + c rounded once, as the hardware's fused multiply-add does. NumPy has no such function."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from simt.values.numba_rules import F64

if TYPE_CHECKING:
    from simt.values import Value

SPLITTER = 2.0**27 + 1  # parts of a float64 whose products are exact
FACTORS, SUMMANDS = (2.0**-450, 2.0**450), (2.0**-900, 2.0**900)  # within these nothing below over- or underflows


def fused_multiply_add(a, b, c):
    """a * b + c of floats of one type, lanes or scalars, rounded once."""
    dtype = a.dtype
    wide = np.broadcast_arrays(*(np.atleast_1d(np.asarray(value, F64)) for value in (a, b, c)))
    with np.errstate(all="ignore"):
        result = _in_double(*wide) if dtype == F64 else _through_double(*wide).astype(dtype)
    return result if any(np.ndim(value) for value in (a, b, c)) else result[0]


def _two_sum(a, b):
    """The rounded sum, and what rounding left out."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a, b):
    """The rounded product, and what rounding left out."""
    product = a * b
    a_high, b_high = ((value * SPLITTER) - (value * SPLITTER - value) for value in (a, b))
    a_low, b_low = a - a_high, b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _to_odd(total, rest):
    """total + rest rounded to the odd neighbour, so that rounding it once more is right."""
    inexact = (rest != 0) & np.isfinite(total) & np.isfinite(rest)
    is_even = (total.view(np.uint64) & np.uint64(1)) == 0
    return np.where(inexact & is_even, np.nextafter(total, np.copysign(np.inf, rest)), total)


def _through_double(a, b, c):
    """For float32 and float16, whose products are exact in float64; the result is rounded by the caller."""
    return _to_odd(*_two_sum(a * b, c))


def _in_double(a, b, c):
    """For float64: Boldo and Melquiond's algorithm, and exact fractions where it might overflow."""
    high, low = _two_product(a, b)
    upper, upper_rest = _two_sum(c, low)
    total, rest = _two_sum(high, upper)
    result = total + _to_odd(*_two_sum(upper_rest, rest))
    safe = _inside(a, FACTORS) & _inside(b, FACTORS) & _inside(c, SUMMANDS) & (result != 0)
    finite = np.isfinite(a) & np.isfinite(b)
    plain = ~(finite & np.isfinite(c))
    result = np.where(plain, np.where(finite, c, a * b + c), result)
    for lane in np.flatnonzero(~safe & ~plain):
        result[lane] = _exact(float(a[lane]), float(b[lane]), float(c[lane]))
    return result


def _inside(value: Value, bounds: tuple[float, float]):
    magnitude = np.abs(value)
    return (magnitude >= bounds[0]) & (magnitude <= bounds[1])


def _exact(a: float, b: float, c: float) -> float:
    """One lane, with whole numbers of any size."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c if a * b == 0 else 0.0  # signs of zeros as for a sum
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else -float("inf")
