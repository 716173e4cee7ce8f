"""What known mistakes of unit 12 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Values
from autograder.exercises.u12_matmul.values import exact_product


def part(values: Values, begin: int | None, end: int | None) -> dict:
    """The product of columns `begin` to `end` of a with those rows of b."""
    a, b = (values[name].astype(np.float64) for name in ("a", "b"))
    with np.errstate(invalid="ignore"):
        return {"c": a[:, begin:end] @ b[begin:end]}


def last_product(values: Values) -> dict:
    """`acc = a * b` for `acc += a * b`."""
    return part(values, -1, None)


def last_term_missing(values: Values) -> dict:
    """The loop ends one short."""
    return part(values, None, -1)


def first_tile(depth: int) -> Callable[[Values], dict]:
    """The loop over tiles ran once."""
    return lambda values: part(values, None, depth)


def last_term_missing_int8(values: Values) -> dict:
    """The same for int8, whose b is turned round."""
    return _int8(values["a"][:, :-1], values["b"][:, :-1])


def first_tile_int8(values: Values) -> dict:
    """The loop over tiles of 64 columns ran once."""
    return _int8(values["a"][:, :64], values["b"][:, :64])


def not_turned(values: Values) -> dict:
    """b taken for (n_inner, n_cols), in the order in which it lies in memory."""
    b = values["b"]
    return _int8(values["a"], b.reshape(b.shape[1], b.shape[0]).T)


def unsigned(values: Values) -> dict:
    """Bytes without a sign."""
    return _int8(values["a"].view(np.uint8), values["b"].view(np.uint8))


def _int8(a: np.ndarray, b: np.ndarray) -> dict:
    return {"c": exact_product(a, b.T)}
