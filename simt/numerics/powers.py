"""`**` with whole exponents, as numba-cuda compiles it: products of squares, and a library's pow from 2^16 on."""

from __future__ import annotations

import numpy as np

from simt.values.conversions import to_integer
from simt.values.numba_rules import F64, I64

LARGEST_EXPONENT = 0x10000  # of a product


def integer_power(base, exponent):
    """Of 64-bit integers, in the type of the base, wrapping round. With a negative exponent 1, -1 or 0 as in C, and the
    lowest number where the base is 0.

    Under Python 3.11 numba-cuda passes the result through float64, which rounds what needs more than 53 bits; under
    3.12 it does not, nor does this.
    """
    negative, large = exponent < 0, _is_large(exponent)
    if not np.any(negative | large):
        return np.power(base, exponent.astype(base.dtype))
    power = np.power(base, np.where(negative | large, 0, exponent).astype(base.dtype))
    if np.any(large):
        by_library = to_integer(np.power(base.astype(F64), exponent.astype(F64)), base.dtype)
        power = np.where(large, by_library, power)
    if np.any(negative):
        sign = np.where(exponent.astype(F64) % 2 == 0, 1, base.astype(I64))
        reciprocal = np.where(np.abs(base.astype(F64)) == 1, sign, np.where(base == 0, np.iinfo(np.int64).min, 0))
        power = np.where(negative, reciprocal.astype(base.dtype), power)
    return power[()]


def float_power(base, exponent):
    """A float32 or float64 to the power of integers: every product is rounded, then the reciprocal is taken."""
    if type(exponent) is not np.ndarray and not _is_large(exponent):
        return _to_one_power(base, int(exponent))
    large, one = _is_large(exponent), base.dtype.type(1)
    left, result, square = np.where(large, 0, np.abs(exponent)), one, base
    while np.any(left):
        result = np.where(left & 1, result * square, result)
        square = square * square
        left = left >> 1
    result = np.where(exponent < 0, one / result, result)
    if np.any(large):
        result = np.where(large, np.power(base.astype(F64), exponent.astype(F64)), result)
    return result.astype(base.dtype)[()]


def _to_one_power(base, exponent: int):
    """The same exponent for all, as in x ** 2."""
    left, result, square = abs(exponent), base.dtype.type(1), base
    while left:
        result = result * square if left & 1 else result
        left >>= 1
        square = square * square if left else square
    result = base.dtype.type(1) / result if exponent < 0 else result
    return result if np.shape(result) == np.shape(base) else np.full(np.shape(base), result)


def _is_large(exponent):
    """Where the library takes over; the least number, which has no magnitude in its type, is large."""
    magnitude = np.abs(exponent)
    return (magnitude > LARGEST_EXPONENT) | (magnitude < 0)
