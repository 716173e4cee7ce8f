"""Attributes of values: ``array.shape``, ``z.real``, ``record.field``."""

from __future__ import annotations

import types as types_of_python
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.memory.arrays import Array
from simt.memory.fields import load_field
from simt.memory.records import Record, field_array
from simt.memory.slices import reshaped, uniform_shape
from simt.refusals import types
from simt.values import is_lane
from simt.values.vectors import Vector

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value


def attribute_of(env: Env, mask: Mask, value: Value, name: str, place: Place, taught: Callable | None = None):
    """``value.name``. Raises UnsupportedError for attributes that numba does not have either.

    taught: f(env, mask, value) of an attribute that a program taught numba, None for a value that has it not.
    """
    if taught is not None and (made := taught(env, mask, value)) is not None:
        return made
    if isinstance(value, Array):
        found = _array_attribute(env, mask, value, name, place)
    elif isinstance(value, Record):
        found = load_field(env, mask, value, name, place)
    elif isinstance(value, Vector):
        found = value.component(name)
    elif isinstance(value, (np.ndarray, np.generic)):
        found = _number_attribute(value, name)
    elif _is_pythons_own(value, name):
        found = None
    else:
        found = getattr(value, name, None)
    if found is None:
        raise UnsupportedError(_no_attribute(value, name))
    return found


def _is_pythons_own(value: Value, name: str) -> bool:
    """Whether this is something that Python knows of an object and numba does not: its name, or more of a dtype."""
    if isinstance(value, np.dtype):
        return name not in OF_DTYPES
    return name.startswith("__") and not isinstance(value, types_of_python.ModuleType)


def _no_attribute(value: Value, name: str):
    if isinstance(value, Array):
        return types.no_array_attribute(name)
    if type(value).__name__ == "Dim3":
        return types.no_axis(name)
    return types.no_attribute(str(getattr(value, "dtype", type(value).__name__)), name)


def _array_attribute(env: Env, mask: Mask, array: Array, name: str, place: Place):
    simple = ARRAY_ATTRIBUTES.get(name)
    if simple is not None:
        return simple(array)
    if name == "real" and array.dtype.kind in "biuf":
        return array
    if name in ("real", "imag") and array.dtype.kind == "c":
        return array.retyped(array.flat.view(array.flat.real.dtype), 2, int(name == "imag"), "parts")
    if array.dtype.names and name in array.dtype.names:
        if array.ndim == 0:
            return load_field(env, mask, Record(array, array.base), name, place)
        return field_array(array, name)
    return None


def part_of(value: Value, name: str):
    """The real or the imaginary part ("real", "imag") of a number, which may be real."""
    if value.dtype.kind == "c":
        return getattr(value, name)
    return value if name == "real" else value.dtype.type(0)


def _number_attribute(value: Value, name: str):
    if name in ("real", "imag"):
        return part_of(value, name)
    if value.dtype.names and name in value.dtype.names:
        return value[name]
    return None


def _size(array: Array):
    size = np.int64(1)
    for extent in array.shape:
        size = size * extent
    return size


OF_DTYPES = ("type", "kind")  # that numba knows
ARRAY_ATTRIBUTES = {
    "shape": lambda array: tuple(extent if is_lane(extent) else np.int64(extent) for extent in array.shape),
    "size": _size,
    "ndim": lambda array: np.int64(array.ndim),
    "dtype": lambda array: array.dtype,
    "T": lambda array: array.transposed(),
    "flat": lambda array: reshaped(array, (-1,)),
    "strides": lambda array: tuple(np.int64(stride * array.dtype.itemsize) for stride in array.strides),
    "itemsize": lambda array: np.int64(array.dtype.itemsize),
    "nbytes": lambda array: np.int64(array.dtype.itemsize * int(np.prod(uniform_shape(array)))),
}
