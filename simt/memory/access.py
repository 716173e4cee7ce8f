"""Loads and stores of array elements."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.blend import merge
from simt.lanes.masks import Env, Mask, remaining
from simt.memory.arrays import Array
from simt.memory.indexing import locate
from simt.memory.records import Record
from simt.memory.refused_values import indexed_refusal
from simt.memory.slices import copy_into, is_partial, slice_view
from simt.refusals import types
from simt.values import as_lanes, is_lane
from simt.values.numba_rules import cast
from simt.values.vectors import Parts

if TYPE_CHECKING:
    from simt.source.sites import Place
    from simt.values import Value

GATHER_FROM = 1024  # lanes from which take(mode="clip") beats fancy indexing


def load(env: Env, mask: Mask, array, index, place: Place):
    """``array[index]`` for the active lanes; inactive lanes of the result hold anything."""
    if type(array) is not Array:
        return _load_from_object(env, mask, array, index, place)
    indices = index if type(index) is tuple else (index,)
    if is_partial(array, indices):
        return slice_view(env, mask, array, indices, place)
    cells, within = locate(env, mask, array, indices, "load", place)
    if within is None:
        return np.zeros((), array.dtype)[()]
    if array.dtype.names:
        return Record(array, cells)
    emit = env.batch.emit
    if emit is not None:
        emit.access(env, within, array, cells, "load", place)
    if type(cells) is not np.ndarray or (within.bits is None and env.width < GATHER_FROM):
        return array.flat[cells]
    if not array.flat.flags.c_contiguous:  # a field of records: take() would copy it whole
        return array.flat[cells]
    return array.flat.take(cells, mode="clip")


def _load_from_object(env: Env, mask: Mask, value: Value, index, place: Place):
    """Subscripts of tuples and records."""
    if isinstance(value, Record):
        return value.get(env, mask, index, place)
    if isinstance(value, Parts):
        raise value.refused(f"has no elements, as `{place.site.text}` asks for")
    if isinstance(value, tuple):
        if isinstance(index, slice):
            return value[
                slice(*(None if part is None else int(part) for part in (index.start, index.stop, index.step)))
            ]
        return _tuple_item(env, mask, value, index, place)
    if isinstance(value, enum.EnumMeta):
        return value[index]
    if isinstance(value, np.void):
        return value[index if isinstance(index, str) else int(index)]
    raise UnsupportedError(indexed_refusal(value, place.site.text))


def _tuple_item(env: Env, mask: Mask, items: tuple, index, place: Place):
    """One item of a tuple, possibly another one in each thread; an index out of range ends the thread, as in numba."""
    if not is_lane(index) and -len(items) <= index < len(items):
        return items[int(index)]
    index = as_lanes(index, env.width)
    index = np.where(index < 0, index + len(items), index)
    outside = (index < 0) | (index >= len(items))
    if mask.bits is not None:
        outside &= mask.bits
    if outside.any():
        env.batch.record_raise(env, outside, IndexError, ["tuple index out of range"], place.site.line)
    result = items[0]
    for position, item in enumerate(items[1:], 1):
        result = merge(result, item, index == position)
    return result


def store(env: Env, mask: Mask, array, index, value: Value, place: Place) -> None:
    """``array[index] = value`` for the active lanes; where several hit one cell, the last in thread order wins."""
    if env.batch.raised and (mask := remaining(env, mask)) is None:
        return
    if type(array) is not Array:
        if isinstance(array, Record):
            return array.put(env, mask, index, value, place)
        raise UnsupportedError(indexed_refusal(array, place.site.text))
    if array.space == "constant":
        raise KernelTypeError(f"{array.name} is constant memory: a kernel cannot write it")
    indices = index if type(index) is tuple else (index,)
    if is_partial(array, indices):
        if isinstance(value, Array) and not array.dtype.names:
            raise UnsupportedError(types.copies_slice(place.site.text))
        target = slice_view(env, mask, array, indices, place)
        return copy_into(env, mask, target, value, place)
    cells, within = locate(env, mask, array, indices, "store", place)
    if within is None:
        return
    value = stored_value(value, array.dtype)
    emit = env.batch.emit
    if emit is not None:
        emit.access(env, within, array, cells, "store", place, value)
    env.batch.count_store(array.flat, cells, value, within)
    turns = env.batch.turns(within.count) if type(value) is np.ndarray else None
    if turns is not None:
        _store_by_turns(array.flat, within.pick(as_lanes(cells, env.width)), within.pick(value), turns)
    elif type(cells) is not np.ndarray:
        array.flat[cells] = within.pick(value)[-1] if type(value) is np.ndarray else value
    elif within.bits is None:
        array.flat[cells] = value
    else:
        index = within.index
        array.flat[cells[index]] = value[index] if type(value) is np.ndarray else value


def _store_by_turns(flat: np.ndarray, cells: np.ndarray, value: np.ndarray, turns: np.ndarray) -> None:
    """Store in this order of lanes, so that another one may win a cell. Rising cells are hit once: no order shows."""
    if (cells[1:] > cells[:-1]).all():
        flat[cells] = value
    else:
        flat[cells[turns]] = value[turns]


def stored_value(value: Value, dtype: np.dtype):
    """A value in the type of the cells it goes to."""
    if isinstance(value, Record):
        return value.values()
    if dtype.names or not hasattr(value, "dtype") or isinstance(value, Array):
        if value is None or isinstance(value, (Array, tuple)):
            raise KernelTypeError(
                f"cannot store {'nothing' if value is None else type(value).__name__} in an element of type {dtype}"
            )
        return value
    if value.dtype.kind == "c" and dtype.kind != "c":
        raise KernelTypeError(f"cannot store a complex value in an element of type {dtype}: store .real or .imag")
    return cast(value, dtype)
