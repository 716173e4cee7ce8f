"""Records: structured array elements as values, and the arrays in them. `fields` loads and stores their fields."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.blend import merge, narrow, scatter
from simt.memory.arrays import Array, row_major
from simt.values import UNDEFINED

if TYPE_CHECKING:
    from simt.lanes.masks import Mask
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

    def values(self):
        """The whole records: a structured value per lane, or one."""
        return self.array.flat[self.cells]

    def nested_array(self, name: str) -> Array:
        """The array in a field of this record."""
        every = field_array(self.array.view((), (), self.cells), name)
        every.info = replace(every.info, name=f"{self.array.name}.{name}")
        return every


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
