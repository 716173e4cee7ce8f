"""Wrong outputs of unit 14's causal attention that betray their cause: another mask, or one that comes too late."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u14_attention.attention_slips import by_weights, common, fused
from autograder.exercises.u14_attention.attention_values import KEYS, QUERIES, causal_scores, scores_of, weighed
from autograder.exercises.u14_attention.values import weights_of


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


def masked_after_in_tiles(values: Values, padded: bool) -> dict:
    """The same, where a block stops after its last query's tile. padded: missing keys are in the total, at score 0."""
    n = values["q"].shape[1]
    scores = in_tiles(values, scores_of(values))
    scores[..., n:] = np.where(padded, scores[..., n:], -np.inf)
    weights = weights_of(scores)[..., :n] * np.tri(n)
    return by_weights(weights, np.ones(scores.shape[:2]), values)


def masked_to_zero(values: Values) -> dict:
    """Later keys of the tiles up to a block's last query have the score 0, and missing ones the value 0."""
    n = values["q"].shape[1]
    scores = in_tiles(values, np.where(np.tri(n, dtype=bool), scores_of(values), 0))
    return by_weights(weights_of(scores)[..., :n], np.ones(scores.shape[:2]), values)


def in_tiles(values: Values, scores: np.ndarray) -> np.ndarray:
    """Scores of whole tiles of keys, 0 for missing ones, -inf past the tile of a block's last query."""
    n = scores.shape[-1]
    tiles = -(-n // KEYS)
    whole = np.zeros((*scores.shape[:2], tiles * KEYS))
    whole[..., :n] = scores
    block_end = KEYS * -(-np.minimum(n, np.arange(n) // QUERIES * QUERIES + QUERIES) // KEYS)
    whole[:, np.arange(tiles * KEYS) >= block_end[:, None]] = -np.inf
    return whole


TOO_LATE = "later keys have no share in the result, but in the total: mask the score, before the maximum and the total"
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
        "the mask is the wrong way round: a query sees its own place and those before it, not those after",
        lambda v: masked_otherwise(v, lambda i, j: j >= i),
    ),
    Slip(
        "padding_counted",
        "keys that must not be seen count with the score 0: give them the lowest score there is",
        masked_to_zero,
    ),
    Slip("masked_too_late", TOO_LATE, masked_after),
    *(Slip("masked_too_late", TOO_LATE, partial(masked_after_in_tiles, padded=padded)) for padded in (False, True)),
    *common(causal_scores),
    *fused(causal_scores),
)
