"""`range`: the numbers that it counts, and a range that is kept in a variable before a loop goes over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.bits import some
from simt.memory.arrays import Array
from simt.memory.sequences import Elements
from simt.refusals import numbers, ranges, types
from simt.values import is_lane, number
from simt.values.numba_rules import I64, cast, range_dtype

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask


class Range(Elements):
    """The numbers of a range. sources: where it starts, its step, and where it stops."""

    __slots__ = ()

    @property
    def start(self):
        return self.sources[0]

    @property
    def step(self):
        return self.sources[1]

    @property
    def stop(self):
        return self.sources[2]

    def __eq__(self, other: object) -> bool:
        raise UnsupportedError(ranges.compared())

    __hash__ = None  # type: ignore[assignment]

    def end(self, mask: Mask, greatest: bool):
        """The greatest or the least of its numbers. Raises: UnsupportedError where some thread's range has none."""
        if np.any(np.asarray(mask.pick(self.extent) if is_lane(self.extent) else self.extent) == 0):
            raise UnsupportedError("min and max of no element at all: numba raises there, and ends the thread")
        last = self.start + cast(self.extent - 1, self.start.dtype) * self.step
        return (np.maximum if greatest else np.minimum)(self.start, last)

    def holds(self, value):
        """Whether a number is one of the range's, as numba asks: a fraction is none."""
        whole = cast(value, I64)
        start, stop, step = (cast(one, I64) for one in (self.start, self.stop, self.step))
        within = np.where(step > 0, (whole >= start) & (whole < stop), (whole <= start) & (whole > stop))
        return (within & ((whole - start) % step == 0) & (whole == value))[()]

    def all(self, env: Env, mask: Mask) -> tuple:
        """Every number, where the threads have equally many."""
        counts = np.unique(mask.pick(self.extent) if is_lane(self.extent) else self.extent)
        if len(counts) > 1:
            raise KernelTypeError("threads have different numbers of elements here: loop over them, or use range(...)")
        return tuple(self.at(env, mask, position) for position in range(int(counts[0])))

    def each(self, mask: Mask, env: Env):
        """Its numbers one by one, each with the lanes that have it: None for all. Each counts as a statement."""
        lanes = is_lane(self.extent)
        for position in range(int(np.max(mask.pick(self.extent))) if lanes else int(self.extent)):
            env.batch.meter.count(1, env)
            yield self.at(env, mask, position), self.extent > position if lanes else None


def ranged(env: Env, mask: Mask, *bounds) -> Range:
    """A range that is no head of a loop, as in ``r = range(n)``."""
    given = [number(bound) for bound in bounds]
    dtype = range_type(given)
    start, stop, step = range_arguments([cast(one, I64) if one.dtype.kind == "f" else one for one in given])
    length = -((cast(start, I64) - cast(stop, I64)) // cast(step, I64))  # rounded up
    return Range(np.maximum(length, 0), tuple(cast(one, dtype) for one in (start, step, stop)), _counted)


def _counted(env: Env, mask: Mask, position: int, sources: tuple):
    first, step, _ = sources
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
    if some(np.asarray(step) == 0):
        raise KernelTypeError("`range` has step 0, so it would never end: start with a step of 1")
    return start, stop, step
