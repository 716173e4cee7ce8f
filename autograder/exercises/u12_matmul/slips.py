"""What known mistakes of unit 12 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Values


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
