"""Wrong outputs of unit 17 that betray their cause, where weights change."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u17_engine_int8.training_values import factor_of, faked, folded, inside
from autograder.exercises.u17_engine_int8.values import HIGH, LOW, saturated, steps_of

# fold_batch_norm


def with_factor(rule: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """Another factor per channel. rule: -> (n_out,) float64."""

    def produces(values: Values) -> dict:
        factor = rule(values)
        return {
            "folded": values["weights"] * factor[:, None],
            "new_bias": (values["bias"].astype(np.float64) - values["mean"]) * factor + values["beta"],
        }

    return produces


def with_bias(rule: Callable[[Values, np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """The right weights and another bias. rule: (values, factor) -> (n_out,)."""
    return lambda values: {**folded(values), "new_bias": rule(values, factor_of(values))}


def root(values: Values, eps: float) -> np.ndarray:
    return np.sqrt(values["variance"].astype(np.float64) + eps)


BATCH_NORM = (
    Slip(
        "no_root",
        "the factor has the variance itself: batch norm divides by its root",
        with_factor(lambda v: v["gamma"] / (v["variance"].astype(np.float64) + np.float64(v["eps"]))),
    ),
    Slip("eps_left_out", "eps is missing: it is added to the variance", with_factor(lambda v: v["gamma"] / root(v, 0))),
    Slip(
        "eps_outside",
        "eps is added to the root: it belongs to the variance, under the root",
        with_factor(lambda v: v["gamma"] / (root(v, 0) + np.float64(v["eps"]))),
    ),
    Slip("gamma_left_out", "gamma is missing", with_factor(lambda v: 1 / root(v, float(v["eps"])))),
    Slip(
        "bias_not_folded",
        "the layer's own bias is not multiplied: batch norm multiplies all that the layer gives",
        with_bias(lambda v, f: v["bias"] - v["mean"] * f + v["beta"]),
    ),
    Slip(
        "mean_left_out",
        "the mean is missing from the bias: it is subtracted before the product",
        with_bias(lambda v, f: v["bias"] * f + v["beta"]),
    ),
    Slip(
        "mean_not_scaled",
        "the mean is subtracted as it is: batch norm subtracts it before it multiplies",
        with_bias(lambda v, f: v["bias"] * f - v["mean"] + v["beta"]),
    ),
    Slip(
        "bias_left_out",
        "the layer's own bias is missing",
        with_bias(lambda v, f: v["beta"] - v["mean"] * f),
    ),
    Slip(
        "beta_scaled",
        "beta is multiplied, too: it is added at the very end",
        with_bias(lambda v, f: (v["bias"] - v["mean"] + v["beta"]) * f),
    ),
)

# fake_quantise


def with_gradient(rule: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """The right forward pass and another gradient."""
    return lambda values: {**faked(values), "gradient": np.asarray(rule(values), np.float32)}


def with_fake(rule: Callable[[Values, np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another forward pass and the right gradient. rule: (values, steps) -> fake."""
    return lambda v: {**faked(v), "fake": np.asarray(rule(v, steps_of(v["real"], v["scale"])), np.float32)}


def through(values: Values, where: np.ndarray) -> np.ndarray:
    return np.where(where, values["upstream"], np.float32(0))


def between(x: np.ndarray) -> np.ndarray:
    return (x >= LOW) & (x <= HIGH)


def ends_left_out(values: Values) -> np.ndarray:
    """Where the rounded step lies within int8 and at none of its ends."""
    whole = np.rint(steps_of(values["real"], values["scale"]))
    return (whole > LOW) & (whole < HIGH)


FAKE = (
    Slip(
        "through_the_cut",
        "the gradient passes where real was cut: there, moving real changes nothing, so it should be 0",
        with_gradient(lambda v: v["upstream"]),
    ),
    Slip(
        "no_gradient",
        "the gradient is 0 everywhere: rounding has no slope, so the estimator passes it straight through",
        with_gradient(lambda v: np.zeros_like(v["upstream"])),
    ),
    Slip(
        "cut_before_rounding",
        "the gradient is 0 for steps that round into int8: nothing was cut at 127.25, which rounds to 127",
        with_gradient(lambda v: through(v, between(steps_of(v["real"], v["scale"])))),
    ),
    Slip(
        "range_in_reals",
        "the gradient is 0 where real leaves -128 to 127: the range is one of steps",
        with_gradient(lambda v: through(v, between(v["real"]))),
    ),
    Slip(
        "ends_left_out",
        "the gradient is 0 at the ends: -128 and 127 are steps that int8 has, so nothing was cut there",
        with_gradient(lambda v: through(v, ends_left_out(v))),
    ),
    Slip(
        "mask_turned_round",
        "the gradient passes where real was cut, and is 0 elsewhere: it is the other way round",
        with_gradient(lambda v: through(v, ~inside(v))),
    ),
    Slip(
        "gradient_scaled",
        "the gradient is multiplied by the scale: dividing and multiplying cancel, so it passes as it is",
        with_gradient(lambda v: through(v, inside(v)) * np.float32(v["scale"])),
    ),
    Slip(
        "gradient_scaled",
        "the gradient is divided by the scale: dividing and multiplying cancel, so it passes as it is",
        with_gradient(lambda v: through(v, inside(v)) / np.float32(v["scale"])),
    ),
    Slip(
        "not_dequantised",
        "fake holds steps: times the scale they are what INT8 makes of real",
        with_fake(lambda v, steps: saturated(steps)),
    ),
    Slip(
        "never_cut",
        "where real lies beyond the ends, fake is real itself: INT8 stores the last step there",
        with_fake(lambda v, steps: np.where(inside(v), faked(v)["fake"], v["real"])),
    ),
    Slip(
        "never_cut",
        "fake goes on beyond the last step: int8 ends at -128 and 127",
        with_fake(lambda v, steps: np.rint(steps) * np.float32(v["scale"])),
    ),
    Slip(
        "truncated",
        "steps are cut off and not rounded: 2.75 became 2 and -2.75 became -2",
        with_fake(lambda v, steps: saturated(np.trunc(steps)) * np.float32(v["scale"])),
    ),
    Slip(
        "half_away",
        "ties go away from zero: 2.5 became 3, where half to even gives 2",
        with_fake(lambda v, steps: saturated(np.trunc(steps + np.copysign(np.float32(0.5), steps))) * v["scale"]),
    ),
)
