"""What may come in unit 18."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u18_engine_kernels.conv_values import layer, sizes_of
from autograder.exercises.u18_engine_kernels.tactic_values import make_requests
from autograder.running.cases.domain import Domain, Input, Real, Whole


def two_percent_apart(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Kernel 0 takes exactly 2 % longer than kernel 1, in numbers whose share of the other is exact however written."""
    least = np.array([50.0, 100.0, 200.0])
    values = make_requests(sizes, "exact", rng)
    values["requests"][:, 2] = range(3)  # three questions
    return values | {"times": np.stack([1.02 * least, least, 1.3 * least], axis=1)}


def a_little_more_than_two_percent(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Kernel 0 takes more than 2 % longer than kernel 1, but not by 2 % of its own time."""
    values = two_percent_apart(sizes, rng)
    values["times"][:, 0] = 1.0203 * values["times"][:, 1]
    values["times"][2] = 30, 20, 10
    return values


def none_twice(sizes: Sizes, rng: np.random.Generator) -> Values:
    """One question, asked by every layer; the first time nothing ran it, and the other times something does."""
    values = make_requests(sizes, "exact", rng)
    values["requests"][:, 1:] = 2
    values["times"][0], values["times"][1:] = np.nan, 20.0
    return values


def digits_run_together(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Questions that differ, and whose digits in a row are the same: 1 and 12 beside 11 and 2, also by thousands."""
    values = make_requests(sizes, "exact", rng)
    values["requests"][:, 1:] = 1
    values["requests"][:, 2:4] = (1, 12), (11, 2), (1_001, 3), (1, 4)
    values["requests"][2:, 4] = 1, 1
    values["requests"][3, 2:4] = 1, 4
    values["times"] = np.array([[20.0, 30.0], [30.0, 20.0], [20.0, 30.0], [30.0, 20.0]])
    return values


STEPS = Whole(-128, 127)
LINES = {
    "n_blocks": Whole(1, 5),
    "n_cells": Whole(1, 515),
    "n_out": Whole(1, 131),
    "pitch": Whole(2, 229),  # pictures of 1 to 228 columns
}
MANY = "many blocks of channels"
SUMS = Domain(sizes=LINES, arrays={"src": STEPS, "weights": STEPS}, inputs=(Input(MANY, sizes_of(19, 20, 9, 3)),))
LAYER = Domain(
    sizes=LINES | {"height": Whole(2, 301)},
    inputs=(Input(MANY, layer(19, 20, 9, 3, 3, 1, 1)),),
    scalars={"low": Real(-128, 0, (float("-inf"),)), "high": Real(1, 127, (float("inf"),))},
    exact=False,
)
DOMAINS = {
    "pack_int8": Domain(
        blocks=((96, 1),),
        sizes={
            "n_images": Whole(1, 41),
            "n_channels": Whole(1, 301),
            "n_rows": Whole(1, 301),
            "n_cols": Whole(1, 1_031),
        },
        scalars={"scale": Real(0.01, 3)},
        exact=False,
    ),
    "conv_tile": SUMS,
    "conv_ring": SUMS,
    "conv_split": Domain(
        sizes=LINES | {"n_cells": Whole(1, 259), "n_out": Whole(1, 67)},
        arrays={"src": STEPS, "weights": STEPS},
        inputs=(Input("17 shares", sizes_of(18, 20, 9, 3)),),
    ),
    "conv_layer": LAYER,
    "conv_warpgroup": replace(LAYER, base={"n_blocks": 2}),  # five are a case of their own
    "time_kernels": Domain(sizes={"n_kernels": Whole(1, 13), "rounds": Whole(1, 61)}),
    "choose_kernels": Domain(
        sizes={"n": Whole(1, 301), "n_kernels": Whole(1, 41)},
        inputs=(
            Input("times 2 % apart", {"n": 3, "n_kernels": 3}, two_percent_apart),
            Input("times a little more apart", {"n": 3, "n_kernels": 3}, a_little_more_than_two_percent),
            Input("a layer that nothing ran", {"n": 4, "n_kernels": 2}, none_twice),
            Input("questions whose digits run together", {"n": 4, "n_kernels": 2}, digits_run_together),
        ),
    ),
}
