"""Functions of whole arrays and sequences: ``array.sum()``, ``np.argmax(array)``, ``sum(values)``.

Every thread goes over all elements, in C order, as numba compiles it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.memory.access import load
from simt.memory.arrays import Array
from simt.memory.slices import copy_into, element_indices
from simt.numerics.operators import binary
from simt.values import as_lanes, truth
from simt.values.numba_rules import F64, I64, U64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value


def elements(env: Env, mask: Mask, array: Array, place: Place) -> Iterator:
    """The elements of an array, loaded one after the other. Each counts as a statement."""
    for index in element_indices(array):
        env.batch.meter.count(1, env)
        yield load(env, mask, array, index, place)


def _fold(combine, widens: bool = False, empty: int | None = None):
    """widens: whether integers become 64 bits wide before they are combined; empty: what an array of nothing gives."""

    def run(env: Env, mask: Mask, place: Place, array):
        result = None
        for value in elements(env, mask, array, place):
            if widens and value.dtype.kind in "biu":
                value = cast(value, U64 if value.dtype.kind == "u" else I64)
            result = value if result is None else combine(result, value)
        if result is not None or not isinstance(array, Array):
            return result
        if empty is None:
            raise UnsupportedError("an array without elements has no smallest or largest: the GPU gives any value")
        return cast(
            np.int64(empty), array.dtype if array.dtype.kind in "fc" else U64 if array.dtype.kind == "u" else I64
        )

    return run


_total = _fold(lambda a, b: binary("+", a, b), widens=True, empty=0)


def mean(env: Env, mask: Mask, place: Place, array):
    """float64 (or complex128): the sum in the array's own type, over the number of elements."""
    total, count = None, 0
    for value in elements(env, mask, array, place):
        value = cast(value, F64) if value.dtype.kind in "biu" else value
        total, count = value if total is None else binary("+", total, value), count + 1
    return binary("/", total, np.int64(count))


def variance(env: Env, mask: Mask, place: Place, array):
    """float64: the mean squared distance from the mean."""
    centre, total, count = mean(env, mask, place, array), np.float64(0), 0
    for value in elements(env, mask, array, place):
        distance = binary("-", value, centre)
        total, count = total + (distance * np.conj(distance)).real, count + 1
    return binary("/", total, np.int64(count))


def deviation(env: Env, mask: Mask, place: Place, array):
    """float64: the root of the variance."""
    return binary("**", variance(env, mask, place, array), np.float64(0.5))


def _extreme_position(better):
    """int64 position of the first element that none is better than; a NaN wins."""

    def run(env: Env, mask: Mask, place: Place, array):
        best: Value = None
        position: Value = np.int64(0)
        for k, value in enumerate(elements(env, mask, array, place)):
            if best is None:
                best = value
                continue
            wins = better(value, best) | ((value != value) & (best == best))
            best, position = np.where(wins, value, best)[()], np.where(wins, np.int64(k), position)[()]
        return position

    return run


def _whether(stop):
    """bool: whether any element is true (stop is True), or all are (False)."""

    def run(env: Env, mask: Mask, place: Place, array):
        found = np.zeros(env.width, bool)
        for value in elements(env, mask, array, place):
            found |= as_lanes(truth(value), env.width) == stop
        return found == stop

    return run


def fill(env: Env, mask: Mask, place: Place, array, value: Value):
    """Every element becomes the value."""
    copy_into(env, mask, array, value, place)


def add_up(env: Env, mask: Mask, place: Place, sequence, start=None):
    """Python's sum: starts with the integer 0, and the type widens as it goes."""
    total = np.int64(0) if start is None else start
    if isinstance(sequence, Array) and sequence.ndim == 1:
        items = elements(env, mask, sequence, place)
    elif isinstance(sequence, tuple):
        items = iter(sequence)
    else:
        raise UnsupportedError("`sum` goes over a tuple or an array of one dimension: write the loop")
    for value in items:
        total = binary("+", total, value)
    return total


METHODS = {
    "sum": _total,
    "mean": mean,
    "prod": _fold(lambda a, b: binary("*", a, b), widens=True, empty=1),
    "var": variance,
    "std": deviation,
    "argmin": _extreme_position(lambda value, best: value < best),
    "argmax": _extreme_position(lambda value, best: value > best),
    "any": _whether(True),
    "all": _whether(False),
    "fill": fill,
}
FUNCTIONS = {getattr(np, name): METHODS[name] for name in "sum mean prod var std argmin argmax any all".split()}
FUNCTIONS[sum] = add_up
