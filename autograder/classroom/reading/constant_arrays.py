"""Small tables of constants, such as the weights of a filter: the NumPy calls that may make one, and their bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

LARGEST = 65_536  # elements; constant memory holds 16,384 float32

MAKERS: dict[str, Callable] = {
    name: getattr(np, name) for name in ("array", "arange", "full", "linspace", "ones", "outer", "zeros")
}


def is_table(value: Any) -> bool:
    """An array of numbers within bounds."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufc" and value.size <= LARGEST


def fits(operands: list[Any]) -> bool:
    """Whether combining arrays and numbers elementwise gives a table within bounds."""
    try:
        return math.prod(np.broadcast_shapes(*(np.shape(operand) for operand in operands))) <= LARGEST
    except ValueError:  # shapes that do not go together
        return False


def make(function: Callable, arguments: list[Any], options: dict[str, Any]) -> np.ndarray:
    """Call one of MAKERS. Raises ValueError before it would make something large, and for what holds no numbers."""
    if set(options) - {"dtype"}:
        raise ValueError(f"only dtype= is understood, not {sorted(options)[0]}=")
    for given in [*options.values(), *(argument for argument in arguments if isinstance(argument, str | type))]:
        _need_number_type(given)
    tuples = [argument for argument in arguments if isinstance(argument, tuple | list)]
    if not all(isinstance(part, bool | int | float | np.generic | np.ndarray) for part in _flat(tuples)):
        raise ValueError("only numbers are understood")
    if not _elements(function, arguments) <= LARGEST:
        raise ValueError(f"more than {LARGEST:,} elements")
    made = function(*arguments, **options)
    if not is_table(made):
        raise ValueError("it is no array of numbers")
    return made


def elements_in(value: Any, most: int) -> int:
    """The numbers in a constant, those of tuples, lists and tables within it; counted no further than beyond `most`."""
    n = 0
    for part in _flat(value):
        n += int(np.size(part)) if isinstance(part, np.ndarray) else 1
        if n > most:
            break
    return n


def _flat(value: object) -> Iterator[object]:
    """What tuples and lists hold, at any depth."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, tuple | list):
            pending.extend(part)
        else:
            yield part


def _need_number_type(dtype: object) -> None:
    """Raise ValueError for what is no type of numbers: a long string, or a record, takes as many bytes as it likes."""
    if isinstance(dtype, str) and (dtype == "a" or not (len(dtype) <= 16 and dtype.isalnum())):
        raise ValueError("only types of numbers are understood")
    if not isinstance(dtype, str | type) or np.dtype(dtype).kind not in "biufc":
        raise ValueError("only types of numbers are understood")


def _elements(function: Callable, arguments: list[Any]) -> float:
    """How many elements a call would make."""
    if function in (np.zeros, np.ones, np.full):
        shape = arguments[0] if isinstance(arguments[0], tuple | list) else (arguments[0],)
        return math.prod(shape)
    if function is np.arange:
        start, stop, step = (0, arguments[0], 1) if len(arguments) == 1 else (*arguments, 1)[:3]
        return abs((stop - start) / step)
    if function is np.linspace:
        return arguments[2] if len(arguments) > 2 else 50
    return math.prod(elements_in(argument, LARGEST) for argument in arguments[: 2 if function is np.outer else 1])
