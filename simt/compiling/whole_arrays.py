"""Functions of whole arrays and sequences: ``array.sum()``, ``np.argmax(array)``, ``sum(values)``.

Every thread goes over all elements, in C order, as numba compiles it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.errors import UnsupportedError
from simt.lanes.masks import narrowed
from simt.memory.access import load
from simt.memory.arrays import Array
from simt.memory.slices import copy_into, indices_of_lanes, uniform_shape
from simt.numerics.mathematics import apply_ufunc
from simt.numerics.operators import binary
from simt.values import as_lanes, is_lane, truth
from simt.values.numba_rules import C128, F64, I64, U64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

NOTHING = "an array without elements has no smallest or largest: the GPU gives any value"


def elements(env: Env, mask: Mask, array: Array, place: Place) -> Iterator[tuple[Value, Any]]:
    """The elements of an array, loaded one after the other, each with the lanes that have it: None for all.

    Each counts as a statement.
    """
    for index, wanted in indices_of_lanes(array, mask):
        env.batch.meter.count(1, env)
        yield load(env, wanted, array, index, place), None if wanted is mask else wanted.bits


def chosen(condition: Any, value: Value, other: Value) -> Value:
    """One value where a condition holds, another elsewhere."""
    either: Any = np.where(condition, value, other)
    return either[()]


def _kept(within, new: Value, old: Value):
    """The new value in the lanes that took part."""
    return new if within is None else chosen(within, new, old)


def _fold(combine, widens: bool = False, empty: int | None = None):
    """widens: whether integers become 64 bits wide before they are combined; empty: what an array of nothing gives."""

    def run(env: Env, mask: Mask, place: Place, array):
        result = None
        for value, within in elements(env, mask, array, place):
            if widens and value.dtype.kind in "biu":
                value = cast(value, U64 if value.dtype.kind == "u" else I64)
            if result is None:
                result = _kept(within, value, value.dtype.type(empty or 0))
            else:
                result = _kept(within, combine(result, value), result)
        if result is not None:
            return result
        if empty is None:
            raise UnsupportedError(NOTHING)
        return cast(
            np.int64(empty), array.dtype if array.dtype.kind in "fc" else U64 if array.dtype.kind == "u" else I64
        )

    return run


_total = _fold(lambda a, b: binary("+", a, b), widens=True, empty=0)


def mean(env: Env, mask: Mask, place: Place, array):
    """float64 (or complex128): the sum in the array's own type, over the number of elements."""
    total: Value = np.float64(0)
    count: Value = np.int64(0)
    for position, (value, within) in enumerate(elements(env, mask, array, place)):
        value = cast(value, F64) if value.dtype.kind in "biu" else value
        so_far = value.dtype.type(0) if position == 0 else total
        total = _kept(within, value if position == 0 else binary("+", total, value), so_far)
        count = _kept(within, count + np.int64(1), count)
    return binary("/", total, count)


def variance(env: Env, mask: Mask, place: Place, array):
    """float64: the mean squared distance from the mean."""
    centre = mean(env, mask, place, array)
    total: Value = np.float64(0)
    count: Value = np.int64(0)
    for value, within in elements(env, mask, array, place):
        distance = binary("-", value, centre)
        total = _kept(within, total + (distance * np.conj(distance)).real, total)
        count = _kept(within, count + np.int64(1), count)
    return binary("/", total, count)


def deviation(env: Env, mask: Mask, place: Place, array):
    """float64: the root of the variance."""
    return binary("**", variance(env, mask, place, array), np.float64(0.5))


def _without_nan(symbol: str, start: int):
    """np.nansum or np.nanprod: of the elements that are numbers; integers become int64."""

    def run(env: Env, mask: Mask, place: Place, array):
        dtype = array.dtype if array.dtype.kind in "fc" else I64
        total: Value = dtype.type(start)
        for value, counts in _numbers(env, mask, array, place):
            total = _kept(counts, cast(binary(symbol, total, cast(value, dtype)), dtype), total)
        return total

    return run


def _numbers(env: Env, mask: Mask, array: Array, place: Place) -> Iterator[tuple[Value, Any]]:
    """The elements of an array, each with where it is a number, in the lanes that have it."""
    for value, within in elements(env, mask, array, place):
        is_number = value == value
        yield value, is_number if within is None else is_number & within


def _nan_mean(env: Env, mask: Mask, place: Place, array):
    """float64 (or complex128): the mean of the elements that are numbers."""
    kind = C128 if array.dtype.kind == "c" else F64
    return _mean_of(((cast(value, kind), counts) for value, counts in _numbers(env, mask, array, place)), kind)


def _nan_variance(env: Env, mask: Mask, place: Place, array):
    """float64: the mean squared distance of the numbers from their mean."""
    centre = _nan_mean(env, mask, place, array)
    distances = ((binary("-", value, centre), counts) for value, counts in _numbers(env, mask, array, place))
    return _mean_of((((distance * np.conj(distance)).real, counts) for distance, counts in distances), F64)


def _mean_of(values: Iterator[tuple[Value, Any]], kind: np.dtype):
    """The mean of the values that count; NaN where none does."""
    total: Value = kind.type(0)
    number: Value = np.int64(0)
    for value, counts in values:
        total, number = _kept(counts, total + value, total), _kept(counts, number + np.int64(1), number)
    return apply_ufunc(np.divide, [total, number])


