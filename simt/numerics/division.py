"""`//` and `%` as numba-cuda compiles them: of integers with a result for every divisor, of floats by way of a
remainder that the compiler works out as x - floor(x / y) * y, rounded once. So a large quotient leaves a rough
remainder, and an infinite operand leaves NaN, where Python and NumPy have the exact one.
"""

from __future__ import annotations

import numpy as np

from simt.lanes.bits import some
from simt.numerics.fma import fused_multiply_add

LEAST = np.iinfo(np.int64).min


def integer_quotient(left, right):
    """left // right of one type of 64 bits: 0 where the divisor is 0, and where the quotient is too large for int64."""
    quotient = left // right
    if quotient.dtype.kind == "u" or not some(right == -1):
        return quotient
    return np.where((left == LEAST) & (right == -1), 0, quotient)[()]


def float_quotient(left, right):
    """left // right of float32 or float64."""
    remainder = _remainder(left, right)
    quotient = (left - remainder) / right
    quotient = np.where(
        (remainder != 0) & ((right < 0) != (remainder < 0)), quotient - quotient.dtype.type(1), quotient
    )
    floor = np.floor(quotient)
    floor = np.where(quotient - floor > 0.5, floor + floor.dtype.type(1), floor)
    signed_zero = quotient * quotient * left / right
    result = np.where((quotient != 0) & ~np.isnan(quotient), floor, signed_zero)
    return np.where(right == 0, left / right, result)[()]


def float_remainder(left, right):
    """left % right of float32 or float64: between 0 and the divisor, with its sign."""
    remainder = _remainder(left, right)
    zero = np.copysign(remainder.dtype.type(0), np.where(right < 0, -1, 1))
    signed = np.where((right < 0) != (remainder < 0), right + remainder, remainder)
    return np.where(remainder == 0, zero, signed).astype(remainder.dtype)[()]


def _remainder(left, right):
    """With the sign of `left`: the quotient is rounded before its floor is taken."""
    left_size, right_size = np.abs(left), np.abs(right)
    rest = fused_multiply_add(-np.floor(left_size / right_size), right_size, left_size)
    return np.where(left < 0, -rest, rest).astype(rest.dtype)[()]
