"""Values as kernels see them: a NumPy scalar is uniform over all lanes, a 1-D array holds one value per lane.

Lane arrays are immutable by convention: nothing writes into one, so facts about them can be remembered.
"""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from simt.errors import UnsupportedError
from simt.refusals import numbers, types

# What an expression gives: a NumPy scalar, an array of one value per lane, an Array, a tuple of these, a type, ...
Value = Any

UNDEFINED = object()  # a variable without a value, or an expression that has no value before the launch

HALVES = "eE"  # types of 16 bits, of which numba makes no conditions

INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1


def wrap(value: Value):
    """A Python value as numba types it: int64 or float64 for literals. Other objects and enum members stay.

    Raises: UnsupportedError for an integer past 64 bits.
    """
    if isinstance(value, (np.generic, enum.Enum)):
        return value
    if isinstance(value, bool):
        return np.bool_(value)
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return np.float64(value)
    if isinstance(value, complex):
        return np.complex128(value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(wrap(item) for item in value)
    if isinstance(value, tuple):
        return type(value)(*(wrap(item) for item in value))
    return value


def _integer(value: int):
    if INT64_MIN <= value <= INT64_MAX:
        return np.int64(value)
    if not 0 <= value <= UINT64_MAX:
        raise UnsupportedError(numbers.too_large(value))
    return np.uint64(value)


def number(value: Value):
    """The number behind a value: that of an enum member, or itself."""
    return wrap(value.value) if isinstance(value, enum.Enum) else value


def member_as_number(value: Value):
    """The number of an IntEnum's member; anything else as it is. A member of a plain Enum is no number."""
    return wrap(value.value) if isinstance(value, enum.IntEnum) else value


def is_lane(value: Value) -> bool:
    """Whether `value` differs per lane (is an array) instead of being uniform."""
    return type(value) is np.ndarray


def truth(value: Value):
    """The condition a value stands for: a bool, or a bool per lane. Raises: UnsupportedError for
    a whole array, and for a float16, of which numba-cuda makes none."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.char in HALVES:
        raise UnsupportedError(numbers.half_for_condition(str(value.dtype)))
    if type(value) is np.ndarray:
        return value if value.dtype.char == "?" else value != 0
    if not isinstance(value, np.generic) and hasattr(value, "strides"):
        raise UnsupportedError(types.array_for_number("This expression"))
    return bool(value)


def denied(value: Value):
    """`not value`, of a float16, too: a bool, or a bool per lane. Raises: TypeError for a whole array."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value == 0
    if isinstance(value, type):
        raise UnsupportedError(types.misfit("this operand", "type", "not", "number"))
    if hasattr(value, "strides") or isinstance(value, tuple):
        raise TypeError("not")
    return np.bool_(not truth(value))


def as_lanes(value: Value, width: int) -> np.ndarray:
    """(width,) array of a value that may be uniform."""
    return value if type(value) is np.ndarray else np.full(width, value)


def rebuild(sequence: tuple, items) -> tuple:
    """A tuple of the same kind as `sequence`: named tuples and vectors keep their class."""
    items = tuple(items)
    return type(sequence)(*items) if hasattr(sequence, "_fields") else type(sequence)(items)
