"""Records: structured array elements as values, and the arrays in them. `fields` loads and stores their fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.blend import merge, narrow, scatter
from simt.lanes.masks import mask_from
from simt.memory.arrays import Array, row_major
from simt.refusals import elements
from simt.values import UNDEFINED

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value


class Record:
    """One record per lane: a cell of a structured array. outside: some lanes have none, and their cell is -1."""

    __slots__ = ("array", "cells", "outside")

    def __init__(self, array: Array, cells, outside: bool = False):
        self.array, self.cells, self.outside = array, cells, outside

    @classmethod
    def of_lanes(cls, array: Array, cells, within: Mask, width: int) -> Record:
        """The records of the lanes of a mask; the others pointed outside of the array."""
        cells = np.broadcast_to(cells, width)
        return cls(array, cells if within.bits is None else np.where(within.bits, cells, -1), True)

    def inside(self, mask: Mask, width: int) -> Mask | None:
        """The active lanes that have a record; None where none does."""
        if not self.outside:
            return mask
        bits = np.broadcast_to(self.cells, width) >= 0
        return mask_from(bits if mask.bits is None else bits & mask.bits, width)

    @property
    def dtype(self) -> np.dtype:
        return self.array.dtype

    def narrow(self, index):
        return Record(self.array.narrow(index), narrow(self.cells, index), self.outside)

    def merge(self, old, bits, mask: Mask = None):
        if not isinstance(old, Record) or old.array.info.key != self.array.info.key:
            raise UnsupportedError(
                "a variable holds records of different arrays in different threads: use them inside the if instead"
            )
        return Record(self.array, merge(_cells(old), _cells(self), bits), self.outside or old.outside)

    def scatter(self, old, index, width):
        previous = UNDEFINED if old is UNDEFINED else _cells(old)
        outside = self.outside or (isinstance(old, Record) and old.outside)
        return Record(self.array, scatter(previous, _cells(self), index, width), outside)

    def field_name(self, name) -> str:
        """A field by name or by position."""
        name = name if isinstance(name, str) else self.dtype.names[int(name)]
        if name not in (self.dtype.names or ()):
            raise UnsupportedError(elements.no_field(name, self.dtype.names or ()))
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
        cells = np.maximum(self.cells, 0) if self.outside else self.cells
        every = field_array(self.array.view((), (), cells), name)
        every.info = replace(every.info, name=f"{self.array.name}.{name}")
        return every


def field_array(array: Array, name: str) -> Array:
    """``records.field``: the field of every record of an array, with the axes of an array in that field last."""
    dtype, offset = array.dtype.fields[name][:2]
    element, shape = dtype.subdtype or (dtype, ())
    apart = array.dtype.itemsize % element.itemsize or offset % element.itemsize or not array.flat.flags.c_contiguous
    if not dtype.subdtype and (apart or dtype.names):
        return array.retyped(array.flat[name], 1, 0, name)
    if apart:
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


def tell_fields(env: Env, mask: Mask, array: Array, cells, kind: str, place: Place, values=None) -> None:
    """Tell of whole records that are loaded or stored, field by field, as loads and stores of single fields are told.

    values: what a store writes, a structured value or one per lane.
    """
    size, emit = array.dtype.itemsize, env.batch.emit
    for path, dtype, offset in _leaves(array.dtype):
        if size % dtype.itemsize or offset % dtype.itemsize or not array.flat.flags.c_contiguous:
            continue
        scale = size // dtype.itemsize
        fields = array.retyped(array.flat.view(dtype), scale, 0, f"as {dtype}")
        written = None if values is None else _part(np.asarray(values), path)
        emit.access(env, mask, fields, cells * scale + offset // dtype.itemsize, kind, place, written)


def _leaves(dtype: np.dtype, path: tuple = (), offset: int = 0) -> Iterator[tuple[tuple, np.dtype, int]]:
    """(how to come there, type, offset in bytes) of every number in a record, those of its arrays one by one."""
    if dtype.names:
        for name in dtype.names:
            part, at = dtype.fields[name][:2]
            yield from _leaves(part, (*path, name), offset + at)
    elif dtype.subdtype:
        element, shape = dtype.subdtype
        for number, index in enumerate(np.ndindex(*shape)):
            yield from _leaves(element, (*path, index), offset + number * element.itemsize)
    else:
        yield path, dtype, offset


def _part(values: np.ndarray, path: tuple) -> np.ndarray:
    """One number of every record."""
    for step in path:
        values = values[step] if isinstance(step, str) else values[(..., *step)]
    return values
