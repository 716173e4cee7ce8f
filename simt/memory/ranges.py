"""`range`: the numbers that it counts, and a range that is kept in a variable before a loop goes over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.memory.arrays import Array
from simt.memory.sequences import Elements
from simt.refusals import numbers, types
from simt.values import number
from simt.values.numba_rules import I64, cast, range_dtype

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask


class Range(Elements):
    """The numbers of a range."""

    __slots__ = ()


def ranged(env: Env, mask: Mask, *bounds) -> Range:
    """A range that is no head of a loop, as in ``r = range(n)``."""
    given = [number(bound) for bound in bounds]
    dtype = range_type(given)
    start, stop, step = range_arguments([cast(one, I64) if one.dtype.kind == "f" else one for one in given])
    length = -((cast(start, I64) - cast(stop, I64)) // cast(step, I64))  # rounded up
    return Range(np.maximum(length, 0), (cast(start, dtype), cast(step, dtype)), _counted)


def _counted(env: Env, mask: Mask, position: int, sources: tuple):
    first, step = sources
    return first + first.dtype.type(position) * step


def range_type(values: list) -> np.dtype:
    """The type of a range's numbers; numba cuts the fraction off a float. Raises: KernelTypeError for no numbers."""
    for value in values:
        if isinstance(value, Array) or getattr(getattr(value, "dtype", None), "kind", "") not in tuple("biuf"):
            raise KernelTypeError(numbers.no_bound(value))
    return range_dtype(tuple(value.dtype for value in values))


def range_arguments(values: list):
    """(start, stop, step) of one, two or three arguments of range."""
    if not 1 <= len(values) <= 3:
        raise KernelTypeError(types.miscounted(f"range({', '.join('?' * len(values))})"))
    start, stop = (np.int64(0), values[0]) if len(values) == 1 else values[:2]
    step = values[2] if len(values) == 3 else np.int64(1)
    if np.any(np.asarray(step) == 0):
        raise KernelTypeError("`range` has step 0, so it would never end: start with a step of 1")
    return start, stop, step
