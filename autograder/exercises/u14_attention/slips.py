"""Wrong outputs of unit 14's softmax that betray their cause: what each mistake computes, and what to say about it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u14_attention.values import THREADS, WARP, softmax, weights_of


def powers(values: Values, top) -> np.ndarray:
    """exp(src - top) in float32, as a kernel has it: too large is infinite, too small is 0."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return np.exp(values["src"] - np.asarray(top, np.float32))


def shares(numerators: np.ndarray, totals) -> dict:
    """dst of numerators and a total per row."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return {"dst": numerators.astype(np.float64) / np.asarray(totals)}


def tops(values: Values) -> np.ndarray:
    """The maximum of each row, as a column."""
    return values["src"].max(axis=1, keepdims=True)


def below(values: Values, top: Callable[[Values], np.ndarray]) -> dict:
    """Softmax with another number subtracted, in float32 where it overflows."""
    found = powers(values, top(values))
    return shares(found, found.sum(axis=1, keepdims=True, dtype=np.float32))


def without_maximum(values: Values) -> dict:
    """Nothing was subtracted."""
    return below(values, lambda _: np.zeros(1, np.float32))


def maximum_from_zero(values: Values) -> dict:
    """The search for the maximum began at 0."""
    return below(values, lambda v: np.maximum(tops(v), 0))


def mean_subtracted(values: Values) -> dict:
    """The mean was subtracted, as a kernel has it."""
    with np.errstate(over="ignore", invalid="ignore"):
        return below(values, lambda v: v["src"].mean(axis=1, keepdims=True, dtype=np.float32))


def not_divided(values: Values) -> dict:
    """Only exp of the differences."""
    return {"dst": powers(values, tops(values))}


def of_all_rows(values: Values) -> dict:
    """Divided by the sum over the whole matrix."""
    found = powers(values, values["src"].max()).astype(np.float64)
    return shares(found, found.sum())


def of_columns(values: Values) -> dict:
    """Along the other axis."""
    return {"dst": weights_of(values["src"].T).T}


def totals_of(width: int, combine: str) -> Callable[[Values], dict]:
    """Sums that were never put together: thread t divides by the sum of those with the same t // width.

    combine: "warp" where the sums of warps of one block are missing, "lane" where each thread has its own.
    """

    def produces(values: Values) -> dict:
        found = powers(values, tops(values)).astype(np.float64)
        owner = np.arange(found.shape[1]) % THREADS // width if combine == "warp" else np.arange(found.shape[1]) % width
        sums = np.stack([found[:, owner == one].sum(axis=1) for one in range(owner.max() + 1)], axis=1)
        return shares(found, sums[:, owner])

    return produces


def first_only(width: int) -> Callable[[Values], dict]:
    """Nobody came back for elements past the first of each thread: they are not written."""

    def produces(values: Values) -> dict:
        dst = np.ma.masked_array(np.zeros(values["src"].shape), mask=np.zeros(values["src"].shape, bool))
        dst[:, :width] = weights_of(values["src"][:, :width])
        dst[:, width:] = np.ma.masked
        return {"dst": dst}

    return produces


def pairs_of_lanes(values: Values, power: int = -1) -> tuple[np.ndarray, np.ndarray]:
    """(n_rows, 32) each: the maximum and the sum of every lane of a warp per row, -inf and 0 where it saw nothing.

    power: how often exp of what the maximum grew by goes into the sum so far: -1 is right, 0 forgets it.
    """
    src = values["src"].astype(np.float64)
    n_turns = -(-src.shape[1] // WARP)
    padded = np.full((src.shape[0], n_turns * WARP), -np.inf)
    padded[:, : src.shape[1]] = src
    top, total = np.full((src.shape[0], WARP), -np.inf), np.zeros((src.shape[0], WARP))
    for x in np.split(padded, n_turns, axis=1):
        higher = np.maximum(top, x)
        base = np.where(np.isfinite(higher), higher, 0)
        with np.errstate(over="ignore", invalid="ignore"):
            grown = np.where(total > 0, np.exp(power * (base - top)), 1)
        total, top = total * grown + np.exp(x - base), higher
    return top, total


def merged(top: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of all lanes as one, a column each."""
    row_top = top.max(axis=1, keepdims=True)
    return row_top, (total * np.exp(top - row_top)).sum(axis=1, keepdims=True)


def rescaled_by(power: int) -> Callable[[Values], dict]:
    """Each lane's sum is multiplied by another power of exp when its maximum grows."""

    def produces(values: Values) -> dict:
        row_top, total = merged(*pairs_of_lanes(values, power))
        return shares(powers(values, row_top), total)

    return produces


def never_rescaled(values: Values) -> dict:
    """A merge that brings the other sum below the higher maximum, and never its own."""
    top, total = pairs_of_lanes(values, 0)
    lane = np.arange(WARP)
    for d in (16, 8, 4, 2, 1):
        higher = np.maximum(top, top[:, lane ^ d])
        base = np.where(np.isfinite(higher), higher, 0)
        total, top = total + total[:, lane ^ d] * np.exp(top[:, lane ^ d] - base), higher
    mine = np.arange(values["src"].shape[1]) % WARP
    with np.errstate(invalid="ignore"):
        return {"dst": np.exp(values["src"] - top[:, mine]) / total[:, mine]}


