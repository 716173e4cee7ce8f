"""Wrong outputs of unit 20's rounded_layer that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u20_compression.rounded_values import factor, factors, product


def by(rounding: Callable = np.rint, low: int = -128, high: int = 127) -> Callable[[Values], dict]:
    """Both factors rounded in another way."""

    def out(values: Values) -> dict:
        x = factor(values["x"], values["x_step"], rounding, low, high)
        return {"out": product(x, factor(values["weights"], values["steps"][:, None], rounding, low, high))}

    return out


def half_away(v: np.ndarray) -> np.ndarray:
    return np.trunc(v + np.copysign(np.float32(0.5), v))


def steps_of(v: np.ndarray, step: np.ndarray) -> np.ndarray:
    """How many steps a number is, in place of what they stand for; the number itself where step is 0."""
    step = np.asarray(step, np.float32)
    return factor(v, step) / np.where(step == 0, np.float32(1), step)


def of_steps(values: Values) -> dict:
    """Products of whole steps."""
    x = steps_of(values["x"], values["x_step"])
    return {"out": product(x, steps_of(values["weights"], values["steps"][:, None]))}


def zero_as_one(values: Values) -> dict:
    """A step of 0 was taken for 1: whole numbers are left."""
    x_step, steps = (np.where(each == 0, np.float32(1), each) for each in (values["x_step"], values["steps"]))
    return {"out": product(factor(values["x"], x_step), factor(values["weights"], steps[:, None]))}


def zero_as_nothing(values: Values) -> dict:
    """Where a step is 0, its factor became 0: whatever was divided by it was cut to an end, and times 0."""
    x, weights = factors(values)
    steps = values["steps"][:, None]
    return {"out": product(x * (values["x_step"] != 0), weights * (steps != 0))}


def sum_rounded(values: Values) -> dict:
    """The sum is rounded, to whole products of steps, and not the factors."""
    scale = np.float64(values["x_step"]) * values["steps"].astype(np.float64)
    sums = product(values["x"], values["weights"])
    return {"out": np.where(scale == 0, sums, np.rint(sums / np.where(scale == 0, 1, scale)) * scale)}


ROUNDED = (
    Slip(
        "x_not_rounded",
        "x is not rounded: INT8 multiplies whole steps of both factors",
        lambda v: {"out": product(v["x"], factors(v)[1])},
    ),
    Slip(
        "weights_not_rounded",
        "the weights are not rounded: INT8 multiplies whole steps of both factors",
        lambda v: {"out": product(factors(v)[0], v["weights"])},
    ),
    Slip(
        "nothing_rounded",
        "nothing is rounded: this is the layer in float32",
        lambda v: {"out": product(v["x"], v["weights"])},
    ),
    Slip(
        "one_step_for_all",
        "every row of weights has the step of row 0: each has its own",
        lambda v: {"out": product(factors(v)[0], factor(v["weights"], v["steps"][0]))},
    ),
    Slip("steps_counted", "these are products of whole steps: times step they are numbers again", of_steps),
    Slip("not_cut", "steps go on past the ends: int8 has -128 to 127", by(low=-(10**9), high=10**9)),
    Slip("cut_at_127", "steps are cut at -127: int8 goes down to -128", by(low=-127)),
    Slip("half_away", "ties go away from zero: half of them go to the even neighbour below", by(half_away)),
    Slip("truncated", "fractions are cut off: a step is the nearest one", by(np.trunc)),
    Slip("floored", "steps are rounded down: a step is the nearest one", by(np.floor)),
    Slip("zero_is_one", "a step of 0 was taken for 1: it leaves its numbers as they are", zero_as_one),
    Slip(
        "zero_is_nothing",
        "numbers whose step is 0 are missing: nothing is divided by it, and they stay as they are",
        zero_as_nothing,
    ),
    Slip("sum_rounded", "the sum is rounded in place of its factors", sum_rounded),
)
