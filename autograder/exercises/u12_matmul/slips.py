"""What known mistakes of unit 12 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u12_matmul.values import exact_product

DEPTHS = (8, 16, 32, 64)  # of tiles, in columns of a
Part = Callable[[Values, int | None, int | None], dict]


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


def of_last_tile(depth: int, part: Part = part) -> tuple[Slip, ...]:
    """The last tile of every sum is missing. depth: of the exercise's tiles; those of an answer may be others."""
    depths = (depth, *(other for other in DEPTHS if other != depth))
    ragged = "the last products of every sum are missing where they fill no whole tile: that tile was left out"
    short = "the last tile of a and of b was never multiplied: the loop over tiles ends one short"
    return (
        *(Slip("last_tile_missing", ragged, whole_tiles(each, part)) for each in depths),
        *(Slip("last_tile_missing", short, one_tile_short(each, part)) for each in depths),
    )


def whole_tiles(depth: int, part: Part = part) -> Callable[[Values], dict]:
    """The number of tiles was rounded down."""
    return lambda values: part(values, None, values["a"].shape[1] // depth * depth)


def one_tile_short(depth: int, part: Part = part) -> Callable[[Values], dict]:
    """The number of tiles was rounded up, and one of them left out."""
    return lambda values: part(values, None, (values["a"].shape[1] - 1) // depth * depth)


def part_int8(values: Values, begin: int | None, end: int | None) -> dict:
    """The same as `part` for int8, whose b is turned round."""
    return _int8(values["a"][:, begin:end], values["b"][:, begin:end])


def last_term_missing_int8(values: Values) -> dict:
    """The loop ends one short."""
    return part_int8(values, None, -1)


def first_tile_int8(values: Values) -> dict:
    """The loop over tiles of 64 columns ran once."""
    return part_int8(values, None, 64)


def in_bytes(depth: int) -> Callable[[Values], dict]:
    """The sum of every `depth` products is kept in an int8, and what does not fit it is lost."""

    def produces(values: Values) -> dict:
        starts = range(0, values["a"].shape[1], depth)
        sums = (part_int8(values, start, start + depth)["c"].astype(np.int8) for start in starts)
        return {"c": sum(sums, np.zeros(values["c"].shape, np.int64))}

    return produces


def _int8(a: np.ndarray, b: np.ndarray) -> dict:
    return {"c": exact_product(a, b.T)}
