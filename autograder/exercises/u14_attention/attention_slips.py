"""Wrong outputs of unit 14's attention that betray their cause: what each mistake computes, and what to say of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u14_attention.attention_values import (
    KEYS,
    QUERIES,
    SCALE,
    causal_scores,
    scores_of,
    weighed,
)
from autograder.exercises.u14_attention.values import weights_of

Scores = Callable[..., np.ndarray]  # (values, scale) -> (n_heads, n, n)


def by_weights(weights: np.ndarray, totals: np.ndarray, values: Values) -> dict:
    """out of weights and the total of each row."""
    with np.errstate(all="ignore"):
        return {"out": np.einsum("hij,hjc->hic", weights, values["v"].astype(np.float64)) / totals[..., None]}


def without_maximum(scores: np.ndarray, values: Values) -> dict:
    """exp of the scores as they are, in float32."""
    with np.errstate(all="ignore"):
        powers = np.exp(scores.astype(np.float32))
        return by_weights(powers, powers.sum(axis=-1, dtype=np.float32), values)


def maximum_from_zero(scores: np.ndarray, values: Values) -> dict:
    """A running maximum that begins at 0."""
    with np.errstate(all="ignore"):
        powers = np.exp((scores - np.maximum(scores.max(axis=-1, keepdims=True), 0)).astype(np.float32))
        return by_weights(powers, powers.sum(axis=-1, dtype=np.float32), values)


def by_tiles(scores: np.ndarray, values: Values, of_total: bool, of_result: bool) -> dict:
    """Tile after tile, where the total or the result is not rescaled when the maximum grows."""
    v = values["v"].astype(np.float64)
    top = np.full((*scores.shape[:2], 1), -np.inf)
    total, acc = np.zeros_like(top), np.zeros(values["out"].shape)
    for first in range(0, scores.shape[-1], KEYS):
        tile = scores[..., first : first + KEYS]
        higher = np.maximum(top, tile.max(axis=-1, keepdims=True))
        powers, shrink = np.exp(tile - higher), np.exp(top - higher)
        total = total * (shrink if of_total else 1) + powers.sum(axis=-1, keepdims=True)
        acc = acc * (shrink if of_result else 1) + np.einsum("hij,hjc->hic", powers, v[:, first : first + KEYS])
        top = higher
    return {"out": acc / total}


def not_divided(scores: np.ndarray, values: Values) -> dict:
    """The sum of values by their powers, below the maximum."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return by_weights(powers, np.ones(scores.shape[:2]), values)


def padding_counted(scores: np.ndarray, values: Values) -> dict:
    """The last tile's missing keys have the score 0, so they have a share, and their value is 0."""
    n = scores.shape[-1]
    padded = np.concatenate([scores, np.zeros((*scores.shape[:2], -n % KEYS))], axis=-1)
    return by_weights(weights_of(padded)[..., :n], np.ones(scores.shape[:2]), values)


def lanes_divide_alone(scores: np.ndarray, values: Values) -> dict:
    """Lane c divides by the sum of its own keys, c and c + 32 and so on."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    sums = by_weights(powers, np.ones(scores.shape[:2]), values)["out"]
    lane = np.arange(scores.shape[-1]) % KEYS
    totals = np.stack([powers[..., lane == c].sum(axis=-1) for c in range(KEYS)], axis=-1)
    with np.errstate(all="ignore"):
        return {"out": sums / totals}


def own_weights(scores: np.ndarray, values: Values) -> dict:
    """Lane c weighs all values of a tile by its own key's share."""
    weights, out = weights_of(scores), np.zeros(values["out"].shape)
    for first in range(0, scores.shape[-1], KEYS):
        tile = np.zeros((*scores.shape[:2], KEYS))
        width = min(KEYS, scores.shape[-1] - first)
        tile[..., :width] = weights[..., first : first + width]
        out += tile * values["v"][:, None, first : first + KEYS].astype(np.float64).sum(axis=2)
    return {"out": out}


def some_keys(scores: np.ndarray, values: Values, chosen: slice) -> dict:
    """Only some of the keys."""
    if not scores[..., chosen].size:
        return {"out": np.full(values["out"].shape, np.nan)}
    with np.errstate(all="ignore"):
        return weighed(scores[..., chosen], values | {"v": values["v"][:, chosen]})


def first_head(values: Values, scores: Scores) -> dict:
    """Every head has the result of the first."""
    first = {name: np.broadcast_to(values[name][:1], values[name].shape) for name in "qkv"}
    return weighed(scores(values | first), values | first)


def common(of: Scores) -> tuple[Slip, ...]:
    """Mistakes of any attention. of: the scores that are right."""
    return (
        Slip(
            "not_scaled", "the scores are not scaled: multiply them by 1 / sqrt(32)", lambda v: weighed(of(v, 1.0), v)
        ),
        Slip(
            "scaled_by_dimension",
            "the scores are divided by 32: it should be its square root",
            lambda v: weighed(of(v, SCALE**2), v),
        ),
        Slip("first_head_only", "every head has the result of the first", lambda v: first_head(v, of)),
        Slip(
            "keys_and_values",
            "keys and values are exchanged: scores are made of keys, and values are what is added up",
            lambda v: weighed(of(v | {"k": v["v"]}), v | {"v": v["k"]}),
        ),
    )


