"""Inputs, oracles, launches, cases and costs of unit 13 where a layer is a matrix product."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u13_convolution.values import pairs_inside, pictures, windows

THREADS = 256  # of a block along a row of cols
TILE, DEPTH = 64, 16  # of conv_implicit: output channels and places of a block, rows of cols per iteration


def batch(n_images: int, n_in: int, n_rows: int, n_cols: int) -> dict[str, int]:
    """Sizes of a batch of pictures."""
    return {"n_images": n_images, "n_in": n_in, "n_rows": n_rows, "n_cols": n_cols}


UNROLLED_CASES = (
    Case(batch(2, 3, 8, 32)),
    Case(batch(1, 1, 1, 1)),
    Case(batch(2, 2, 5, 33)),
    Case(batch(3, 1, 17, 7)),
    Case(batch(1, 4, 9, 3)),
    Case(batch(2, 2, 9, 20), "special"),
    Case(batch(3, 4, 29, 45), trace=False),
)


def make_unrolled(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, and room for cols."""
    n_outputs = sizes["n_images"] * sizes["n_rows"] * sizes["n_cols"]
    return {"src": pictures(sizes, kind, rng), "cols": np.zeros((9 * sizes["n_in"], n_outputs), np.float32)}


def unrolled(values: Values) -> dict:
    """cols[9 i + 3 a + b, p] = src[n, i, r + a - 1, c + b - 1], 0 past the edges."""
    return {"cols": as_matrix(windows(values["src"], 3))}


def as_matrix(met: np.ndarray) -> np.ndarray:
    """(n_images, n_in, n_rows, n_cols, 3, 3) as (9 n_in, n_images n_rows n_cols)."""
    return met.transpose(1, 4, 5, 0, 2, 3).reshape(9 * met.shape[1], -1)


def a_row_per_weight(values: Values) -> tuple:
    """Blocks of 256 threads along each row of cols: x along its outputs, y down its rows."""
    n_weights, n_outputs = values["cols"].shape
    return (ceil_div(n_outputs, THREADS), n_weights), (THREADS, 1)


def unrolled_cost(values: Values) -> Cost:
    """Each element of cols is stored once, and loaded where it exists."""
    n_images, n_in, n_rows, n_cols = values["src"].shape
    inside = n_images * n_in * pairs_inside(n_rows, 3) * pairs_inside(n_cols, 3)
    return Cost(read_bytes=4 * inside, write_bytes=values["cols"].nbytes)


def tiles_of_64(values: Values) -> tuple:
    """A block of 16 x 16 threads for each 64 places (x) of 64 output channels (y)."""
    n_images, n_out, n_rows, n_cols = values["dst"].shape
    return (ceil_div(n_images * n_rows * n_cols, TILE), ceil_div(n_out, TILE)), (16, 16)


def implicit_cost(values: Values) -> Cost:
    """Each block loads its weights and its elements once, and multiplies whole tiles."""
    n_images, n_in, n_rows, n_cols = values["src"].shape
    (along, down), _ = tiles_of_64(values)
    inside = n_images * n_in * pairs_inside(n_rows, 3) * pairs_inside(n_cols, 3)
    return Cost(
        read_bytes=along * values["weights"].nbytes + down * 4 * inside,
        write_bytes=values["dst"].nbytes,
        flops=2 * along * down * TILE * TILE * DEPTH * ceil_div(9 * n_in, DEPTH),
    )
