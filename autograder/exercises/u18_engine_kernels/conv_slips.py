"""Wrong outputs of unit 18 that betray their cause, where lines are convolved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u17_engine_int8.slips import low_bits
from autograder.exercises.u17_engine_int8.values import saturated
from autograder.exercises.u18_engine_kernels import conv_values as data
from autograder.exercises.u18_engine_kernels.conv_values import CHANNELS, DEEP, TAPS, at_tap, cut, scaled, sums_of

Sums = Callable[[Values], np.ndarray]


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
    """Every turn multiplies the first block of channels."""
    return first_block_alone(values) * len(values["src"])


def one_behind(values: Values) -> np.ndarray:
    """Every turn copies the block of channels that it multiplies: the first is multiplied twice, the last never."""
    return first_block_alone(values) + sums_of(values, blocks=slice(None, -1))


def half_deep(values: Values) -> np.ndarray:
    """16 of 32 channels."""
    return sums_of(values, deep=DEEP // 2)


def first_tap_each_time(values: Values) -> np.ndarray:
    """Every tap has the weights of the first."""
    weights = np.repeat(values["weights"][:, :1], TAPS, axis=1)
    return sums_of({**values, "weights": weights})


def in_order(channels: np.ndarray, back: bool = False) -> np.ndarray:
    """Where channels of 64 stand when their weights were copied into the order of rung 4, or out of it."""
    n = np.arange(CHANNELS)
    rows = 8 * (n % 16 // 2) + 2 * (n // 16) + n % 2
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
    ("tap_missing", "the last row of taps is missing: the filter has three of three", first_taps(6)),
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
        "the first block of channels was multiplied twice, the last never: each turn copies the block after its own",
        one_behind,
    ),
    (
        "stage_not_changed",
        "the first block of channels was multiplied every time: the stages take turns",
        first_each_time,
    ),
    ("half_of_the_channels", "only 16 of the 32 channels of a cell were multiplied", half_deep),
)
SUMS = tuple(Slip(name, says, of_sums(rule)) for name, says, rule in SHARED)

# conv_layer, conv_warpgroup


def finished(values: Values, x: np.ndarray) -> dict:
    """Activation, rounding, cut."""
    return data.as_line(values, saturated(cut(values, x)))


def behind(rule: Sums) -> Callable[[Values], dict]:
    """The right rest of the layer behind other sums."""
    return lambda values: finished(values, data.with_residual(values, scaled(values, rule(values))))


def in_other_places(back: bool) -> Callable[[Values], dict]:
    """Sums of other channels: the weights lie in another order than the epilogue takes them in."""

    def produces(values: Values) -> dict:
        n_channels = values["multiplier"].size
        sums = columns(sums_of(values), in_order(np.arange(n_channels), back))
        return finished(values, data.with_residual(values, scaled(values, sums)))

    return produces


def changed(**new: Callable[[Values], np.ndarray | np.floating]) -> Callable[[Values], dict]:
    """The right layer of other arguments."""

    def produces(values: Values) -> dict:
        other = values | {name: rule(values) for name, rule in new.items()}
        return finished(other, data.with_residual(other, scaled(other)))

    return produces


def rounded_before(values: Values) -> dict:
    """The sums became int8 before the residual was added."""
    return finished(values, data.with_residual(values, saturated(scaled(values)).astype(np.float64)))


def activation_first(values: Values) -> dict:
    """The residual is added behind the activation."""
    x = data.with_residual(values, cut(values, scaled(values)).astype(np.float64))
    return data.as_line(values, saturated(x.astype(np.float32)))


def residual_in_sums(values: Values) -> dict:
    """The residual is added to the sum, and multiplied with it."""
    residual = data.channels_of(values["residual"]) * np.float64(values["residual_multiplier"])
    return finished(values, scaled(values) + residual * values["multiplier"])


def wrapped(values: Values) -> dict:
    """Not cut to int8."""
    x = data.with_residual(values, scaled(values))
    return data.as_line(values, low_bits(cut(values, x)))


def by_rounding(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another way to round."""

    def produces(values: Values) -> dict:
        return data.as_line(values, saturated(rule(cut(values, data.with_residual(values, scaled(values))))))

    return produces


