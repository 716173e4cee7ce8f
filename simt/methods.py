"""Methods of values: ``array.sum()``, ``array.view(dtype)``, ``group.sync()``."""

from __future__ import annotations

import numpy as np

from .arrays import Array
from .cooperative import GridGroup
from .errors import UnsupportedError
from .memory import load
from .numba_rules import I64, U64, cast
from .operators import binary
from .recognise import dtype_of
from .slices import element_indices

COMBINE = {
    "sum": lambda a, b: binary("+", a, b),
    "mean": lambda a, b: binary("+", a, b),
    "prod": lambda a, b: binary("*", a, b),
    "min": np.minimum,
    "max": np.maximum,
}


def call_method(env, mask, receiver, name: str, arguments: list, place):
    """``receiver.name(*arguments)``. Raises UnsupportedError for what numba has no method for either."""
    if isinstance(receiver, GridGroup) and name == "sync":
        return receiver.sync(env, mask, place)
    if isinstance(receiver, Array):
        if name in COMBINE and not arguments:
            return _reduce(env, mask, receiver, name, place)
        if name == "view" and dtype_of(arguments[0]).itemsize == receiver.dtype.itemsize:
            return receiver.retyped(receiver.flat.view(dtype_of(arguments[0])), 1, 0, str(arguments[0]))
    elif name in NUMBER_METHODS and not arguments:
        return NUMBER_METHODS[name](receiver)
    raise UnsupportedError(
        f"a {type(receiver).__name__.lower()} has no method .{name}() here: write it out with a loop"
    )


def _reduce(env, mask, array: Array, name: str, place):
    """Every thread combines the whole array, as numba compiles it."""
    result, count = None, 0
    for index in element_indices(array):
        value = load(env, mask, array, index, place)
        result = value if result is None else COMBINE[name](result, value)
        count += 1
    return binary("/", result, np.int64(count)) if name == "mean" else result


NUMBER_METHODS = {
    "bit_count": lambda value: cast(np.bitwise_count(value), U64 if value.dtype.kind == "u" else I64),
    "item": lambda value: value,
    "conjugate": np.conj,
}
