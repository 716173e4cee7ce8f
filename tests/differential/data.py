"""What arrays and scalars hold before a launch: small numbers, any bits, and the edges of each type."""

from __future__ import annotations

import numpy as np

from .choices import random_words
from .program import Argument, Program

FLOAT_EDGES = (0.0, -0.0, 1.0, float("inf"), -float("inf"), float("nan"), 1e300, -1e-300, 5e-324, 3.4e38, 1e-40, 0.1)
HALF_EDGES = (0.0, -0.0, 1.0, float("inf"), 65504.0, 6e-8, -0.1)
UNTOUCHED = 77  # what outputs hold before the launch


def values_of(program: Program) -> list:
    """The arguments of a launch: NumPy arrays and scalars, fresh each time."""
    return [value_of(argument) for argument in program.arguments]


def value_of(argument: Argument):
    """One argument."""
    dtype = np.dtype(argument.type)
    shape = argument.shape
    if argument.is_output:
        start = UNTOUCHED if argument.fill is None else 0
        return np.full(shape, start, np.float64).astype(dtype)
    next_word = random_words((argument.fill or 0) + 1)
    count = 1 if shape is None else int(np.prod(shape))
    with np.errstate(over="ignore"):
        flat = np.array([one_value(dtype, next_word) for _ in range(count)], dtype)
    return dtype.type(flat[0]) if shape is None else flat.reshape(shape)


def one_value(dtype: np.dtype, next_word):
    """A value for one cell, as Python or NumPy scalar."""
    word, sort = next_word(), next_word() % 10
    if dtype.kind == "b":
        return bool(word & 1)
    if dtype.kind == "c":
        return complex((word % 257 - 128) / 4, (next_word() % 257 - 128) / 4)
    if dtype.kind == "f":
        return float_value(dtype, word, sort)
    if sort < 5:
        return np.array(word % 21 - (0 if dtype.kind == "u" else 10)).astype(dtype)[()]
    limits = np.iinfo(dtype)
    if sort < 7:
        return (int(limits.min), int(limits.max), 0, 1, int(limits.max) - 1)[word % 5]
    return np.array(word, np.uint64).astype(dtype)[()]


def float_value(dtype: np.dtype, word: int, sort: int) -> float:
    if sort < 4:
        return (word % 81 - 40) / 4
    if sort < 6:
        edges = HALF_EDGES if dtype.itemsize == 2 else FLOAT_EDGES
        return edges[word % len(edges)]
    return ((word >> 11) / (1 << 53) - 0.5) * 2.0 ** (word % 17 - 4)
