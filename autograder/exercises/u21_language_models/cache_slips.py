"""Wrong outputs of unit 21's attention over a cache: what each mistake computes, and what to say about it."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u21_language_models.cache_values import (
    GROUPS,
    PAGE,
    PARTS,
    SHARED,
    SPLIT,
    by_split,
    for_heads,
    in_order,
    merged_by,
    scores_of,
    shares_of,
)


def seen(values: Values, scores: np.ndarray | None = None, of_values: np.ndarray | None = None) -> dict:
    """parts and logs of other scores, or of other values."""
    scores = scores_of(values) if scores is None else scores
    return by_split(scores, for_heads(in_order(values, "values")) if of_values is None else of_values)


def without_table(values: Values) -> dict:
    """Pages were read in the order in which they lie in memory."""
    used = np.arange(-(-int(values["n_keys"]) // PAGE))
    keys, of_values = (for_heads(in_order(values, name, used)) for name in ("keys", "values"))
    return seen(values, scores_of(values, keys), of_values)


def heads_in_turn(values: Values) -> dict:
    """Head h of the queries met shared head h modulo their number."""
    n_shared = values["keys"].shape[0]
    mine = np.arange(len(values["q"])) % n_shared
    keys, of_values = (in_order(values, name)[mine] for name in ("keys", "values"))
    return seen(values, scores_of(values, keys), of_values)


def first_query(values: Values) -> dict:
    """All four heads of a group have the query of the first."""
    return seen(values, scores_of(values | {"q": np.repeat(values["q"][::SHARED], SHARED, axis=0)}))


def maximum_from_zero(values: Values) -> dict:
    """A maximum that begins at 0: exp of scores far below it is 0, and so is their sum."""
    found = seen(values)
    with np.errstate(all="ignore"):
        lost = np.exp(np.asarray(found["logs"])) < np.finfo(np.float32).tiny
    return {
        "parts": np.where(lost[..., None], np.nan, found["parts"]),
        "logs": np.where(lost, -np.inf, found["logs"]),
    }


def without_maximum(values: Values) -> dict:
    """exp of the scores as they are: infinite in float32 above 88.7, and 0 far below 0."""
    found = seen(values)
    scores = scores_of(values)
    parts, logs = np.asarray(found["parts"]).copy(), np.asarray(found["logs"]).copy()
    for split, first in enumerate(range(0, scores.shape[1], SPLIT)):
        with np.errstate(all="ignore"):
            over = np.exp(scores[:, first : first + SPLIT].astype(np.float32)).sum(axis=1, dtype=np.float32)
        parts[split][~np.isfinite(over) | (over == 0)] = np.nan
        logs[split][~np.isfinite(over)] = np.inf
        logs[split][over == 0] = -np.inf
    return {"parts": parts, "logs": logs}


def not_divided(values: Values) -> dict:
    """The sum of values by their powers below the maximum, never divided."""
    found = seen(values)
    scores = scores_of(values)
    tops = np.stack([scores[:, f : f + SPLIT].max(axis=1) for f in range(0, scores.shape[1], SPLIT)])
    return {"parts": found["parts"] * np.exp(found["logs"] - tops)[..., None], "logs": found["logs"]}


def sums_for_logs(values: Values) -> dict:
    """The total of the powers below the maximum, without its logarithm and without the maximum."""
    found = seen(values)
    scores = scores_of(values)
    tops = np.stack([scores[:, f : f + SPLIT].max(axis=1) for f in range(0, scores.shape[1], SPLIT)])
    return {"parts": found["parts"], "logs": np.exp(found["logs"] - tops)}


def maximum_left_out(values: Values) -> dict:
    """The logarithm of the total below the maximum."""
    found = seen(values)
    scores = scores_of(values)
    tops = np.stack([scores[:, f : f + SPLIT].max(axis=1) for f in range(0, scores.shape[1], SPLIT)])
    return {"parts": found["parts"], "logs": found["logs"] - tops}


def one_half_warp(values: Values) -> dict:
    """What the first of sixteen half warps added up of the values."""
    scores, of_values = scores_of(values), for_heads(in_order(values, "values")).copy()
    place = np.arange(scores.shape[1]) % SPLIT
    of_values[:, place % PARTS != 0] = 0
    return seen(values, scores, of_values)


ATTENTION = (
    Slip(
        "table_ignored",
        "pages were read in the order in which they lie: the table says which page comes next",
        without_table,
    ),
    Slip(
        "heads_in_turn",
        "head h met shared head h modulo their number: heads 0 to 3 share the first, 4 to 7 the second",
        heads_in_turn,
    ),
    Slip("first_query", "all four heads that share keys have the query of the first", first_query),
    Slip(
        "not_scaled",
        "the scores are not scaled: multiply them by 1 / sqrt(128)",
        lambda v: seen(v, scores_of(v, scale=1.0)),
    ),
    Slip(
        "scaled_by_dimension",
        "the scores are divided by 128: it should be its square root",
        lambda v: seen(v, scores_of(v, scale=1 / 128)),
    ),
    Slip(
        "keys_and_values",
        "keys and values are exchanged: scores are made of keys, and values are what is added up",
        lambda v: seen(v | {"keys": v["values"], "values": v["keys"]}),
    ),
    Slip("no_maximum", "exp overflows: subtract the largest score of the split first", without_maximum),
    Slip(
        "maximum_from_zero",
        "splits whose scores are far below 0 come out as NaN: the search for the maximum begins at 0",
        maximum_from_zero,
    ),
    Slip("not_divided", "parts is the sum of values by exp alone: it was never divided by the total", not_divided),
    Slip("total_for_log", "logs has the totals themselves: take the logarithm, and add the maximum", sums_for_logs),
    Slip("maximum_left_out", "logs lacks the maximum that was subtracted: add it again", maximum_left_out),
    Slip(
        "half_warps_not_combined",
        "parts has the values of one half warp: those of all sixteen were never added",
        one_half_warp,
    ),
)


def some_splits(values: Values, chosen: np.ndarray) -> dict:
    """Only some of the splits."""
    shares = np.where(chosen[:, None], shares_of(values), 0)
    return merged_by(shares / shares.sum(axis=0), values)


def plain_mean(values: Values) -> dict:
    """All splits count alike."""
    return merged_by(np.full(values["logs"].shape, 1 / len(values["logs"])), values)


def undivided(values: Values) -> dict:
    """Powers below the maximum, never divided by their sum."""
    logs = values["logs"].astype(np.float64)
    return merged_by(np.exp(logs - logs.max(axis=0)), values)


def overflowing(values: Values, top) -> dict:
    """Powers in float32 with something else subtracted."""
    with np.errstate(all="ignore"):
        powers = np.exp((values["logs"] - np.asarray(top, np.float32)).astype(np.float32)).astype(np.float64)
        powers[~np.isfinite(powers)] = np.inf
        return merged_by(powers / powers.sum(axis=0), values)


def one_total(values: Values) -> dict:
    """All sums were added, and the first group's total alone."""
    mine = np.arange(len(values["logs"])) % GROUPS == 0
    return merged_by(shares_of(values) / shares_of(values)[mine].sum(axis=0), values)


MERGE = (
    Slip("plain_mean", "all splits count alike: each counts by exp of its logarithm", plain_mean),
    Slip("not_divided", "the sum was never divided by the sum of the weights", undivided),
    Slip(
        "no_maximum",
        "exp overflows or comes to 0: subtract the largest of a head's logarithms first",
        lambda v: overflowing(v, 0),
    ),
    Slip(
        "maximum_from_zero",
        "heads whose logarithms are far below 0 come out as NaN: the search for the largest begins at 0",
        lambda v: overflowing(v, np.maximum(v["logs"].max(axis=0), 0)),
    ),
    Slip(
        "first_split_only",
        "only the first eight splits went in: one for each group of threads",
        lambda v: some_splits(v, np.arange(len(v["logs"])) < GROUPS),
    ),
    Slip(
        "groups_not_combined",
        "one group of threads stored its own result: the sums and totals of the eight were never added",
        lambda v: some_splits(v, np.arange(len(v["logs"])) % GROUPS == 0),
    ),
    Slip("one_total", "the sums of the eight groups were added, and their totals were not", one_total),
)
