"""Floats to integers as a GPU converts them: held to the range of the type, never wrapped round as NumPy does it.

What PTX's `cvt` says. From float32 and float64 it rounds towards zero; numba-cuda's conversion of a float16 rounds to
the nearest, and to the even one of two. There is none to 8 bits, except from float16: such a number goes to 16 bits
first and keeps the low 8. NaN becomes 0, or the highest bit alone where float64 or 64 bits take part.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

WIDENED = {np.dtype("int8"): np.dtype("int16"), np.dtype("uint8"): np.dtype("uint16")}
_limits: dict[np.dtype, tuple] = {}  # integer type -> (its least, its greatest, the float after that)


def to_integer(value, dtype: np.dtype, rounding: Callable | None = None):
    """Floats, a scalar or lanes, as integers of this type. rounding: np.floor, say, in place of the usual one."""
    halves = value.dtype.itemsize == 2
    target = dtype if halves else WIDENED.get(dtype, dtype)
    rounded = (rounding or (np.rint if halves else np.trunc))(value.astype(np.float32) if halves else value)
    least, greatest, beyond = _limits_of(target)
    inside = (rounded >= float(least)) & (rounded < beyond)
    if inside.all():
        return rounded.astype(target).astype(dtype)
    no_number = _highest_bit(target) if value.dtype.itemsize == 8 or target.itemsize == 8 else target.type(0)
    held = np.where(np.isnan(rounded), no_number, np.where(rounded < 0, least, greatest))
    return np.where(inside, np.where(inside, rounded, 0).astype(target), held).astype(dtype)[()]


def _limits_of(dtype: np.dtype) -> tuple:
    found = _limits.get(dtype)
    if found is None:
        limits = np.iinfo(dtype)
        found = _limits[dtype] = dtype.type(limits.min), dtype.type(limits.max), float(limits.max + 1)
    return found


def _highest_bit(dtype: np.dtype):
    return dtype.type(1 << 8 * dtype.itemsize - 1 if dtype.kind == "u" else np.iinfo(dtype).min)