def lanes_added(values: Values) -> dict:
    """The sums of lanes are added as they are, each below a maximum of its own."""
    _, total = pairs_of_lanes(values)
    return shares(powers(values, tops(values)), total.sum(axis=1, keepdims=True))


def lanes_not_merged(values: Values) -> dict:
    """Every lane has a maximum and a sum of its own elements."""
    top, total = pairs_of_lanes(values)
    lane = np.arange(values["src"].shape[1]) % WARP
    with np.errstate(invalid="ignore"):
        return {"dst": np.exp(values["src"] - top[:, lane]) / total[:, lane]}


def lane_0_alone(values: Values) -> dict:
    """Shuffles down: lane 0 has the pair of all, and the others merge with themselves where nobody is further up."""
    top, total = pairs_of_lanes(values)
    lane = np.arange(WARP)
    for d in (16, 8, 4, 2, 1):
        other = np.where(lane + d < WARP, lane + d, lane)
        higher = np.maximum(top, top[:, other])
        base = np.where(np.isfinite(higher), higher, 0)
        total = total * np.exp(top - base) + total[:, other] * np.exp(top[:, other] - base)
        top = higher
    mine = np.arange(values["src"].shape[1]) % WARP
    with np.errstate(invalid="ignore", divide="ignore"):
        return {"dst": np.exp(values["src"] - top[:, mine]) / total[:, mine]}


def empty_lanes(values: Values) -> dict:
    """Two lanes that saw nothing merge to NaN, exp(-inf + inf), which five shuffles carry to all."""
    top, total = pairs_of_lanes(values)
    dst = np.asarray(softmax(values)["dst"]).copy()
    seen = np.isfinite(top)
    nothing = ~seen & ~seen[:, np.arange(WARP) ^ 16]
    dst[nothing.any(axis=1)] = np.nan
    return {"dst": dst}


def empty_from_the_start(values: Values) -> dict:
    """A lane whose first element is minus infinity has NaN from there on, too."""
    dst = np.asarray(empty_lanes(values)["dst"]).copy()
    dst[np.isneginf(values["src"][:, :WARP]).any(axis=1)] = np.nan
    return {"dst": dst}


OVERFLOWS = (
    Slip(
        "no_maximum",
        "exp overflows: e to the power of 89 is more than a float32 holds, so subtract the row's maximum first",
        without_maximum,
    ),
    Slip(
        "maximum_from_zero",
        "rows of numbers far below 0 come out as NaN: the search for the maximum begins at 0, so every exp of such a "
        "row is 0 and so is their sum",
        maximum_from_zero,
    ),
)
SHARED = (
    *OVERFLOWS,
    Slip(
        "not_divided", "each result is exp of the difference alone: it was never divided by the row's sum", not_divided
    ),
    Slip("whole_matrix", "the sum goes over the whole matrix: each row has a sum of its own", of_all_rows),
    Slip("swapped_axes", "columns add up to 1, not rows: the two axes are exchanged", of_columns),
)
SAFE = (
    *SHARED,
    Slip(
        "mean_subtracted",
        "the mean of the row was subtracted: an element far above it overflows all the same, so subtract the maximum",
        mean_subtracted,
    ),
    Slip(
        "warps_not_combined",
        "each warp divides by its own sum: the sums of the block's four warps were never added",
        totals_of(WARP, "warp"),
    ),
    Slip("threads_not_combined", "each thread divides by the sum of its own elements", totals_of(THREADS, "lane")),
    Slip(
        "missing_tail", "only the first 128 elements of a row were looked at: one for each thread", first_only(THREADS)
    ),
)
ONLINE = (
    *SHARED,
    Slip(
        "not_rescaled",
        "the sum keeps what was added relative to an older maximum: when the maximum grows, multiply the sum so far "
        "by exp(old maximum - new maximum)",
        rescaled_by(0),
    ),
    Slip(
        "not_rescaled",
        "a merge never rescales the sum that it begins with: that sum is relative to its own maximum, so multiply it "
        "by exp(that maximum - the higher one)",
        never_rescaled,
    ),
    Slip(
        "rescaled_wrong_way",
        "the sum so far is rescaled the wrong way round: it grows with the maximum, where it should shrink by "
        "exp(old maximum - new maximum)",
        rescaled_by(1),
    ),
    Slip(
        "lanes_added",
        "the sums of lanes are added as they are: each is relative to its own lane's maximum, so rescale it to the "
        "common one first",
        lanes_added,
    ),
    Slip(
        "lanes_not_merged",
        "each lane has the maximum and the sum of its own elements: their pairs were never merged",
        lanes_not_merged,
    ),
    Slip(
        "lane_0_alone",
        "only lane 0 divides by the sum of all lanes: shfl_down leaves the result in lane 0, shfl_xor in all of them",
        lane_0_alone,
    ),
    Slip(
        "empty_lanes",
        "two lanes that saw no finite element merge to NaN: -inf - (-inf) has no value",
        empty_lanes,
    ),
    Slip(
        "empty_lanes",
        "a lane that saw no finite element gives NaN: -inf - (-inf) has no value",
        empty_from_the_start,
    ),
    Slip("missing_tail", "only the first 32 elements of a row were looked at: one for each lane", first_only(WARP)),
)
