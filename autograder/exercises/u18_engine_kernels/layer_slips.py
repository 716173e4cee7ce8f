"""Wrong layers of unit 18 that betray their cause: another end behind right sums, or the right end behind others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u17_engine_int8.slips import low_bits
from autograder.exercises.u17_engine_int8.values import saturated
from autograder.exercises.u18_engine_kernels import conv_values as data
from autograder.exercises.u18_engine_kernels.conv_values import cut, scaled, sums_of
from autograder.exercises.u18_engine_kernels.sum_slips import SHARED, Order, Sums, by_lane, columns, in_order, in_pairs


def finished(values: Values, x: np.ndarray) -> dict:
    """Activation, rounding, cut."""
    return data.as_line(values, saturated(cut(values, x)))


def behind(rule: Sums) -> Callable[[Values], dict]:
    """The right rest of the layer behind other sums."""
    return lambda values: finished(values, data.with_residual(values, scaled(values, rule(values))))


def in_other_places(order: Order, back: bool) -> Callable[[Values], dict]:
    """Sums of other channels: the weights lie in another order than the epilogue takes them in."""

    def produces(values: Values) -> dict:
        n_channels = values["multiplier"].size
        sums = columns(sums_of(values), in_order(np.arange(n_channels), order, back))
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
    """The residual is added after the activation."""
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


ENDS = (
    Slip(
        "rounded_twice",
        "the sums became int8 before the residual was added: round and cut once, at the very end",
        rounded_before,
    ),
    Slip(
        "activation_too_early",
        "the residual is added after the activation: low and high cut the sum of both",
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
        "ties go away from zero: 2.5 became 3, where half to even gives 2",
        by_rounding(lambda x: np.trunc(x + np.copysign(np.float32(0.5), x))),
    ),
    Slip(
        "half_up",
        "ties go up: 2.5 became 3, where half to even gives 2",
        by_rounding(lambda x: np.floor(x + np.float32(0.5))),
    ),
    Slip("truncated", "results are cut off and not rounded: 2.75 became 2 and -2.75 became -2", by_rounding(np.trunc)),
    *(Slip(name, says, behind(rule)) for name, says, rule in SHARED),
)


def with_order(order: Order, name: str) -> tuple[Slip, ...]:
    """All slips of a layer whose weights are copied into an order, which learners know by a name."""
    says = f"channels have each other's sums: copy the weights of channel row_w to row {name}(row_w)"
    once = "channels have each other's sums: weights go into the order once"
    return (
        *ENDS,
        Slip("no_order", says, in_other_places(order, back=False)),
        Slip("no_order", once, in_other_places(order, back=True)),
    )


LAYER, LAYER_IN_PAIRS = with_order(by_lane, "order"), with_order(in_pairs, "in_pairs")
