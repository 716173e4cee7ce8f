"""Wrong outputs of unit 15's sparse products that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u15_irregular.values import THREADS, WARP, rows_of, summed


def products(values: Values) -> np.ndarray:
    """(nnz,) float64: each nonzero times its element of x."""
    with np.errstate(invalid="ignore"):
        return values["values"].astype(np.float64) * values["x"][values["columns"]]


def without(leaves_out: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """The product where some nonzeros are left out. leaves_out: values -> (nnz,) bool."""
    return lambda values: {"y": summed(values, np.where(leaves_out(values), 0.0, products(values)))}


def place_in_row(values: Values) -> np.ndarray:
    """(nnz,) how many nonzeros of the same row come before each."""
    lengths = np.diff(values["starts"])
    return np.arange(len(values["columns"])) - np.repeat(values["starts"][:-1], lengths)


def is_last(values: Values) -> np.ndarray:
    """(nnz,) bool: the last nonzero of its row."""
    last = np.zeros(len(values["columns"]) + 1, bool)
    last[values["starts"][1:] - 1] = True
    return last[:-1]


def with_x(place: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """The product where each nonzero meets another element of x. place: values -> (nnz,) indices."""

    def produces(values: Values) -> dict:
        met = values["x"][place(values) % values["x"].size]
        with np.errstate(invalid="ignore"):
            return {"y": summed(values, values["values"].astype(np.float64) * met)}

    return produces


def last_only(values: Values) -> dict:
    """y is the last product of each row."""
    return {"y": summed(values, np.where(is_last(values), products(values), 0.0))}


def without_x(values: Values) -> dict:
    """y is the sum of each row."""
    return {"y": summed(values, values["values"].astype(np.float64))}


def warp_in_block(values: Values) -> np.ndarray:
    """(nnz,) which warp of its block works on the row of each nonzero."""
    return rows_of(values) % (THREADS // WARP)


COLUMN_FORGOTTEN = "columns[k] says where x is read"
COMMON = (
    Slip(
        "column_forgotten",
        f"nonzero k is multiplied by x[k]: {COLUMN_FORGOTTEN}",
        with_x(lambda values: np.arange(len(values["columns"]))),
    ),
    Slip(
        "column_forgotten",
        f"every nonzero of a row is multiplied by x at the row's own number: {COLUMN_FORGOTTEN}",
        with_x(rows_of),
    ),
    Slip(
        "column_forgotten",
        f"the nonzeros of a row meet x[0], x[1] and so on: {COLUMN_FORGOTTEN}",
        with_x(place_in_row),
    ),
    Slip("column_forgotten", "y is the sum of the nonzeros of each row: none of them was multiplied by x", without_x),
    Slip(
        "last_nonzero",
        "the last nonzero of each row is missing: range ends before starts[row + 1], where the next row begins",
        without(is_last),
    ),
    Slip(
        "first_nonzero",
        "the first nonzero of each row is missing: the row begins at starts[row]",
        without(lambda values: place_in_row(values) == 0),
    ),
    Slip("last_product", "y is the last product of each row: = replaces the sum, and += adds to it", last_only),
)
WARPS = (
    *COMMON,
    Slip(
        "first_turn_only",
        "only the first 32 nonzeros of a row are in its sum: each lane goes on, 32 further in every iteration",
        without(lambda values: place_in_row(values) >= WARP),
    ),
    Slip(
        "lane_left_out",
        "y has 32 times the product: every lane worked through the whole row, and each should begin at its own nonzero",
        lambda values: {"y": WARP * summed(values, products(values))},
    ),
    Slip(
        "lanes_not_added",
        "y is what lane 0 added up: the sums of the other 31 lanes belong to the row as well",
        without(lambda values: place_in_row(values) % WARP != 0),
    ),
    Slip(
        "last_lane",
        "y is what lane 31 holds: warp_sum leaves the sum of all lanes in lane 0",
        lambda values: {"y": WARP * summed(values, np.where(place_in_row(values) % WARP == 31, products(values), 0))},
    ),
    Slip(
        "lane_of_block",
        "only the first warp of each block begins at the beginning of its row: lanes count from 0 in every warp",
        without(lambda values: place_in_row(values) < WARP * warp_in_block(values)),
    ),
)
