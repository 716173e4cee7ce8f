"""Loads and stores of single elements, an index for every axis of the array."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.bits import every
from simt.lanes.masks import Env, Mask, remaining
from simt.memory.arrays import Array
from simt.memory.indexing import locate
from simt.memory.records import Record, tell_fields
from simt.refusals import elements, numbers
from simt.values import as_lanes
from simt.values.numba_rules import cast

if TYPE_CHECKING:
    from simt.source.sites import Place
    from simt.values import Value

PLAIN, TEXTS = (bool, int, float, complex, enum.Enum), (str, bytes)  # what an element takes that has no dtype
GATHER_FROM = 1024  # lanes from which take(mode="clip") beats fancy indexing


def load_element(env: Env, mask: Mask, array: Array, indices: tuple, place: Place):
    """One element per active lane; inactive lanes of the result hold anything."""
    cells, within = locate(env, mask, array, indices, "load", place)
    if within is None:
        nothing = Record(array, np.int64(-1), True) if array.dtype.names and array.flat.size else None
        return nothing or np.zeros((), array.dtype)[()]
    if array.dtype.names:
        return Record(array, cells) if within is mask else Record.of_lanes(array, cells, within, env.width)
    emit = env.batch.emit
    if emit is not None:
        emit.access(env, within, array, cells, "load", place)
    if type(cells) is not np.ndarray or (within.bits is None and env.width < GATHER_FROM):
        return array.flat[cells]
    if not array.flat.flags.c_contiguous:  # a field of records: take() would copy it whole
        return array.flat[cells]
    return array.flat.take(cells, mode="clip")


def store_element(env: Env, mask: Mask, array: Array, indices: tuple, value: Value, place: Place) -> None:
    """One element per active lane; where several hit one cell, the last in thread order wins."""
    if env.batch.raised and (mask := remaining(env, mask)) is None:
        return
    refuse_constant(array)
    cells, within = locate(env, mask, array, indices, "store", place)
    if within is None:
        return
    record, given = value if isinstance(value, Record) else None, value
    value, emit = stored_value(value, array.dtype), env.batch.emit
    if emit is not None and getattr(given, "dtype", array.dtype) != array.dtype and hasattr(value, "dtype"):
        emit.narrowed(env, within, array, place, given, value)
    if emit is not None and array.dtype.names:
        if record is not None:
            tell_fields(env, within, record.array, record.cells, "load", place)
        tell_fields(env, within, array, cells, "store", place, value)
    elif emit is not None:
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


def refuse_constant(array: Array) -> None:
    """Raises: KernelTypeError for constant memory, which a kernel cannot write."""
    if array.space == "constant":
        raise KernelTypeError(f"{array.name} is constant memory: a kernel cannot write it")


def _store_by_turns(flat: np.ndarray, cells: np.ndarray, value: np.ndarray, turns: np.ndarray) -> None:
    """Store in this order of lanes, so that another one may win a cell. Rising cells are hit once: no order shows."""
    if every(cells[1:] > cells[:-1]):
        flat[cells] = value
    else:
        flat[cells[turns]] = value[turns]


def stored_value(value: Value, dtype: np.dtype):
    """A value in the type of the cells it goes to."""
    if isinstance(value, Record):
        if not dtype.names:
            raise KernelTypeError(elements.record_in_element(str(dtype)))
        return value.values()
    if dtype.kind == "S" and isinstance(value, Array) and value.space == "constant":
        return np.bytes_(value.flat.tobytes())  # a literal, as b"XYZ": an array of bytes to everybody else
    number = isinstance(value, (np.ndarray, np.generic)) and not value.dtype.names
    if dtype.names and (number or isinstance(value, enum.Enum)):
        raise KernelTypeError(elements.number_in_record())
    if dtype.names or not hasattr(value, "dtype") or isinstance(value, Array):
        if value is None or isinstance(value, (Array, tuple)):
            raise KernelTypeError(elements.no_element(value, str(dtype)))
        if not dtype.names and not isinstance(value, PLAIN + (TEXTS if dtype.kind in "SU" else ())):
            raise TypeError("no number")  # before anybody hears of the store; `refused.unexpected` says what it is
        if isinstance(value, enum.IntEnum) and dtype.kind in "fc":
            raise UnsupportedError(numbers.member_as_float(value, str(dtype)))
        return value
    if callable(value):  # float32 itself
        raise TypeError("no number")
    if value.dtype.kind == "c" and dtype.kind != "c":
        raise KernelTypeError(f"cannot store a complex value in an element of type {dtype}: store .real or .imag")
    return cast(value, dtype)
