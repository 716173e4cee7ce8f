"""Wrong outputs of unit 17 that betray their cause, where real numbers become steps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u17_engine_int8.values import HIGH, LOW, saturated, scales_of, steps_of

# quantise


def rounded_by(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another way to round. rule: float32 steps -> whole ones."""
    return lambda values: {"steps": saturated(rule(steps_of(values["real"], values["scale"])))}


def floor_divided(values: Values) -> dict:
    """`real // scale`, which rounds the quotient down without rounding it first."""
    with np.errstate(over="ignore", invalid="ignore"):
        return {"steps": saturated(np.floor_divide(values["real"], np.float32(values["scale"])))}


def by_reciprocal(values: Values) -> dict:
    """A product with 1 / scale."""
    with np.errstate(over="ignore"):
        return {"steps": saturated(values["real"] * (np.float32(1) / np.float32(values["scale"])))}


def wrapped(values: Values) -> dict:
    """The low 8 bits of the whole number were stored."""
    return {"steps": low_bits(steps_of(values["real"], values["scale"]))}


def low_bits(steps: np.ndarray) -> np.ndarray:
    """int8 as a conversion leaves it."""
    whole = np.nan_to_num(np.rint(steps), posinf=0, neginf=0)
    return np.clip(whole, -(2.0**62), 2.0**62).astype(np.int64).astype(np.int8)


def without_lowest(values: Values) -> dict:
    """Cut to -127."""
    return {"steps": np.maximum(saturated(steps_of(values["real"], values["scale"])), np.int8(-127))}


def cut_before(values: Values) -> dict:
    """The real numbers were cut in place of the steps."""
    return {"steps": low_bits(steps_of(np.clip(values["real"], LOW, HIGH), values["scale"]))}


def nan_as(step: int) -> Callable[[Values], dict]:
    """What NaN becomes where nobody asks for it."""

    def produces(values: Values) -> dict:
        steps = saturated(steps_of(values["real"], values["scale"]))
        steps[np.isnan(values["real"])] = step
        return {"steps": steps}

    return produces


def cut_on_one_side(low: float, high: float) -> Callable[[Values], dict]:
    """Cut to other ends, and the low 8 bits of what is left."""
    return lambda v: {"steps": low_bits(np.clip(np.rint(steps_of(v["real"], v["scale"])), low, high))}


def converted(values: Values) -> dict:
    """What int8() makes of a float: cut off, and the low 8 bits."""
    return {"steps": low_bits(np.trunc(steps_of(values["real"], values["scale"])))}


NAN_KEPT = "NaN became a step like any other: ask for it, and store 0"
QUANTISE = (
    Slip(
        "half_away",
        "ties go away from zero: 2.5 became 3, where half to even gives 2",
        rounded_by(lambda steps: np.trunc(steps + np.copysign(np.float32(0.5), steps))),
    ),
    Slip(
        "half_up",
        "ties go up: 2.5 became 3, where half to even gives 2",
        rounded_by(lambda steps: np.floor(steps + np.float32(0.5))),
    ),
    Slip(
        "half_added_and_cut",
        "steps below 0 come out too near to 0: int() cuts off towards 0, so after adding 0.5, -2.75 becomes -2",
        rounded_by(lambda steps: np.trunc(steps + np.float32(0.5))),
    ),
    Slip("truncated", "steps are cut off and not rounded: 2.75 became 2 and -2.75 became -2", rounded_by(np.trunc)),
    Slip(
        "truncated",
        "a float that is stored in an int8 loses its fraction and all but its low 8 bits: round it, and cut it before",
        converted,
    ),
    Slip(
        "wraps_round",
        "numbers below -128 change their sign: int8() keeps the low 8 bits. Cut at the lower end, too",
        cut_on_one_side(-np.inf, HIGH),
    ),
    Slip(
        "wraps_round",
        "numbers above 127 change their sign: int8() keeps the low 8 bits. Cut at the upper end, too",
        cut_on_one_side(LOW, np.inf),
    ),
    Slip(
        "bytes_without_sign",
        "steps are cut to 0 to 255, which a byte without a sign holds: int8 has one, and goes from -128 to 127",
        cut_on_one_side(0, 255),
    ),
    Slip("floored", "steps are rounded down: 2.75 became 2, and -2.25 became -3", rounded_by(np.floor)),
    Slip("floored", "steps are rounded down, as // does it: 2.75 became 2, and -2.25 became -3", floor_divided),
    Slip(
        "wraps_round",
        "large numbers change their sign: int8() keeps the low 8 bits, so 128 becomes -128. Cut before you convert",
        wrapped,
    ),
    Slip("lowest_missing", "the smallest step is -127: here int8's whole range is used, down to -128", without_lowest),
    Slip(
        "multiplied",
        "real is multiplied by the scale: a step stands for scale, so there are real / scale steps",
        lambda v: {"steps": saturated((v["real"] * np.float32(v["scale"])).astype(np.float32))},
    ),
    Slip(
        "reciprocal",
        "some steps are one off where real / scale lies next to a tie: 1 / scale is rounded, so a product with it is "
        "not the quotient",
        by_reciprocal,
    ),
    Slip("cut_too_early", "real is cut to -128 to 127 before it is divided: cut the steps", cut_before),
    Slip("nan_kept", NAN_KEPT, nan_as(-128)),
    Slip("nan_kept", NAN_KEPT, nan_as(127)),
    Slip("nan_kept", NAN_KEPT, nan_as(-1)),
)

