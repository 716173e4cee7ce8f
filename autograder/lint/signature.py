"""Argument types as the compiler sees them, from the values of a launch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from autograder.lint.compiler import unavailable_reason


class SignatureError(TypeError):
    """A value that no kernel can take."""


def signature_of(values: Mapping[str, Any] | Iterable[Any]) -> tuple:
    """The numba type of every argument, in order, exactly as a launch would infer it.

    Args:    values: arguments in order, or a mapping from names to them. A Python int is int64, a Python float float64,
             `np.float32(2)` float32; arrays keep their layout ("C", "F" or "A").
    Returns: tuple of numba types; where numba is not installed, of the words that `describe` has for them.
    Raises:  SignatureError for a value numba has no type for.
    """
    arguments = values.values() if isinstance(values, Mapping) else values
    if unavailable_reason():
        return tuple(map(_in_words, arguments))
    return tuple(_type_of(position, value) for position, value in enumerate(arguments))


def describe(argument: Any) -> str:
    """A numba type in numba's signature notation: "float32[:, ::1]", "int64"."""
    dtype, layout = getattr(argument, "dtype", None), getattr(argument, "layout", None)
    if layout is None or dtype is None:
        return str(argument)
    return _notation(dtype, argument.ndim, layout)


def _notation(dtype: Any, ndim: int, layout: str) -> str:
    """An array type in numba's words; layout: "C", "F" or "A"."""
    axes = [":"] * ndim
    if layout == "C" and axes:
        axes[-1] = "::1"
    elif layout == "F" and axes:
        axes[0] = "::1"
    return f"{dtype}[{', '.join(axes)}]"


def _in_words(value: Any) -> str:
    """What `describe` would say of a value's numba type."""
    if isinstance(value, np.ndarray) and value.ndim:
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return _notation(value.dtype, value.ndim, layout)
    return str(np.result_type(value)) if isinstance(value, (np.generic, int, float, complex)) else type(value).__name__


def _type_of(position: int, value: Any) -> Any:
    from numba.cuda.typing.typeof import Purpose, typeof

    if not isinstance(value, np.ndarray) and hasattr(value, "dtype") and getattr(value, "strides", None):
        value = _host_twin(value)
    try:
        return typeof(value, Purpose.argument)
    except ValueError as error:  # numba's own class derives from it
        raise SignatureError(
            f"argument {position + 1} is a {type(value).__name__}, which a kernel cannot take. "
            "Pass NumPy arrays, device arrays or numbers."
        ) from error


def _host_twin(array: Any) -> np.ndarray:
    """An array that reads no memory and has the dtype, shape and strides of a device array."""
    return np.lib.stride_tricks.as_strided(np.zeros(1, array.dtype), array.shape, array.strides)
