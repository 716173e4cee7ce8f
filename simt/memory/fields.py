"""Loads and stores of the fields of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.memory.arrays import Array
from simt.memory.elements import stored_value
from simt.memory.records import Record
from simt.memory.slices import copy_into, uniform_shape
from simt.values import is_lane

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value


def load_field(env: Env, mask: Mask, record: Record, name, place: Place):
    """``record.name``: a value per lane, a record in the record, or an array in it."""
    name = record.field_name(name)
    if record.dtype.fields[name][0].subdtype:
        return record.nested_array(name)
    cells = record.array.flat[name]
    if cells.dtype.names:
        return Record(record.array.retyped(cells, 1, 0, name), record.cells, record.outside)
    if env.batch.emit is not None and (within := record.inside(mask, env.width)) is not None:
        _emit(env, within, record, name, "load", place)
    return cells[record.cells]  # take() would copy the whole field first


def store_field(env: Env, mask: Mask, record: Record, name, value: Value, place: Place) -> None:
    """``record.name = value`` for the active lanes."""
    name = record.field_name(name)
    if (mask := record.inside(mask, env.width)) is None:
        return None
    if record.dtype.fields[name][0].subdtype:
        return _fill(env, mask, record, name, value, place)
    cells = record.array.flat[name]
    value = stored_value(value, cells.dtype)
    if env.batch.emit is not None:
        _emit(env, mask, record, name, "store", place, value)
    env.batch.touch()
    lanes, value = mask.pick(_lane_cells(env, record)), mask.pick(value)
    turns = env.batch.turns(len(lanes)) if is_lane(value) else None
    cells[lanes if turns is None else lanes[turns]] = value if turns is None else value[turns]


def _fill(env: Env, mask: Mask, record: Record, name: str, value: Value, place: Place) -> None:
    """``record.name = array``, element by element."""
    target = record.nested_array(name)
    if not isinstance(value, Array) or uniform_shape(value) != target.shape:
        raise KernelTypeError(
            f"the field {name} is an array of shape {target.shape}: assign an array of that shape, or its elements"
        )
    copy_into(env, mask, target, value, place)


def _lane_cells(env: Env, record: Record) -> np.ndarray:
    return record.cells if is_lane(record.cells) else np.full(env.width, record.cells)


def _emit(env: Env, mask: Mask, record: Record, name: str, kind: str, place: Place, value: Value = None) -> None:
    """Report a field as an access to the array seen as cells of the field's type, where that is possible."""
    array = record.array
    dtype, offset = array.dtype.fields[name][:2]
    size = dtype.itemsize
    if array.dtype.itemsize % size or offset % size or not array.flat.flags.c_contiguous:
        return
    scale = array.dtype.itemsize // size
    flat = array.flat.view(dtype) if dtype.names is None and not dtype.subdtype else array.flat
    fields = array.retyped(flat, scale, 0, f"as {dtype}")
    env.batch.emit.access(env, mask, fields, _lane_cells(env, record) * scale + offset // size, kind, place, value)
