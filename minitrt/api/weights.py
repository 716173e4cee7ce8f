"""Weights and host memory: NumPy arrays as TensorRT's callers expect to see them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from minitrt.api.common import InWith
from minitrt.api.enums import DataType

# graph/ir.py has the same table for the types an engine computes with; this one serves nptype(), which knows more.
NUMPY = {
    DataType.FLOAT: np.float32,
    DataType.HALF: np.float16,
    DataType.INT8: np.int8,
    DataType.INT32: np.int32,
    DataType.INT64: np.int64,
    DataType.BOOL: np.bool_,
    DataType.UINT8: np.uint8,
}


def nptype(trt_type: DataType) -> type:
    """NumPy's type for a DataType. Raises: TypeError for one that NumPy lacks (BF16, FP8, INT4, FP4, E8M0)."""
    if trt_type not in NUMPY:
        raise TypeError(f"Could not resolve TensorRT datatype to an equivalent numpy datatype: {trt_type}")
    return NUMPY[trt_type]


def _itemsize(trt_type: DataType) -> float:
    """Bytes of an element: the real package's helper behind DataType.itemsize, which programs call, too."""
    return trt_type.itemsize


def data_type(numpy_type) -> DataType:
    """The DataType of a NumPy type; float64 counts as FLOAT. Raises: TypeError for one that engines lack."""
    numpy_type = np.dtype(numpy_type)
    if numpy_type == np.float64:
        return DataType.FLOAT
    for found, known in NUMPY.items():
        if numpy_type == known:
            return found
    raise TypeError(f"weights of type {numpy_type} are not supported; convert to one of float32, float16, int8, int64")


class Weights:
    """An array of weights; made of a NumPy array, or empty of a DataType. The array is kept, not copied."""

    def __init__(self, a: np.ndarray | DataType | object = DataType.FLOAT, ptr=None, count: int = 0, *, type=None):
        """An array, a type alone, or a type (`a` or `type`), an address and a count of elements."""
        a = a if type is None else type
        a = a._array if isinstance(a, Weights) else a
        if ptr is not None:
            a = from_pointer(a, ptr, count)
        empty = isinstance(a, DataType)
        self._dtype = a if empty else data_type(np.asarray(a).dtype)
        self._array = np.zeros(0, nptype(a)) if empty else np.asarray(a, nptype(self._dtype), order="C")

    @property
    def dtype(self) -> DataType:
        return self._dtype

    @property
    def size(self) -> int:
        return self._array.size

    @property
    def nbytes(self) -> int:
        return self._array.nbytes

    def numpy(self) -> np.ndarray:
        """The same memory in one dimension, as the bindings give it."""
        return self._array.reshape(-1)

    def __len__(self) -> int:
        return self._array.size


def flat(array: np.ndarray | None) -> np.ndarray:
    """A layer's weights as the bindings give them back: the same memory in one dimension, empty if there are none."""
    return np.zeros(0, np.float32) if array is None else array.reshape(-1)


def place_of(array: np.ndarray) -> tuple[int, int, int, str]:
    """Owner, address, count and type of weights: which they are, whatever view of them is asked about.

    The address alone is none: Python has every bytes object of one byte once, so all int8 scalars of a model that are
    127 lie at one.
    """
    owner = array.base if isinstance(array.base, np.ndarray) else array
    return id(owner), array.__array_interface__["data"][0], array.size, array.dtype.str


def from_pointer(dtype: DataType, pointer: int, count: int) -> np.ndarray:
    """A copy of `count` elements in host memory; INT4, two in a byte and the first in its lower half, as INT8."""
    if dtype == DataType.INT4:
        packed = np.frombuffer(ctypes.string_at(pointer, (count + 1) // 2), np.uint8)
        halves = np.stack([packed & 15, packed >> 4], axis=-1).reshape(-1)[:count].astype(np.int8)
        return np.where(halves > 7, halves - 16, halves).astype(np.int8)
    nbytes = count * np.dtype(nptype(dtype)).itemsize
    return np.frombuffer(ctypes.string_at(pointer, nbytes), nptype(dtype)).copy()


def as_array(weights: Weights | np.ndarray | None) -> np.ndarray | None:
    """Weights, an array or a sequence as a NumPy array an engine computes with; None for empty weights."""
    if weights is None:
        return None
    array = weights._array if isinstance(weights, Weights) else np.asarray(weights)
    return np.asarray(array, nptype(data_type(array.dtype)), order="C") if array.size else None


class IHostMemory(InWith, bytes):
    """A serialised network or cache. It is bytes, so that files, memoryview, numpy and the runtime take it as it is."""

    @classmethod
    def of(cls, parts: Sequence[bytes | memoryview]) -> IHostMemory:
        """These parts one behind the other, copied once: a subclass of bytes that is made of bytes is a second copy."""
        made = cls(sum(map(len, parts)))  # of zeros; nobody has seen them yet
        view = memoryview((ctypes.c_uint8 * len(made)).from_address(np.frombuffer(made, np.uint8).ctypes.data)).cast(
            "B"
        )
        begin = 0
        for part in parts:
            view[begin : begin + len(part)] = part
            begin += len(part)
        return made

    @property
    def nbytes(self) -> int:
        return len(self)

    @property
    def dtype(self) -> DataType:
        return DataType.INT8

    def tobytes(self) -> bytes:
        return bytes(self)
