"""Records: structured array elements, their fields, and the arrays and records in these."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.blend import merge, narrow, scatter
from simt.lanes.masks import Env, Mask
from simt.memory.arrays import Array, row_major
from simt.memory.slices import copy_into, uniform_shape
from simt.values import UNDEFINED, is_lane
from simt.values.numba_rules import cast

if TYPE_CHECKING:
    from simt.source.sites import Place
    from simt.values import Value


class Record:
    """One record per lane: a cell of a structured array."""

    __slots__ = ("array", "cells")

    def __init__(self, array: Array, cells):
        self.array, self.cells = array, cells

    @property
    def dtype(self) -> np.dtype:
        return self.array.dtype

    def narrow(self, index):
        return Record(self.array.narrow(index), narrow(self.cells, index))

    def merge(self, old, bits, mask: Mask = None):
        if not isinstance(old, Record) or old.array.info.key != self.array.info.key:
            raise UnsupportedError(
                "a variable holds records of different arrays in different threads: use them inside the if instead"
            )
        return Record(self.array, merge(_cells(old), _cells(self), bits))

    def scatter(self, old, index, width):
        previous = UNDEFINED if old is UNDEFINED else _cells(old)
        return Record(self.array, scatter(previous, _cells(self), index, width))

    def field_name(self, name) -> str:
        """A field by name or by position."""
        name = name if isinstance(name, str) else self.dtype.names[int(name)]
        if name not in (self.dtype.names or ()):
            raise UnsupportedError(f"the record has no field {name!r}: it has {', '.join(self.dtype.names)}")
        dtype, offset = self.dtype.fields[name][:2]
        if offset % dtype.base.alignment:
            raise KernelTypeError(
                f"the field {name} of type {dtype} is not aligned: declare the record with np.dtype([...], align=True)"
            )
        return name

    def get(self, env: Env, mask: Mask, name, place: Place):
        """``record.name``: a value per lane, a record in the record, or an array in it."""
        name = self.field_name(name)
        if self.dtype.fields[name][0].subdtype:
            return self.nested_array(name)
        cells = self.array.flat[name]
        if cells.dtype.names:
            return Record(self.array.retyped(cells, 1, 0, name), self.cells)
        if env.batch.emit is not None:
            self._emit(env, mask, name, "load", place)
        return cells[self.cells]  # take() would copy the whole field first

    def put(self, env: Env, mask: Mask, name, value: Value, place: Place) -> None:
        """``record.name = value`` for the active lanes."""
        name = self.field_name(name)
        if self.dtype.fields[name][0].subdtype:
            return self._fill(env, mask, name, value, place)
        cells = self.array.flat[name]
        if isinstance(value, Record):
            value = value.values()
        if hasattr(value, "dtype") and value.dtype.kind in "biufc" and cells.dtype.kind in "biufc":
            value = cast(value, cells.dtype)
        if env.batch.emit is not None:
            self._emit(env, mask, name, "store", place, value)
        env.batch.touch()
        lanes, value = mask.pick(self._lane_cells(env)), mask.pick(value)
        turns = env.batch.turns(len(lanes)) if is_lane(value) else None
        cells[lanes if turns is None else lanes[turns]] = value if turns is None else value[turns]

    def values(self):
        """The whole records: a structured value per lane, or one."""
        return self.array.flat[self.cells]

    def nested_array(self, name: str) -> Array:
        """The array in a field of this record."""
        every = field_array(self.array.view((), (), self.cells), name)
        every.info = replace(every.info, name=f"{self.array.name}.{name}")
        return every

    def _fill(self, env: Env, mask: Mask, name: str, value: Value, place: Place) -> None:
        """``record.name = array``, element by element."""
        target = self.nested_array(name)
        if not isinstance(value, Array) or uniform_shape(value) != target.shape:
            raise KernelTypeError(
                f"the field {name} is an array of shape {target.shape}: assign an array of that shape, or its elements"
            )
        copy_into(env, mask, target, value, place)

    def _lane_cells(self, env: Env) -> np.ndarray:
        return self.cells if is_lane(self.cells) else np.full(env.width, self.cells)

    def _emit(self, env: Env, mask: Mask, name: str, kind: str, place: Place, value: Value = None) -> None:
        """Report a field as an access to the array seen as cells of the field's type, where that is possible."""
        dtype, offset = self.dtype.fields[name][:2]
        size = dtype.itemsize
        if self.dtype.itemsize % size or offset % size or not self.array.flat.flags.c_contiguous:
            return
        scale = self.dtype.itemsize // size
        flat = self.array.flat.view(dtype) if dtype.names is None and not dtype.subdtype else self.array.flat
        fields = self.array.retyped(flat, scale, 0, f"as {dtype}")
        env.batch.emit.access(env, mask, fields, self._lane_cells(env) * scale + offset // size, kind, place, value)


def field_array(array: Array, name: str) -> Array:
    """``records.field``: the field of every record of an array, with the axes of an array in that field last."""
    dtype, offset = array.dtype.fields[name][:2]
    if not dtype.subdtype:
        return array.retyped(array.flat[name], 1, 0, name)
    element, shape = dtype.subdtype
    if array.dtype.itemsize % element.itemsize or offset % element.itemsize or not array.flat.flags.c_contiguous:
        raise UnsupportedError(
            f"the array {name} in this record lies on odd addresses: declare the record with align=True, and keep "
            "arrays out of records in records"
        )
    scale = array.dtype.itemsize // element.itemsize
    fields = array.retyped(array.flat.view(element), scale, offset // element.itemsize, f"as {element}")
    return fields.view((*fields.shape, *shape), (*fields.strides, *row_major(shape)[0]), fields.base)


def _cells(record: Record) -> Value:
    """The cells of a record, int64 as values are."""
    return np.asarray(record.cells, np.int64)[()]
