"""Inputs, oracle, launch, cases and cost of unit 19's soft_threshold, the plugin's kernel."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div

UNIT = "19_engine_runtime"
WIDE, HIGH = 32, 8  # threads of a block: along the pixels, and down the rows
THRESHOLD_ARGUMENTS = (
    Argument("x", "in", "float32", "(n_rows, n_pixels)", "a row per image and channel: all channels of image 0 first"),
    Argument("thresholds", "in", "float32", "(n_channels,)", "0 or more, one per channel"),
    Argument("dst", "out", "float32", "(n_rows, n_pixels)", "x, moved towards 0 by its channel's threshold"),
)


def picture(n_images: int, n_channels: int, n_pixels: int) -> dict[str, int]:
    """Sizes of a tensor."""
    return {"n_images": n_images, "n_channels": n_channels, "n_pixels": n_pixels}


PICTURE = picture(2, 5, 70)
THRESHOLD_CASES = (
    Case(PICTURE),
    *(Case(picture(*sizes)) for sizes in ((1, 1, 1), (3, 4, 33), (1, 9, 31), (5, 2, 64))),
    Case(picture(2, 3, 40), "general"),
    Case(picture(4, 40, 300), trace=False),
)


def make_threshold(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A tensor with numbers on both sides of every threshold, and some at it."""
    n_rows, n_channels = sizes["n_images"] * sizes["n_channels"], sizes["n_channels"]
    x = rng.uniform(-9, 9, (n_rows, sizes["n_pixels"]))
    thresholds = rng.uniform(0, 6, n_channels)
    if kind == "exact":
        x, thresholds = np.round(x), np.round(thresholds)
    return {
        "x": x.astype(np.float32),
        "thresholds": thresholds.astype(np.float32),
        "dst": np.zeros(x.shape, np.float32),
    }


def per_row(values: Values) -> np.ndarray:
    """(n_rows, 1) float64: the threshold of each row's channel."""
    t = values["thresholds"].astype(np.float64)
    return np.tile(t, len(values["x"]) // len(t))[:, None]


def softened(values: Values) -> dict:
    """x - t above t, x + t below -t, and 0 between. float64."""
    x, t = values["x"].astype(np.float64), per_row(values)
    return {"dst": np.maximum(x - t, 0) + np.minimum(x + t, 0)}


def threshold_bound(values: Values, expected) -> dict:
    """One rounding of a difference of float32 numbers."""
    return {"dst": 2.0**-23 * np.maximum(np.abs(values["x"].astype(np.float64)), per_row(values))}


def a_thread_per_pixel(values: Values) -> tuple:
    """Blocks of 32 x 8 threads: x along the pixels, y down the rows."""
    n_rows, n_pixels = values["x"].shape
    return (ceil_div(n_pixels, WIDE), ceil_div(n_rows, HIGH)), (WIDE, HIGH)


def threshold_cost(values: Values) -> Cost:
    """Each thread loads an element and its threshold, and stores one; a difference, and two sums."""
    n = values["x"].size
    return Cost(read_bytes=8 * n, write_bytes=4 * n, flops=3 * n)