# channel_scales


def by_largest(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another largest magnitude. rule: weights -> one number per row."""
    return lambda values: {"scales": scales_of(rule(values["weights"]))}


def largest_of(weights: np.ndarray) -> np.ndarray:
    return np.abs(weights).max(axis=1)


def over(levels: float) -> Callable[[Values], dict]:
    """Another number of steps for the largest magnitude."""

    def produces(values: Values) -> dict:
        largest = largest_of(values["weights"])
        return {"scales": np.where(largest > 0, largest / np.float32(levels), np.float32(1)).astype(np.float32)}

    return produces


def by_factor(values: Values, factor: np.float32) -> dict:
    """The largest magnitude times a factor."""
    largest = largest_of(values["weights"])
    return {"scales": np.where(largest > 0, largest * factor, np.float32(1)).astype(np.float32)}


def plain(values: Values) -> dict:
    """0 where a row is all zeros."""
    return {"scales": (largest_of(values["weights"]) / np.float32(127)).astype(np.float32)}


def upside_down(values: Values) -> dict:
    """Steps per unit."""
    largest = largest_of(values["weights"])
    with np.errstate(divide="ignore"):
        return {"scales": np.where(largest > 0, np.float32(127) / largest, np.float32(1)).astype(np.float32)}


SCALES = (
    Slip(
        "sign_left_out",
        "rows whose largest magnitude is negative have too small a scale: take the magnitude, not the number",
        by_largest(lambda w: w.max(axis=1)),
    ),
    Slip(
        "one_scale_for_all",
        "every row has the scale of the whole array: each output channel has one of its own",
        by_largest(lambda w: np.full(len(w), np.abs(w).max())),
    ),
    Slip("dead_channel", "a row of zeros has scale 0, by which nobody can divide: it should be 1", plain),
    Slip("levels", "the largest magnitude is divided by 128: int8 ends at 127 on its upper side", over(128)),
    Slip("levels", "the largest magnitude is divided by 255: the steps go to 127 on either side of 0", over(255)),
    Slip(
        "reciprocal",
        "some scales are off in their last digit: 1 / 127 is rounded, so a product with it is not the quotient",
        lambda v: by_factor(v, np.float32(1 / 127)),
    ),
    Slip(
        "not_divided",
        "the largest magnitude itself is stored: a step is one 127th of it",
        lambda v: {"scales": np.where(largest_of(v["weights"]) > 0, largest_of(v["weights"]), np.float32(1))},
    ),
    Slip("upside_down", "the scale is upside down: it is the largest magnitude over 127", upside_down),
    Slip(
        "first_turn_only",
        "only the first 128 weights of a row were looked at: each thread goes on in steps of 128",
        by_largest(lambda w: np.abs(w[:, :128]).max(axis=1)),
    ),
    Slip(
        "own_warp_only",
        "only what the block's first warp saw was compared: the other warps' largest ones are missing",
        by_largest(lambda w: np.abs(w[:, np.arange(w.shape[1]) % 128 < 32]).max(axis=1)),
    ),
    Slip(
        "swapped_axes",
        "the largest magnitude of column k was taken: scale k belongs to row k",
        by_largest(lambda w: np.resize(np.abs(w).max(axis=0), len(w))),
    ),
    Slip(
        "first_row_only",
        "every row has the scale of the first: the block's number is its row",
        by_largest(lambda w: np.repeat(np.abs(w[:1]).max(axis=1), len(w))),
    ),
    Slip(
        "summed",
        "magnitudes are added up: the scale follows the largest alone",
        by_largest(lambda w: np.abs(w).sum(axis=1)),
    ),
)
