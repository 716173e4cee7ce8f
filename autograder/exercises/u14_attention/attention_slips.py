"""Wrong outputs of unit 14's attention that betray their cause: what each mistake computes, and what to say of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u14_attention.attention_values import (
    DIM,
    KEYS,
    scores_of,
    weighed,
)
from autograder.exercises.u14_attention.values import weights_of

Scores = Callable[..., np.ndarray]  # (values, scale) -> (n_heads, n, n)
Made = Callable[[np.ndarray, Values], dict]


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


def by_tiles(scores: np.ndarray, values: Values, keys: int, of_total: bool, of_result: bool) -> dict:
    """Tile after tile of so many keys, where the total or the result is not rescaled when the maximum grows."""
    v = values["v"].astype(np.float64)
    top = np.full((*scores.shape[:2], 1), -np.inf)
    total, acc = np.zeros_like(top), np.zeros(values["out"].shape)
    for first in range(0, scores.shape[-1], keys):
        tile = scores[..., first : first + keys]
        higher = np.maximum(top, tile.max(axis=-1, keepdims=True))
        powers, shrink = np.exp(tile - higher), np.exp(top - higher)
        total = total * (shrink if of_total else 1) + powers.sum(axis=-1, keepdims=True)
        acc = acc * (shrink if of_result else 1) + np.einsum("hij,hjc->hic", powers, v[:, first : first + keys])
        top = higher
    return {"out": acc / total}


def not_divided(scores: np.ndarray, values: Values) -> dict:
    """The sum of values by their powers, below the maximum."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return by_weights(powers, np.ones(scores.shape[:2]), values)


def padding_counted(scores: np.ndarray, values: Values, keys: int) -> dict:
    """The last tile's missing keys have the score 0, so they have a share, and their value is 0."""
    n = scores.shape[-1]
    padded = np.concatenate([scores, np.zeros((*scores.shape[:2], -n % keys))], axis=-1)
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


def common(of: Scores, dim: int = DIM) -> tuple[Slip, ...]:
    """Mistakes of any attention. of: the scores that are right; dim: numbers of a vector."""
    return (
        Slip(
            "not_scaled",
            f"the scores are not scaled: multiply them by 1 / sqrt({dim})",
            lambda v: weighed(of(v, 1.0), v),
        ),
        Slip(
            "scaled_by_dimension",
            f"the scores are divided by {dim}: it should be its square root",
            lambda v: weighed(of(v, 1 / dim), v),
        ),
        Slip("first_head_only", "every head has the result of the first", lambda v: first_head(v, of)),
        Slip(
            "keys_and_values",
            "keys and values are exchanged: scores are made of keys, and values are what is added up",
            lambda v: weighed(of(v | {"k": v["v"]}), v | {"v": v["k"]}),
        ),
    )


def of_tiles(keys: int) -> tuple[tuple[str, str, Made], ...]:
    """(misconception, what to say, what it makes of scores and values) of an attention by tiles of so many keys."""
    return (
        (
            "maximum_from_zero",
            "where all scores lie far below 0 the result is NaN: the running maximum begins at 0",
            maximum_from_zero,
        ),
        (
            "result_not_rescaled",
            "what earlier tiles added to the result is still relative to an older maximum: multiply it by the same "
            "factor as the total",
            partial(by_tiles, keys=keys, of_total=True, of_result=False),
        ),
        (
            "total_not_rescaled",
            "what earlier tiles added to the total is still relative to an older maximum: multiply it by the same "
            "factor as the result",
            partial(by_tiles, keys=keys, of_total=False, of_result=True),
        ),
        (
            "nothing_rescaled",
            "neither the total nor the result is rescaled when a tile has a larger maximum",
            partial(by_tiles, keys=keys, of_total=False, of_result=False),
        ),
        ("not_divided", "the result was never divided by the total of its weights", not_divided),
        (
            "padding_counted",
            "the last tile's missing keys count with the score 0: give them the lowest score there is",
            partial(padding_counted, keys=keys),
        ),
        ("first_tile_only", f"only the first {keys} keys were looked at", partial(some_keys, chosen=slice(keys))),
        (
            "last_tile_missing",
            f"the last keys are missing where they fill no whole tile of {keys}",
            lambda scores, v: some_keys(scores, v, slice(v["k"].shape[1] // keys * keys)),
        ),
    )


SO_FAR = "exp overflows: subtract the largest score so far, as in softmax_online"
OF_A_WARP: tuple[tuple[str, str, Made], ...] = (  # where a warp has one query
    ("no_maximum", SO_FAR, without_maximum),
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
)


def by_scores(of: Scores, mistakes: tuple[tuple[str, str, Made], ...]) -> tuple[Slip, ...]:
    """Mistakes as slips. of: the scores that are right."""

    def made_by(computes: Made) -> Callable[[Values], dict]:
        return lambda values: computes(of(values), values)

    return tuple(Slip(name, says, made_by(computes)) for name, says, computes in mistakes)


def fused(of: Scores) -> tuple[Slip, ...]:
    """Mistakes of an attention that goes through its keys tile by tile, a warp per query. of: the right scores."""
    return by_scores(of, (*OF_A_WARP, *of_tiles(KEYS)))


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
