"""Methods of values: ``array.sum()``, ``array.view(dtype)``, ``group.sync()``."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from .arrays import Array, row_major
from .cooperative import GridGroup
from .errors import KernelTypeError, UnsupportedError
from .memory import load
from .numba_rules import I64, U64, cast
from .operators import binary
from .recognise import dtype_of
from .refusals import types
from .shared_local import local_array
from .slices import copy_into, element_indices, uniform_shape
from .values import is_lane

COMBINE = {
    "sum": lambda a, b: binary("+", a, b),
    "mean": lambda a, b: binary("+", a, b),
    "prod": lambda a, b: binary("*", a, b),
    "min": np.minimum,
    "max": np.maximum,
}
OPERATIONS = {"sum": "+", "mean": "+", "prod": "*"}


def call_method(env, mask, receiver, name: str, arguments: list, place):
    """``receiver.name(*arguments)``. Raises UnsupportedError for what numba has no method for either."""
    if isinstance(receiver, GridGroup) and name == "sync":
        return receiver.sync(env, mask, place)
    if isinstance(receiver, Array):
        if name in COMBINE and not arguments:
            return _reduce(env, mask, receiver, name, place)
        if name == "view":
            return _view(receiver, dtype_of(arguments[0]))
        if name == "reshape":
            shape = arguments[0] if isinstance(arguments[0], tuple) else tuple(arguments)
            return _reshape(receiver, tuple(int(extent) for extent in shape))
        if name == "copy" and not arguments:
            copy = local_array(env, mask, place, uniform_shape(receiver), receiver.dtype)
            copy_into(env, mask, copy, receiver, place)
            return copy
    elif name in NUMBER_METHODS and not arguments:
        return NUMBER_METHODS[name](receiver)
    owner = "array" if isinstance(receiver, Array) else str(getattr(receiver, "dtype", type(receiver).__name__))
    raise UnsupportedError(types.no_method(owner, name))


def _reduce(env, mask, array: Array, name: str, place):
    """Every thread combines the whole array, as numba compiles it."""
    result, count = None, 0
    for index in element_indices(array):
        value = load(env, mask, array, index, place)
        result = value if result is None else COMBINE[name](result, value)
        count += 1
    if count > 1 and env.batch.emit is not None and name in OPERATIONS:
        env.batch.emit.arithmetic(place, OPERATIONS[name], result.dtype, (count - 1) * mask.count)
    return binary("/", result, np.int64(count)) if name == "mean" else result


def _view(array: Array, dtype: np.dtype) -> Array:
    """The same memory as another element type."""
    if dtype.itemsize == array.dtype.itemsize:
        return array.retyped(array.flat.view(dtype), 1, 0, str(dtype))
    old, new = array.dtype.itemsize, dtype.itemsize
    contiguous = array.ndim == 1 and array.strides == (1,) and not is_lane(array.base) and array.space == "global"
    size = uniform_shape(array)[0] * old
    if not contiguous or size % new or array.base * old % new:
        raise UnsupportedError(
            f"cannot view elements of {old} bytes as elements of {new} here: view the whole array on the host"
        )
    usable = array.flat.view(np.uint8)[: array.flat.nbytes // new * new]
    info = replace(
        array.info, key=(*array.info.key, str(dtype)), dtype=dtype, shape=(size // new,), n_cells=usable.size // new
    )
    return Array(usable.view(dtype), (size // new,), (1,), array.base * old // new, info)


def _reshape(array: Array, shape: tuple[int, ...]) -> Array:
    """A view of another shape of an array without gaps."""
    strides, size = row_major(uniform_shape(array))
    unit = array.strides[-1]
    if tuple(stride * unit for stride in strides) != tuple(array.strides):
        raise UnsupportedError("`reshape` needs a contiguous array: index the original instead")
    if shape.count(-1) == 1:
        rest = -math.prod(shape)
        shape = tuple(size // rest if extent == -1 else extent for extent in shape)
    if math.prod(shape) != size:
        raise KernelTypeError(f"cannot reshape {array.name} of {size} elements to {shape}")
    return array.view(shape, tuple(stride * unit for stride in row_major(shape)[0]), array.base)


NUMBER_METHODS = {
    "bit_count": lambda value: cast(np.bitwise_count(value), U64 if value.dtype.kind == "u" else I64),
    "item": lambda value: value,
    "conjugate": np.conj,
}
