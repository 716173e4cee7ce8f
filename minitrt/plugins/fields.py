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
}


class PluginField:
    """A name, a type and data: an array, bytes, or text (CHAR)."""

    def __init__(self, name: str = "", data: Any = None, type: PluginFieldType = PluginFieldType.UNKNOWN):
        self.name, self.type = name, type
        self._data = as_data(data, type)

    @property
    def data(self) -> Any:
        """An array of the type's elements; bytes for CHAR and UNKNOWN."""
        return self._data

    @property
    def size(self) -> int:
        """Elements (bytes of a text)."""
        return 0 if self._data is None else len(self._data)

    @size.setter
    def size(self, size: int) -> None:
        self._data = self._data[:size]


def as_data(data: Any, kind: PluginFieldType) -> Any:
    if data is None:
        return None
    if isinstance(data, str):
        return data.encode()
    if kind in NUMPY:
        raw = isinstance(data, bytes | bytearray | memoryview)
        return np.frombuffer(data, NUMPY[kind]) if raw else np.asarray(data, NUMPY[kind]).reshape(-1)
    return bytes(data) if isinstance(data, bytes | bytearray | memoryview) else np.asarray(data).tobytes()


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
        data = b"" if field.data is None else field.data if isinstance(field.data, bytes) else field.data.tobytes()
        found.append([field.name, field.type.name, base64.b64encode(data).decode()])
    return found


def from_plain(fields: list[list[str]]) -> PluginFieldCollection:
    made = [PluginField(name, base64.b64decode(data), PluginFieldType[kind]) for name, kind, data in fields]
    return PluginFieldCollection(made)
