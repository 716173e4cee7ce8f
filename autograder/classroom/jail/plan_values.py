"""What the words of a plan stand for: numbers, types, indices, errors, and the arguments that a plan was made for."""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

NUMBERS = {"bool": bool, "int": int, "float": float}


class PlanError(ValueError):
    """A plan that is not one."""


class HostCodeError(RuntimeError):
    """What the host function raised in the jail, when it is no exception that Python itself defines."""


def key_of(arguments, data: Sequence[int] = ()) -> str:
    """Arguments by geometry: dtype and shape of an array, the value of a number; then by the bytes of those in data."""
    parts = []
    for value in arguments:
        is_array = getattr(value, "ndim", 0) or hasattr(value, "copy_to_host")
        parts.append(f"{np.dtype(value.dtype).str}{tuple(value.shape)}" if is_array else repr(np.asarray(value).item()))
    if data:
        digest = hashlib.sha256()
        for place in data:
            array = getattr(arguments[place], "simt_host_array", arguments[place])
            array = array.copy_to_host() if hasattr(array, "copy_to_host") else array
            digest.update(np.ascontiguousarray(array).tobytes())
        parts.append(digest.hexdigest())
    return "; ".join(parts)


def dtype_of(text: str) -> np.dtype:
    """A type of numbers. Raises: PlanError for any other."""
    dtype = np.dtype(text)
    if dtype.kind not in "biufc":
        raise PlanError(f"Arrays of {dtype} do not travel.")
    return dtype


def number_of(kind: str, value: Any) -> Any:
    """A number of Python's or of NumPy's, by the name of its kind."""
    return NUMBERS[kind](value) if kind in NUMBERS else dtype_of(kind).type(value)


def index_of(index: list) -> Any:
    """What stands between the brackets of an array."""
    kind, *parts = index
    if kind == "tuple":
        return tuple(index_of(part) for part in parts)
    if kind == "slice":
        return slice(*parts)
    return Ellipsis if kind == "ellipsis" else int(parts[0])


def raise_again(error: dict[str, Any]) -> None:
    """Raise what the host function raised, as the exception of that name where Python defines it."""
    kind, message = getattr(builtins, str(error["type"]), None), str(error["message"])
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            again = kind(message)
        except TypeError:  # a few, such as UnicodeDecodeError, cannot be made from a message
            again = HostCodeError(message)
        raise again
    raise HostCodeError(f"{error['type']}: {message}")
