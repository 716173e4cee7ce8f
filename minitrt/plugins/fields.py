"""Plugin fields: named numbers and texts that a creator makes a plugin from, and that a plan keeps."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from minitrt.api.enums import PluginFieldType

NUMPY = {
    PluginFieldType.FLOAT16: np.float16,
    PluginFieldType.FLOAT32: np.float32,
    PluginFieldType.FLOAT64: np.float64,
    PluginFieldType.INT8: np.int8,
    PluginFieldType.INT16: np.int16,
    PluginFieldType.INT32: np.int32,
    PluginFieldType.INT64: np.int64,
    PluginFieldType.DIMS: np.int32,
    PluginFieldType.CHAR: np.int8,
    PluginFieldType.UNKNOWN: np.int8,
}


class OneElement(np.ndarray):
    """A field's only element, as an array of shape (1,). int() and float() give it: creators that were written for
    TensorRT 10 say `int(field.data)`, which NumPy refuses from 2.4 on."""

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())


class PluginField:
    """A name, a type and data: an array, bytes or text."""

    def __init__(self, name: str = "", data: Any = None, type: PluginFieldType = PluginFieldType.UNKNOWN):
        self.name, self.type = name, type
        self._data = as_data(data, type)

    @property
    def data(self) -> np.ndarray | None:
        """An array of the type's elements, of one dimension whatever the length; int8 for CHAR and UNKNOWN."""
        return self._data

    @data.setter
    def data(self, data: Any) -> None:
        self._data = as_data(data, self.type)

    @property
    def size(self) -> int:
        """Elements (bytes of a text)."""
        return 0 if self._data is None else len(self._data)

    @size.setter
    def size(self, size: int) -> None:
        self._data = self._data[:size]


def as_data(data: Any, kind: PluginFieldType) -> np.ndarray | None:
    """What a caller gives as the type's elements; text in UTF-8, without an end mark."""
    if data is None:
        return None
    data = data.encode() if isinstance(data, str) else data
    if kind in (PluginFieldType.CHAR, PluginFieldType.UNKNOWN) and not isinstance(data, bytes | bytearray | memoryview):
        data = np.asarray(data).tobytes()
    raw = isinstance(data, bytes | bytearray | memoryview)
    array = np.frombuffer(data, NUMPY[kind]) if raw else np.asarray(data, NUMPY[kind]).reshape(-1)
    return array.view(OneElement) if array.size == 1 else array


class PluginFieldCollection:
    """Fields, in order."""

    def __init__(self, fields: Iterable[PluginField] = ()):
        self._fields = list(fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __iter__(self) -> Iterator[PluginField]:
        return iter(self._fields)

    def __getitem__(self, index: int) -> PluginField:
        return self._fields[index]

    def append(self, field: PluginField) -> None:
        self._fields.append(field)


PluginFieldCollection_ = PluginFieldCollection


def as_plain(fields: Iterable[PluginField] | None) -> list[list[str]]:
    """Fields as plain data: name, type, base64."""
    found = []
    for field in fields or ():
        data = b"" if field.data is None else field.data.tobytes()
        found.append([field.name, field.type.name, base64.b64encode(data).decode()])
    return found


def from_plain(fields: list[list[str]]) -> PluginFieldCollection:
    made = [PluginField(name, base64.b64decode(data), PluginFieldType[kind]) for name, kind, data in fields]
    return PluginFieldCollection(made)