Made = Callable[[np.ndarray, Values], dict]
TILES: tuple[tuple[str, str, Made], ...] = (  # misconception, what to say, what it makes of scores and values
    ("no_maximum", "exp overflows: subtract the largest score so far, as in softmax_online", without_maximum),
    (
        "maximum_from_zero",
        "where all scores lie far below 0 the result is NaN: the running maximum begins at 0",
        maximum_from_zero,
    ),
    (
        "result_not_rescaled",
        "what earlier tiles added to the result stays below an older maximum: multiply it by the same factor as "
        "the total",
        lambda scores, v: by_tiles(scores, v, True, False),
    ),
    (
        "total_not_rescaled",
        "the total keeps what earlier tiles added below an older maximum: multiply it by the same factor as the result",
        lambda scores, v: by_tiles(scores, v, False, True),
    ),
    (
        "nothing_rescaled",
        "neither the total nor the result is rescaled when a tile has a larger maximum",
        lambda scores, v: by_tiles(scores, v, False, False),
    ),
    ("not_divided", "the result was never divided by the total of its weights", not_divided),
    (
        "padding_counted",
        "the last tile's missing keys count with the score 0: give them the lowest score there is",
        padding_counted,
    ),
    (
        "lanes_divide_alone",
        "each lane divides by the total of its own keys: a query's total is the sum over all 32 lanes",
        lanes_divide_alone,
    ),
    (
        "own_weights",
        "each lane weighs all values by its own key's weight: value j needs the weight that lane j holds",
        own_weights,
    ),
    ("first_tile_only", "only the first 32 keys were looked at", lambda scores, v: some_keys(scores, v, slice(KEYS))),
    (
        "last_tile_missing",
        "the last keys are missing where they fill no whole tile of 32",
        lambda scores, v: some_keys(scores, v, slice(v["k"].shape[1] // KEYS * KEYS)),
    ),
)


def fused(of: Scores) -> tuple[Slip, ...]:
    """Mistakes of an attention that goes through its keys tile by tile. of: the scores that are right."""

    def made_by(computes: Made) -> Callable[[Values], dict]:
        return lambda values: computes(of(values), values)

    return tuple(Slip(name, says, made_by(computes)) for name, says, computes in TILES)


def masked_otherwise(values: Values, keeps: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> dict:
    """Another set of keys for each query. keeps: (i, j) -> whether query i sees key j."""
    n = values["q"].shape[1]
    seen = keeps(np.arange(n)[:, None], np.arange(n))
    with np.errstate(all="ignore"):
        return weighed(np.where(seen, scores_of(values), -np.inf), values)


def masked_after(values: Values) -> dict:
    """Weights of later keys are made 0, but the total has them."""
    weights = weights_of(scores_of(values)) * np.tri(values["q"].shape[1])
    return by_weights(weights, np.ones(weights.shape[:2]), values)


def masked_to_zero(values: Values) -> dict:
    """Later keys of the tiles up to a block's last query have the score 0, and missing ones the value 0."""
    n = values["q"].shape[1]
    tiles = -(-n // KEYS)
    scores = np.zeros((*causal_scores(values).shape[:2], tiles * KEYS))
    scores[..., :n] = np.where(np.tri(n, dtype=bool), scores_of(values), 0)
    block_end = KEYS * -(-np.minimum(n, np.arange(n) // QUERIES * QUERIES + QUERIES) // KEYS)
    scores[:, np.arange(tiles * KEYS) >= block_end[:, None]] = -np.inf
    return by_weights(weights_of(scores)[..., :n], np.ones(scores.shape[:2]), values)


NO_MAXIMUM = "exp overflows: subtract the largest score first, as softmax does"
NAIVE = (
    *common(scores_of),
    Slip("no_maximum", NO_MAXIMUM, lambda v: without_maximum(scores_of(v), v)),
    Slip(
        "not_normalised",
        "values are weighed by the scores themselves: the softmax of each row is missing",
        lambda v: by_weights(scores_of(v), np.ones(scores_of(v).shape[:2]), v),
    ),
    Slip(
        "swapped_axes",
        "softmax goes down the columns of the scores: the weights of a query are a row",
        lambda v: by_weights(
            weights_of(scores_of(v).swapaxes(1, 2)).swapaxes(1, 2), np.ones(scores_of(v).shape[:2]), v
        ),
    ),
    Slip(
        "queries_and_keys",
        "queries and keys are exchanged: row i of the scores belongs to query i",
        lambda v: weighed(scores_of(v).swapaxes(1, 2), v),
    ),
)
FLASH = (*common(scores_of), *fused(scores_of))
CAUSAL = (
    Slip(
        "not_masked", "queries look at later places, too: key j counts where j <= i", lambda v: weighed(scores_of(v), v)
    ),
    Slip(
        "own_place_masked",
        "a query does not see its own place: key j counts where j <= i, not only where j < i",
        lambda v: masked_otherwise(v, lambda i, j: (j < i) | (i + j == 0)),
    ),
    Slip(
        "next_place_seen",
        "a query sees the place after its own: key j counts where j <= i",
        lambda v: masked_otherwise(v, lambda i, j: j <= i + 1),
    ),
    Slip(
        "mask_turned",
        "the mask is turned round: a query sees its own place and those before it, not those after",
        lambda v: masked_otherwise(v, lambda i, j: j >= i),
    ),
    Slip(
        "padding_counted",
        "keys that must not be seen count with the score 0: give them the lowest score there is",
        masked_to_zero,
    ),
    Slip(
        "masked_too_late",
        "later keys have no share in the result, but in the total: mask the score, before the maximum and the total",
        masked_after,
    ),
    *common(causal_scores),
    *fused(causal_scores),
)
