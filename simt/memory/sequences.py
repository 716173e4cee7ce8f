"""What a loop runs over: elements that are loaded when their turn comes, as numba's iterators do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.blend import merge, narrow, scatter
from simt.memory.access import load
from simt.memory.arrays import Array
from simt.memory.slices import uniform_shape
from simt.values import UNDEFINED, is_lane
from simt.values.vectors import Parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place


@dataclass(frozen=True, slots=True)
class Elements:
    """What a loop runs over, none of it loaded yet.

    extent: how many elements there are, one number per lane where lanes differ. sources: what they come from.
    pick: loads the one at a position, for a mask, from the sources.
    """

    extent: Any
    sources: tuple
    pick: Callable[[Env, Mask, int, tuple], Any]

    def __bool__(self) -> bool:
        raise KernelTypeError("a range, or what enumerate and zip give, is no condition: compare numbers")

    def at(self, env: Env, mask: Mask, position: int):
        """One element, loaded now."""
        return self.pick(env, mask, position, self.sources)

    def all(self, env: Env, mask: Mask) -> tuple:
        """Every element, loaded now."""
        if is_lane(self.extent):
            raise KernelTypeError("threads have different numbers of elements here: loop over them, or use range(...)")
        return tuple(self.at(env, mask, position) for position in range(self.extent))

    def narrow(self, index: np.ndarray) -> Elements:
        """Those of the lanes `index`."""
        return type(self)(narrow(self.extent, index), tuple(narrow(one, index) for one in self.sources), self.pick)

    def merge(self, old: Any, bits: np.ndarray, mask: Mask = None) -> Elements:
        """Per lane ``bits ? self : old``, where both go over the same kind of thing."""
        pairs = zip(self._check_same(old), self.sources, strict=True)
        sources = tuple(merge(was, new, bits, mask) for was, new in pairs)
        return type(self)(merge(_number(old.extent), _number(self.extent), bits, mask), sources, self.pick)

    def scatter(self, old: Any, index: np.ndarray, width: int) -> Elements:
        """`old` with the lanes `index` replaced by these."""
        was = self._check_same(old) if old is not UNDEFINED else (UNDEFINED,) * len(self.sources)
        sources = tuple(scatter(a, b, index, width) for a, b in zip(was, self.sources, strict=True))
        extent = UNDEFINED if old is UNDEFINED else _number(old.extent)
        return type(self)(scatter(extent, _number(self.extent), index, width), sources, self.pick)

    def _check_same(self, old: Any) -> tuple:
        """The sources of `old`. Raises: UnsupportedError where it goes over something else."""
        if type(old) is not type(self) or old.pick.__code__ is not self.pick.__code__:
            raise UnsupportedError("a variable goes over different things in different threads: write the loop twice")
        return old.sources


def elements_of(sequence, place: Place) -> Elements:
    """The elements of a tuple, of an array, or of what zip and enumerate give.

    Raises: KernelTypeError for anything else, a vector's parts among it.
    """
    if isinstance(sequence, Elements):
        return sequence
    if isinstance(sequence, Array):
        extent = sequence.shape[0]
        return Elements(
            extent if is_lane(extent) else int(extent),
            (sequence,),
            lambda env, mask, position, sources: load(env, mask, sources[0], np.int64(position), place),
        )
    if isinstance(sequence, Parts):
        raise sequence.refused("cannot be looped over")
    if isinstance(sequence, tuple):
        if hasattr(sequence, "check_done"):  # of a warpgroup's product
            return Elements(
                len(sequence),
                (sequence,),
                lambda env, mask, position, sources: load(env, mask, sources[0], np.int64(position), place),
            )
        return Elements(len(sequence), sequence, lambda env, mask, position, sources: sources[position])
    raise KernelTypeError(
        f"cannot loop over a value of type {type(sequence).__name__}: use range(...), a tuple or an array"
    )


def zipped(env: Env, mask: Mask, place: Place, *sequences) -> Elements:
    """Elements side by side, as many as the shortest sequence has; of the longer ones no more is loaded."""
    parts = tuple(elements_of(sequence, place) for sequence in sequences)
    return Elements(reduce(_shorter, (part.extent for part in parts)) if parts else 0, parts, _side_by_side)


def numbered(env: Env, mask: Mask, place: Place, sequence, start=0) -> Elements:
    """Elements with their positions, counted from start."""
    items = elements_of(sequence, place)
    return Elements(items.extent, (start if is_lane(start) else np.int64(start), items), _with_its_position)


def with_indices(env: Env, mask: Mask, place: Place, array: Array) -> Elements:
    """The elements of an array with their indices, in C order, as `np.ndenumerate` gives them."""
    shape = uniform_shape(array)

    def pick(env: Env, mask: Mask, position: int, sources: tuple):
        index = tuple(np.int64(part) for part in np.unravel_index(position, shape))
        return index, load(env, mask, sources[0], index, place)

    return Elements(math.prod(shape), (array,), pick)


def _number(extent: Any):
    """An int as a NumPy scalar, so that it has a dtype."""
    return extent if is_lane(extent) else np.int64(extent)


def _shorter(one, other):
    return np.minimum(one, other) if is_lane(one) or is_lane(other) else min(one, other)


def _side_by_side(env: Env, mask: Mask, position: int, parts: tuple) -> tuple:
    return tuple(part.at(env, mask, position) for part in parts)


def _with_its_position(env: Env, mask: Mask, position: int, sources: tuple) -> tuple:
    first, items = sources
    return np.int64(position) + first, items.at(env, mask, position)