def _trace(env: Env, mask: Mask, place: Place, array: Array, offset: Value = 0):
    """The sum along a diagonal of a matrix. Starts with the integer 0, so that float32 becomes float64."""
    if is_lane(offset):
        raise UnsupportedError("`np.trace` takes an offset that is the same in every thread: write the loop")
    rows, columns = uniform_shape(array)
    total: Value = np.int64(0)
    for row in range(max(0, -int(offset)), int(rows)):
        if row + int(offset) < columns:
            env.batch.meter.count(1, env)
            index = np.int64(row), np.int64(row + int(offset))
            total = binary("+", total, load(env, mask, array, index, place))
    return total


def _extreme_position(better):
    """int64 position of the first element that none is better than; a NaN wins."""

    def run(env: Env, mask: Mask, place: Place, array):
        best: Value = None
        position: Value = np.int64(0)
        for k, (value, within) in enumerate(elements(env, mask, array, place)):
            if best is None:
                best = value
                continue
            wins = better(value, best) | ((value != value) & (best == best))
            wins = wins if within is None else wins & within
            best, position = chosen(wins, value, best), chosen(wins, np.int64(k), position)
        return position

    return run


def best_of_array(better, of_values):
    """Python's min or max. better(value, best): whether one wins; of_values: what several values, or a tuple, give."""

    def run(env: Env, mask: Mask, place: Place, *values):
        if len(values) != 1 or not isinstance(values[0], Array) or values[0].ndim != 1:
            return of_values(env, mask, *values)
        best: Value = None
        for value, within in elements(env, mask, values[0], place):
            wins = None if best is None else better(value, best)
            best = value if wins is None else chosen(wins if within is None else wins & within, value, best)
        if best is None:
            raise UnsupportedError(NOTHING)
        return best

    return run


def contains(env: Env, mask: Mask, place: Place, array: Array, wanted: Value):
    """Whether an array has an element of this value, as `wanted in array` asks."""
    found: Value = np.bool_(False)
    for value, within in elements(env, mask, array, place):
        same = binary("==", value, wanted)
        found = found | (same if within is None else same & within)
    return found


def only_element(env: Env, mask: Mask, place: Place, array: Array):
    """What `array.item()` gives of an array of one element."""
    found = list(elements(env, mask, array, place))
    if len(found) != 1 or found[0][1] is not None:
        raise UnsupportedError("`item()` is of an array of one element: index the one that is meant, as in x[i]")
    return found[0][0]


def number_of_nonzero(env: Env, mask: Mask, place: Place, array: Array):
    """int64: how many elements are not zero; of a number, whether it is not."""
    if not isinstance(array, Array) and array.dtype.kind in "iuf":
        return cast(binary("!=", array, np.int64(0)), I64)
    count: Value = np.int64(0)
    for value, within in elements(env, mask, array, place):
        count = _kept(within, count + cast(binary("!=", value, np.int64(0)), I64), count)
    return count


def sorted_position(env: Env, mask: Mask, place: Place, array: Array, key: Value, side: str = "left"):
    """int64: where a key belongs in a sorted array, by halving: before its equals, or after them ("right")."""
    if isinstance(key, Array) or side not in ("left", "right"):
        raise UnsupportedError("`np.searchsorted` seeks one number in a kernel, on the left or on the right")
    low: Value = np.zeros(env.width, np.int64)
    high: Value = as_lanes(np.int64(1) * array.shape[0], env.width)
    while (searching := narrowed(mask, low < high)) is not None:
        middle = low + (high - low) // 2
        env.batch.meter.count(1, env)
        value = load(env, searching, array, middle, place)
        after = (low < high) & binary("<" if side == "left" else "<=", value, key)
        low, high = np.where(after, middle + 1, low), np.where((low < high) & ~after, middle, high)
    return low


def _whether(stop):
    """bool: whether any element is true (stop is True), or all are (False); of a number, whether it is."""

    def run(env: Env, mask: Mask, place: Place, array):
        if not isinstance(array, Array) and array.dtype.kind in "iuf":
            return binary("!=", array, np.int64(0))
        found = np.zeros(env.width, bool)
        for value, within in elements(env, mask, array, place):
            meets = as_lanes(truth(value), env.width) == stop
            found |= meets if within is None else meets & within
        return found == stop

    return run


def fill(env: Env, mask: Mask, place: Place, array, value: Value):
    """Every element becomes the value."""
    copy_into(env, mask, array, value, place)


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
    "item": only_element,
}
FUNCTIONS = {getattr(np, name): METHODS[name] for name in "sum mean prod var std argmin argmax any all".split()}
FUNCTIONS |= {
    np.count_nonzero: number_of_nonzero,
    np.searchsorted: sorted_position,
    np.nansum: _without_nan("+", 0),
    np.nanprod: _without_nan("*", 1),
    np.nanmean: _nan_mean,
    np.nanvar: _nan_variance,
    np.nanstd: lambda env, mask, place, array: np.sqrt(_nan_variance(env, mask, place, array)),
    np.average: mean,  # numba compiles the one without axis and weights
    np.trace: _trace,
}
