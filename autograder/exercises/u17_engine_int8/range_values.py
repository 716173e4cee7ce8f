"""Inputs, oracles, bounds, launches and cases of unit 17 where a range is chosen: percentile_range, range_errors."""

from __future__ import annotations

from typing import Literal

import numpy as np

from autograder.contract import Case, Sizes, Values

EPSILON = 2.0**-24
NONE = np.float64(0)
TOP = np.float32(127)  # the last step that a range reaches


# percentile_range

SHARES = (9999, 9900, 5000, 10_000, 7500)  # in ten-thousandths


def magnitudes(n_bins: int, outliers: int, rng: np.random.Generator) -> np.ndarray:
    """(n_bins,) int64: how many magnitudes each bin has. Most are small, some bins are empty, and one magnitude, or as
    many as `outliers` says, lies in the last."""
    shape = np.exp(-np.arange(n_bins) / max(1.0, n_bins / 8))
    counts = rng.poisson(40 * shape).astype(np.int64)
    counts[0] += 1  # there is something
    counts[-1] += outliers
    return counts


def make_percentile(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """counts, the bins' width, a share, and room for the range."""
    counts = magnitudes(sizes["n_bins"], 1, rng)
    if sizes["share"] in (5000, 7500):  # a bin at whose end the share is met exactly
        counts = tied(counts, sizes["share"])
    share = np.float64(sizes["share"] / 10_000)
    return {"counts": counts, "width": np.float64(0.125), "share": share, "limit": NONE}


def tied(counts: np.ndarray, share: int) -> np.ndarray:
    """The same, but for as many more in the last bin as make the first half of the bins the whole share."""
    first, rest = counts[: len(counts) // 2], counts[len(counts) // 2 :].copy()
    below = first.copy()
    below[-1] += -int(below.sum()) % 3 + 3  # a number that three quarters divide, and a bin that is not empty
    total = int(below.sum()) * 10_000 // share
    rest[:] = np.minimum(rest, 1)
    rest[-1] = max(0, total - int(below.sum()) - int(rest[:-1].sum()))
    return np.concatenate([below, rest])


def percentile(values: Values) -> dict:
    """The lower edge of the bin in which the share is reached, as the engine has it."""
    return {"limit": np.float64(bin_of(values) * values["width"])}


def bin_of(values: Values, side: Literal["left", "right"] = "left") -> int:
    """The first bin with which the share of all is reached (left), or passed (right)."""
    reached = np.cumsum(values["counts"]) / values["counts"].sum()
    return int(np.searchsorted(reached, values["share"], side))


PERCENTILE_CASES = tuple(
    Case({"n_bins": n_bins, "share": share}, trace=False) for n_bins in (256, 2048, 41) for share in SHARES
)


# range_errors

ERROR_THREADS = 128  # of a block, which has one range


def make_ranges(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """counts, the bins' width, the ranges to try, and room for their errors.

    "exact": scales and width are powers of two and counts are small, so that every order of sums gives the same.
    """
    n_bins, n_tried = sizes["n_bins"], sizes["n_tried"]
    if kind == "exact":
        width, counts = np.float32(2), rng.integers(0, 4, n_bins)
        counts[-1] = 3
        tried = np.float32(127) * np.float32(2.0) ** rng.integers(0, 4, n_tried).astype(np.float32)
        tried[:3] = np.float32(127) * np.array([2, 1, 4], np.float32)[:n_tried]
    else:
        width, counts = np.float32(0.03), magnitudes(n_bins, 2, rng)
        tried = rng.uniform(0.1, 1.0, n_tried).astype(np.float32) * width * np.float32(n_bins)
    errors = np.zeros(n_tried, np.float32)
    return {"counts": counts.astype(np.int32), "width": width, "tried": tried.astype(np.float32), "errors": errors}


def centres_of(values: Values) -> np.ndarray:
    """The middle of every bin."""
    return (np.arange(len(values["counts"])) + 0.5) * float(values["width"])


def stored_as(values: Values, centres: np.ndarray) -> np.ndarray:
    """(n_tried, n_bins) float64: what each centre becomes under each range."""
    scales = values["tried"].astype(np.float64)[:, None] / 127
    return np.minimum(np.rint(centres / scales), 127) * scales


def range_errors(values: Values) -> dict:
    """Per range, the squared errors of all magnitudes, each as large as the middle of its bin. float64."""
    centres = centres_of(values)
    return {"errors": np.square(stored_as(values, centres) - centres) @ values["counts"].astype(np.float64)}


def errors_bound(values: Values, expected) -> dict:
    """A centre and what it is stored as are off by some roundings, and so is the sum of their squares."""
    centres, counts = centres_of(values), values["counts"].astype(np.float64)
    apart = np.abs(stored_as(values, centres) - centres)
    slack = 8 * EPSILON * centres
    return {"errors": (2 * apart * slack + slack**2) @ counts + (len(centres) + 8) * EPSILON * expected["errors"]}


ERRORS_CASES = (
    *(Case({"n_bins": n_bins, "n_tried": n_tried}) for n_bins, n_tried in ((128, 8), (1, 1), (33, 3), (150, 5))),
    Case({"n_bins": 300, "n_tried": 7}, "general"),
    Case({"n_bins": 2048, "n_tried": 33}, "general", trace=False),
)


def a_block_per_range(values: Values) -> tuple:
    """128 threads for each range."""
    return len(values["tried"]), ERROR_THREADS
