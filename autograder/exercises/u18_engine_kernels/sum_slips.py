"""Wrong sums of unit 18 that betray their cause, where lines are convolved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u18_engine_kernels.conv_values import CHANNELS, TAPS, at_tap, sums_of
from autograder.exercises.u18_engine_kernels.splitting_values import shares_of

Sums = Callable[[Values], np.ndarray]
Order = Callable[[np.ndarray], np.ndarray]


def turned(src: np.ndarray, tap: int, pitch: int) -> np.ndarray:
    """Taps meet the cells of the opposite tap: the filter is turned round."""
    return at_tap(src, TAPS - 1 - tap, pitch)


def across(src: np.ndarray, tap: int, pitch: int) -> np.ndarray:
    """Rows and columns of taps are exchanged."""
    return at_tap(src, tap % 3 * 3 + tap // 3, pitch)


def in_one_row(src: np.ndarray, tap: int, pitch: int) -> np.ndarray:
    """Nine neighbours in a row, from the first of the run on."""
    by = tap - pitch - 1
    seen, n_cells = np.zeros_like(src), src.shape[1]
    first, last = max(0, -by), min(n_cells, n_cells - by)
    if first < last:
        seen[:, first:last] = src[:, first + by : last + by]
    return seen


def without_pitch(src: np.ndarray, tap: int, pitch: int) -> np.ndarray:
    """The run begins at the block's own first cell: taps lie a pitch and a cell too far on."""
    by = tap // 3 * pitch + tap % 3
    seen, n_cells = np.zeros_like(src), src.shape[1]
    if by < n_cells:
        seen[:, : n_cells - by] = src[:, by:]
    return seen


def first_taps(count: int) -> Sums:
    """Only so many taps were added."""
    return lambda values: sums_of(values, range(count))


def last_block_missing(values: Values) -> np.ndarray:
    """The loop over blocks of channels ends one short."""
    return sums_of(values, blocks=slice(None, -1))


def last_block_alone(values: Values) -> np.ndarray:
    """Sums begin anew with each block of channels."""
    return sums_of(values, blocks=slice(-1, None))


def first_block_alone(values: Values) -> np.ndarray:
    return sums_of(values, blocks=slice(None, 1))


def first_each_time(values: Values) -> np.ndarray:
    """Every iteration multiplies the first block of channels."""
    return first_block_alone(values) * len(values["src"])


def one_behind(values: Values) -> np.ndarray:
    """Every iteration copies the channels that it multiplies: the first block is multiplied twice, the last never."""
    return first_block_alone(values) + sums_of(values, blocks=slice(None, -1))


def first_tap_each_time(values: Values) -> np.ndarray:
    """Every tap has the weights of the first."""
    weights = np.repeat(values["weights"][:, :1], TAPS, axis=1)
    return sums_of({**values, "weights": weights})


def by_lane(n: np.ndarray) -> np.ndarray:
    """The row of 64 where rung 4 copies the weights of channel n."""
    return 8 * (n % 16 // 2) + 2 * (n // 16) + n % 2


def in_pairs(n: np.ndarray) -> np.ndarray:
    """The row of 64 where rung 5 does."""
    return n // 16 * 16 + n % 16 // 2 + n % 2 * 8


def in_order(channels: np.ndarray, order: Order, back: bool = False) -> np.ndarray:
    """Where channels of 64 stand when their weights were copied into an order, or out of it."""
    rows = order(np.arange(CHANNELS))
    if back:
        rows = np.argsort(rows)
    whole = channels // CHANNELS * CHANNELS
    return whole + rows[channels % CHANNELS]


def columns(sums: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Column o of the result is column places[o]; 0 where there is none."""
    wide = np.zeros((len(sums), CHANNELS * -(-sums.shape[1] // CHANNELS)), sums.dtype)
    wide[:, : sums.shape[1]] = sums
    return wide[:, places]


def of_sums(rule: Sums) -> Callable[[Values], dict]:
    return lambda values: {"sums": rule(values).astype(np.int32)}


CENTRE = "the taps lie a row and a column too far on: the run begins at cell0 - pitch - 1"
SHARED = (  # (misconception, what it says, sums)
    ("tap_missing", "the last row of taps is missing: the filter has three rows of three", first_taps(6)),
    ("tap_missing", "the last tap of nine is missing: tap goes from 0 to 8", first_taps(8)),
    ("first_tap_only", "only the first tap was multiplied", first_taps(1)),
    ("first_tap_only", "only the first row of taps was multiplied", first_taps(3)),
    (
        "filter_turned",
        "every tap meets the cells of the opposite one: tap (a, b) begins a * pitch + b rows into the run",
        lambda v: sums_of(v, see=turned),
    ),
    (
        "taps_exchanged",
        "rows and columns of taps are exchanged: tap // 3 goes down a pitch, tap % 3 along",
        lambda v: sums_of(v, see=across),
    ),
    (
        "no_pitch",
        "nine neighbours in a row were taken: every third tap begins a pitch further on",
        lambda v: sums_of(v, see=in_one_row),
    ),
    ("run_shifted", CENTRE, lambda v: sums_of(v, see=without_pitch)),
    (
        "same_weights",
        "every tap has the weights of tap 0: those of the next tap lie 64 rows further on",
        first_tap_each_time,
    ),
    ("last_block_missing", "the last block of channels is missing: the loop ends one short", last_block_missing),
    ("sums_begin_anew", "sums hold the last block of channels alone: add to them", last_block_alone),
    ("first_block_only", "only the first block of channels was multiplied", first_block_alone),
    (
        "first_block_twice",
        "the first block of channels was multiplied twice, the last never: each iteration copies the one after its own",
        one_behind,
    ),
    (
        "stage_not_changed",
        "the first block of channels was multiplied every time: the stages take turns",
        first_each_time,
    ),
)
SUMS = tuple(Slip(name, says, of_sums(rule)) for name, says, rule in SHARED)


def remainder_missing(values: Values) -> np.ndarray:
    """Every share has n // shares blocks of channels, and what is left over nobody has."""
    shares = shares_of(values)
    return sums_of(values, blocks=slice(None, len(values["src"]) // shares * shares))


def shares_overlap(values: Values) -> np.ndarray:
    """Every share has n // shares blocks of channels, rounded up, and begins at n // shares of them."""
    n, shares, total = len(values["src"]), shares_of(values), np.zeros_like(values["sums"], np.int64)
    for share in range(shares):
        total += sums_of(values, blocks=slice(share * n // shares, (share + 1) * n // shares + 1))
    return total


def first_share_alone(values: Values) -> np.ndarray:
    return sums_of(values, blocks=slice(None, len(values["src"]) // shares_of(values)))


def last_share_alone(values: Values) -> np.ndarray:
    shares = shares_of(values)
    return sums_of(values, blocks=slice((shares - 1) * len(values["src"]) // shares, None))


OF_SHARES = (
    (
        "whole_sum_each",
        "every block has added all blocks of channels: the sums are gridDim.z times as large",
        lambda v: shares_of(v) * sums_of(v),
    ),
    (
        "remainder_missing",
        "blocks of channels are left over that no share has: end at (z + 1) * n // shares",
        remainder_missing,
    ),
    ("shares_overlap", "shares overlap: each ends where the next begins, and does not have that one", shares_overlap),
    ("one_share_alone", "only the first share is there: blockIdx.z says which is whose", first_share_alone),
    ("one_share_alone", "only the last share is there: add to what the others have left", last_share_alone),
)
SPLIT = tuple(Slip(name, says, of_sums(rule)) for name, says, rule in (*OF_SHARES, *SHARED[:9]))