def unsigned(values: Values) -> dict:
    """Steps of the residual below 0 count 256 more."""
    residual = data.channels_of(values["residual"]).astype(np.int64) & 255
    return finished(values, scaled(values) + residual * np.float64(values["residual_multiplier"]))


def first_of_four(values: Values) -> dict:
    """Four channels get the first one's step of the residual."""
    residual = np.repeat(data.channels_of(values["residual"])[:, ::4], 4, axis=1)
    return finished(values, scaled(values) + residual * np.float64(values["residual_multiplier"]))


def bytes_turned(values: Values) -> dict:
    """The first channel of a word lies in its highest byte."""
    line = data.of_layer(values)["dst"]
    return {"dst": line.reshape(*line.shape[:2], -1, 4)[..., ::-1].reshape(line.shape)}


def first_step_four_times(values: Values) -> dict:
    """Four channels get the first one's result."""
    return {"dst": np.repeat(data.of_layer(values)["dst"][:, :, ::4], 4, axis=2)}


LAYER = (
    Slip(
        "rounded_twice",
        "the sums became int8 before the residual was added: round and cut once, at the very end",
        rounded_before,
    ),
    Slip(
        "activation_too_early",
        "the residual is added behind the activation: low and high cut the sum of both",
        activation_first,
    ),
    Slip(
        "residual_unscaled",
        "the residual's steps are added as they are: they are worth residual_multiplier steps of the output",
        changed(residual_multiplier=lambda v: np.float32(v["residual_multiplier"] != 0)),
    ),
    Slip(
        "residual_multiplied_twice",
        "the residual is added to the sum and multiplied with it: it is in steps of the output, once multiplied by its "
        "own multiplier",
        residual_in_sums,
    ),
    Slip(
        "always_a_relu",
        "results are always cut at 0: low and high say what the activation is, and it may be none",
        changed(low=lambda v: np.float32(0), high=lambda v: np.float32(np.inf)),
    ),
    Slip("activation_left_out", "high is never asked for", changed(high=lambda v: np.float32(np.inf))),
    Slip("activation_left_out", "low is never asked for", changed(low=lambda v: np.float32(-np.inf))),
    Slip(
        "activation_left_out",
        "the activation is missing: low and high cut the result",
        changed(low=lambda v: np.float32(-np.inf), high=lambda v: np.float32(np.inf)),
    ),
    Slip("residual_left_out", "the residual is missing", changed(residual_multiplier=lambda v: np.float32(0))),
    Slip("addend_left_out", "the addend is missing", changed(addend=lambda v: np.zeros_like(v["addend"]))),
    Slip(
        "one_channel_for_four",
        "four neighbouring channels have the constants of the first: m and a hold four of each",
        changed(
            multiplier=lambda v: np.repeat(v["multiplier"][::4], 4),
            addend=lambda v: np.repeat(v["addend"][::4], 4),
        ),
    ),
    Slip("without_sign", "steps of the residual below 0 count 256 more: int8() gives a byte its sign", unsigned),
    Slip(
        "first_of_four",
        "four channels get the residual of the first: shift the word by 8 bits for the next",
        first_of_four,
    ),
    Slip("first_of_four", "four channels get the result of the first", first_step_four_times),
    Slip(
        "bytes_turned",
        "the four steps of each word lie in opposite order: the first channel belongs in its lowest byte",
        bytes_turned,
    ),
    Slip(
        "wraps_round",
        "large results change their sign: a byte keeps the low 8 bits, so 128 becomes -128. Cut before you round",
        wrapped,
    ),
    Slip(
        "half_away",
        "ties go away from zero: 2.5 became 3, and half to even makes 2 of it",
        by_rounding(lambda x: np.trunc(x + np.copysign(np.float32(0.5), x))),
    ),
    Slip(
        "half_up",
        "ties go up: 2.5 became 3, and half to even makes 2 of it",
        by_rounding(lambda x: np.floor(x + np.float32(0.5))),
    ),
    Slip("truncated", "results are cut off and not rounded: 2.75 became 2 and -2.75 became -2", by_rounding(np.trunc)),
    Slip(
        "no_order",
        "channels have each other's sums: copy the weights of channel row_w to row order(row_w)",
        in_other_places(back=False),
    ),
    Slip("no_order", "channels have each other's sums: weights go into the order once", in_other_places(back=True)),
    *(Slip(name, says, behind(rule)) for name, says, rule in SHARED),
)
