"""Wrong outputs of unit 14's attention on tensor cores that betray their cause: who holds what, mixed up."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u14_attention.attention_slips import SO_FAR, Made, by_scores, by_weights, common, of_tiles
from autograder.exercises.u14_attention.attention_values import scores_of, weighed
from autograder.exercises.u14_attention.tensor_values import SIDE

LOWEST = float(np.finfo(np.float32).min)
OWNERS = np.arange(SIDE) // 2 % 4  # which of four lanes holds a column of a result


def padded(array: np.ndarray, axis: int, fill: float = 0.0) -> np.ndarray:
    """An array with whole tiles of 64 along an axis."""
    width = [(0, -size % SIDE if i == axis else 0) for i, size in enumerate(array.shape)]
    return np.pad(array, width, constant_values=fill)


def whole_tiles(scores: np.ndarray) -> np.ndarray:
    """Scores of whole tiles: queries that do not exist are zeros, and keys that do not exist have the lowest score."""
    return padded(padded(scores, 1), 2, LOWEST)


def as_it_is(powers: np.ndarray) -> np.ndarray:
    """A factor as it should be."""
    return powers


def by_fragments(
    scores: np.ndarray,
    values: Values,
    of_maximum: bool = True,
    of_total: bool = True,
    factor: Callable[[np.ndarray], np.ndarray] = as_it_is,
) -> dict:
    """Tile after tile, where the four lanes of a row may not share its maximum or its total.

    factor: (n_heads, rows, 64) powers -> the same as the second product takes them.
    """
    n = scores.shape[-1]
    scores, v = whole_tiles(scores), padded(values["v"].astype(np.float64), 1)
    top = np.full((*scores.shape[:2], 4), LOWEST)
    total, acc = np.zeros_like(top), np.zeros((*scores.shape[:2], SIDE))
    with np.errstate(all="ignore"):
        for first in range(0, n, SIDE):
            tile = scores[..., first : first + SIDE]
            own = np.stack([tile[..., lane == OWNERS].max(axis=-1) for lane in range(4)], axis=-1)
            higher = np.maximum(top, own.max(axis=-1, keepdims=True) if of_maximum else own)
            shrink, powers = np.exp(top - higher), np.exp(tile - higher[..., OWNERS])
            mine = np.stack([powers[..., lane == OWNERS].sum(axis=-1) for lane in range(4)], axis=-1)
            total = total * shrink + mine
            acc = acc * shrink[..., OWNERS] + np.einsum("hij,hjc->hic", factor(powers), v[:, first : first + SIDE])
            top = higher
        out = acc / (total.sum(axis=-1, keepdims=True) if of_total else total[..., OWNERS])
    return {"out": out[:, :n]}


def words_exchanged(powers: np.ndarray) -> np.ndarray:
    """The second and the third word of each factor are exchanged: 8 rows further with 8 columns further."""
    parts = powers.reshape(len(powers), -1, 2, 8, SIDE // 16, 2, 8)
    return parts.swapaxes(2, 5).reshape(powers.shape)


def rows_exchanged(scores: np.ndarray, values: Values) -> dict:
    """Row l // 4 has the result of the row 8 further down, and the other way round."""
    n = scores.shape[-1]
    out = weighed(padded(scores, 1), values)["out"]
    out = out.reshape(len(out), -1, 2, 8, SIDE)[:, :, ::-1].reshape(out.shape)
    return {"out": out[:, :n]}


def without_maximum(scores: np.ndarray, values: Values) -> dict:
    """exp of the scores as they are: past 65,504 a float16 has infinity."""
    with np.errstate(all="ignore"):
        powers = np.exp(scores.astype(np.float32))
        return by_weights(powers.astype(np.float16).astype(np.float64), powers.sum(axis=-1, dtype=np.float32), values)


def pieces_turned(array: np.ndarray) -> np.ndarray:
    """(n_heads, n, 64) whose pieces of 8 x 8 are turned round, whole tiles of rows."""
    whole = padded(array.astype(np.float64), 1)
    pieces = whole.reshape(len(whole), -1, 8, SIDE // 8, 8)
    return pieces.transpose(0, 1, 4, 3, 2).reshape(whole.shape)


def keys_turned(values: Values) -> dict:
    """Keys were dealt out along the other axis."""
    return weighed(scores_of(values | {"k": pieces_turned(values["k"])[:, : values["k"].shape[1]]}), values)


def values_not_turned(values: Values) -> dict:
    """Values were dealt out along the other axis."""
    return weighed(scores_of(values), values | {"v": pieces_turned(values["v"])[:, : values["v"].shape[1]]})


def powers_of_two(scores: np.ndarray, values: Values) -> dict:
    """2 to the power of the scores, in place of e."""
    return weighed(math.log(2) * scores, values)


OF_FRAGMENTS: tuple[tuple[str, str, Made], ...] = (
    ("no_maximum", SO_FAR, without_maximum),
    (
        "powers_of_two",
        "the weights are 2 to the power of the scores: multiply the scores by log2(e) as well, as PER_SCORE does",
        powers_of_two,
    ),
    (
        "lanes_maximum",
        "each lane takes the maximum of its own columns: the four lanes of a row need one maximum, by two shuffles",
        partial(by_fragments, of_maximum=False),
    ),
    (
        "lanes_divide_alone",
        "each lane divides by the total of its own columns: a row's total is the sum over its four lanes",
        partial(by_fragments, of_total=False),
    ),
    (
        "words_exchanged",
        "the second and the third word of a factor are exchanged: first both rows, then both rows 8 columns further",
        partial(by_fragments, factor=words_exchanged),
    ),
    (
        "rows_exchanged",
        "rows that lie 8 apart have each other's result: x[0] and x[1] are of row l // 4, x[2] and x[3] of the other",
        rows_exchanged,
    ),
)
TENSOR = (
    *common(scores_of, SIDE),
    *by_scores(scores_of, (*of_tiles(SIDE), *OF_FRAGMENTS)),
    Slip(
        "keys_turned",
        "the keys of a fragment are transposed: a key is a column of the product and a row in memory, and ldmatrix "
        "deals it out as it lies",
        keys_turned,
    ),
    Slip(
        "values_not_turned",
        "the values of a fragment are not transposed: a lane needs two rows of one column, as ldmatrix_transposed "
        "deals them out",
        values_not_turned,
    ),
)
