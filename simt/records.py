"""Records: structured array elements, their fields, and arrays nested in fields."""

from __future__ import annotations

import numpy as np

from .arrays import Array
from .blend import merge, narrow, scatter
from .errors import KernelTypeError, UnsupportedError
from .lanes import Env, Mask
from .numba_rules import cast
from .values import UNDEFINED, is_lane


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

    def merge(self, old, bits, mask=None):
        if not isinstance(old, Record) or old.array.info.key != self.array.info.key:
            raise UnsupportedError("a variable holds records of different arrays in different threads")
        return Record(self.array, merge(np.int64(old.cells)[()], np.int64(self.cells)[()], bits))

    def scatter(self, old, index, width):
        previous = UNDEFINED if old is UNDEFINED else np.int64(old.cells)[()]
        return Record(self.array, scatter(previous, np.int64(self.cells)[()], index, width))

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

    def get(self, env: Env, mask: Mask, name, place):
        """``record.name``: a value per lane, or an array nested in the record."""
        name = self.field_name(name)
        cells = self.array.flat[name]
        if cells.ndim > 1:
            return NestedArray(self, name, cells)
        if env.batch.emit is not None:
            self._emit(env, mask, name, "load", place)
        return cells[self.cells]  # take() would copy the whole field first

    def put(self, env: Env, mask: Mask, name, value, place) -> None:
        """``record.name = value`` for the active lanes."""
        name = self.field_name(name)
        cells = self.array.flat[name]
        if cells.ndim > 1:
            return NestedArray(self, name, cells).fill(env, mask, value, place)
        if hasattr(value, "dtype") and value.dtype.kind in "biufc" and cells.dtype.kind in "biufc":
            value = cast(value, cells.dtype)
        if env.batch.emit is not None:
            self._emit(env, mask, name, "store", place, value)
        env.batch.touch()
        lanes, value = mask.pick(self._lane_cells(env)), mask.pick(value)
        turns = env.batch.turns(len(lanes)) if is_lane(value) else None
        cells[lanes if turns is None else lanes[turns]] = value if turns is None else value[turns]

    def _lane_cells(self, env: Env) -> np.ndarray:
        return self.cells if is_lane(self.cells) else np.full(env.width, self.cells)

    def _emit(self, env: Env, mask: Mask, name: str, kind: str, place, value=None) -> None:
        """Report a field as an access to the array seen as cells of the field's type, where that is possible."""
        dtype, offset = self.dtype.fields[name][:2]
        size = dtype.itemsize
        if self.dtype.itemsize % size or offset % size or not self.array.flat.flags.c_contiguous:
            return
        scale = self.dtype.itemsize // size
        flat = self.array.flat.view(dtype) if dtype.names is None and not dtype.subdtype else self.array.flat
        fields = self.array.retyped(flat, scale, 0, f"as {dtype}")
        env.batch.emit.access(env, mask, fields, self._lane_cells(env) * scale + offset // size, kind, place, value)


class NestedArray:
    """An array inside a field of a record, one per lane. cells: (records, *shape)."""

    __slots__ = ("record", "name", "cells", "shape")

    def __init__(self, record: Record, name: str, cells: np.ndarray):
        self.record, self.name, self.cells, self.shape = record, name, cells, cells.shape[1:]

    def _position(self, index) -> tuple:
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) != len(self.shape) or any(isinstance(i, slice) for i in indices):
            raise UnsupportedError(f"slices of the nested array {self.name} are not supported: index single elements")
        return (self.record.cells, *(i if is_lane(i) else int(i) for i in indices))

    def get(self, env: Env, mask: Mask, index, place):
        """``record.name[index]``."""
        return self.cells[self._position(index)]

    def put(self, env: Env, mask: Mask, index, value, place) -> None:
        """``record.name[index] = value`` for the active lanes."""
        env.batch.touch()
        position = (self.record._lane_cells(env), *self._position(index)[1:])
        self.cells[tuple(mask.pick(i) for i in position)] = mask.pick(value)

    def fill(self, env: Env, mask: Mask, value, place) -> None:
        """``record.name = array``, element by element."""
        from .memory import load

        if not isinstance(value, (Array, NestedArray)):
            raise UnsupportedError(f"assign an array to the nested array {self.name}, or index its elements")
        for index in np.ndindex(*self.shape):
            index = tuple(np.int64(k) for k in index)
            self.put(env, mask, index, load(env, mask, value, index, place), place)
