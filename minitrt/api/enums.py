"""Enumerations with the behaviour of TensorRT's: int(), hashing, ``__members__``, ``str(x) == "DataType.FLOAT"``.

Values are those of TensorRT 10.16's headers, since callers build bit masks of them (``1 << int(BuilderFlag.FP16)``).
Source: the name lists of TensorRT 10.16's Python bindings; bit values that Polygraphy's tests assert.
"""

from __future__ import annotations

import enum


class PyEnum(enum.Enum):
    """An enumeration that converts to int without being one: DataType.FLOAT != 0, int(DataType.FLOAT) == 0."""

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


def numbered(name: str, members: str, start: int = 0) -> type[PyEnum]:
    """An enumeration whose members, separated by spaces, count up from `start`."""
    pairs = [(member, start + value) for value, member in enumerate(members.split())]
    return PyEnum(name, pairs, module=__name__)


class DataType(PyEnum):
    """Type of a tensor's elements. ``itemsize`` is in bytes: 0.5 for INT4 and FP4."""

    FLOAT = 0
    HALF = 1
    INT8 = 2
    INT32 = 3
    BOOL = 4
    UINT8 = 5
    FP8 = 6
    BF16 = 7
    INT64 = 8
    INT4 = 9
    FP4 = 10
    E8M0 = 11

    @property
    def itemsize(self) -> float:
        return ITEMSIZES[self.name]


ITEMSIZES = dict(FLOAT=4, HALF=2, INT8=1, INT32=4, BOOL=1, UINT8=1, FP8=1, BF16=2, INT64=8, INT4=0.5, FP4=0.5, E8M0=1)
