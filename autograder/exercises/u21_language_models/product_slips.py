"""Wrong outputs of unit 21's products with one vector: what each mistake computes, and what to say about it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u21_language_models.product_values import (
    GROUP,
    TOGETHER,
    by_group,
    centred,
    products,
    steps_of,
    weighed,
)
from autograder.exercises.u21_language_models.values import THREADS, WARP, WIDE


def some_columns(chosen: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Only some of the columns were added up. chosen: column numbers -> bool."""

    def produces(values: Values) -> dict:
        columns = chosen(np.arange(values["x"].size))
        return {"y": products(values["weights"][:, columns], values["x"][columns])}

    return produces


def first_vector(values: Values) -> dict:
    """Each row met the first eight numbers of x again and again."""
    n = values["x"].size
    return {"y": products(values["weights"], values["x"][np.arange(n) % WIDE])}


HALF = (
    Slip(
        "warps_not_combined",
        "the first warp stores its own sum: those of the other three were never added",
        some_columns(lambda c: c // WIDE % THREADS < WARP),
    ),
    Slip(
        "lanes_not_combined",
        "thread 0 stores its own sum: those of the other 127 were never added",
        some_columns(lambda c: c // WIDE % THREADS == 0),
    ),
    Slip(
        "missing_tail",
        "only the first 1,024 weights of a row were looked at: 8 for each thread",
        some_columns(lambda c: c < THREADS * WIDE),
    ),
    Slip(
        "one_of_eight",
        "one weight in eight was looked at: a load of 16 bytes brings eight",
        some_columns(lambda c: c % WIDE == 0),
    ),
    Slip(
        "lower_halves_only",
        "every second weight is missing: a word has two float16, and only its lower half was used",
        some_columns(lambda c: c % 2 == 0),
    ),
    Slip("same_x", "every piece of a row was multiplied by the first eight numbers of x", first_vector),
)


def swapped_nibbles(steps: np.ndarray) -> np.ndarray:
    """The upper half of each byte first."""
    return steps.reshape(len(steps), -1, 2)[..., ::-1].reshape(steps.shape)


def signed(values: Values) -> np.ndarray:
    """Steps read as numbers in two's complement: 8 to 15 are -8 to -1."""
    steps = steps_of(values["packed"]).astype(np.int16)
    return np.where(steps > 7, steps - 16, steps)


def scaled_by(of_scales: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """The right sums of groups, with other scales."""

    def produces(values: Values) -> dict:
        return {"y": (by_group(values, centred(values)) * of_scales(values["scales"].astype(np.float64))).sum(axis=1)}

    return produces


def first_groups(values: Values) -> dict:
    """One group per lane."""
    return {"y": (by_group(values, centred(values)) * values["scales"])[:, :WARP].sum(axis=1)}


def first_of_two(values: Values) -> dict:
    """Both rows of a warp have the weights of the first."""
    y = np.asarray(weighed(values, centred(values))["y"])
    return {"y": np.repeat(y[::TOGETHER], TOGETHER)}


def first_lane(values: Values) -> dict:
    """Lane 0 stores what it added up itself."""
    return {"y": (by_group(values, centred(values)) * values["scales"])[:, ::WARP].sum(axis=1)}


def x_of_eight(values: Values) -> dict:
    """All four words of a group met the first eight numbers of its x."""
    n = values["x"].size
    again = values["x"][np.arange(n) // GROUP * GROUP + np.arange(n) % WIDE]
    return {"y": (by_group(values, centred(values), again) * values["scales"]).sum(axis=1)}


FOUR = (
    Slip(
        "middle_forgotten",
        "steps from 0 to 15 were taken as they are: 8 stands for 0, so take it off first",
        lambda v: weighed(v, steps_of(v["packed"])),
    ),
    Slip(
        "signed_steps",
        "steps from 8 to 15 were taken for -8 to -1: a weight is its step minus 8, not a number in two's complement",
        lambda v: weighed(v, signed(v)),
    ),
    Slip(
        "halves_swapped",
        "the two steps of each byte are exchanged: the first is in its lower half",
        lambda v: weighed(v, swapped_nibbles(centred(v))),
    ),
    Slip("no_scale", "the scales are missing", scaled_by(np.ones_like)),
    Slip(
        "first_scale_only",
        "every group of a row has the scale of its first",
        scaled_by(lambda s: np.broadcast_to(s[:, :1], s.shape)),
    ),
    Slip(
        "scales_of_first_row",
        "each row has the scales of the first of its two",
        scaled_by(lambda s: np.repeat(s[::TOGETHER], TOGETHER, axis=0)),
    ),
    Slip("missing_tail", "only the first 32 groups of a row were looked at: one for each lane", first_groups),
    Slip("first_of_two", "both rows of a warp have the result of the first", first_of_two),
    Slip(
        "lanes_not_combined",
        "lane 0 stores its own sums: those of the other 31 lanes were never added",
        first_lane,
    ),
    Slip("same_x", "all four words of a group were multiplied by the first eight numbers of its x", x_of_eight),
)
