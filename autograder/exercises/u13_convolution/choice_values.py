"""Inputs, oracles, bounds and cases of unit 13's host functions."""

from __future__ import annotations

import math

import numpy as np

from autograder.contract import Case, Sizes, Values
from autograder.running.compare import ulp_bound

NONE = np.int64(0)


# receptive_field

FIELD_CASES = tuple(
    Case(dict(zip(("kernel", "stride", "dilation", "field", "jump"), layer, strict=True)), trace=False)
    for layer in (
        *((5, 2, 3, 11, 4), (3, 1, 1, 1, 1), (7, 2, 1, 1, 1), (3, 2, 1, 7, 2), (2, 2, 1, 3, 1), (1, 1, 1, 9, 4)),
        *((1, 2, 1, 43, 8), (3, 1, 2, 5, 1), (3, 3, 4, 20, 6), (2, 4, 5, 91, 16), (11, 4, 1, 1, 1), (3, 1, 1, 180, 16)),
    )
)


def after_layer(values: Values) -> dict:
    """The field grows by (kernel - 1) * dilation steps of the jump; the jump is multiplied by the stride."""
    kernel, stride, dilation, field, jump = (values[name] for name in ("kernel", "stride", "dilation", "field", "jump"))
    return {"new_field": np.int64(field + (kernel - 1) * dilation * jump), "new_jump": np.int64(jump * stride)}


# pick_algorithm

SHAPE = {
    "n_images": "in a batch",
    "n_in": "channels that come in",
    "n_out": "channels that go out",
    "n_rows": "of a channel",
    "n_cols": "of a channel",
    "k": "weights along each axis, odd",
}
GPUS = {60: (60e6, 4.0e6), 20: (20e6, 0.9e6), 3: (3e6, 1.5e6)}  # by TFLOP/s: flops and bytes per microsecond
SHAPES = (
    (32, 64, 64, 56, 56, 3),
    (32, 3, 64, 112, 112, 7),
    (32, 64, 256, 56, 56, 1),
    (32, 256, 256, 14, 14, 3),
    (8, 32, 32, 27, 27, 11),
    (1, 512, 512, 7, 7, 3),
    (16, 128, 128, 29, 31, 3),
    (4, 16, 16, 64, 64, 15),
    (64, 1, 8, 28, 28, 5),
)
CHOICE_CASES = tuple(
    Case({**dict(zip(SHAPE, shape, strict=True)), "tflops": tflops}, "general", trace=False)
    for shape in SHAPES
    for tflops in GPUS
)


def make_choice(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A shape, and the two rates of a GPU."""
    shape = {name: sizes[name] for name in SHAPE}
    flops_per_us, bytes_per_us = GPUS[sizes["tflops"]]
    rates = {"flops_per_us": np.float64(flops_per_us), "bytes_per_us": np.float64(bytes_per_us)}
    return {**shape, **rates, "way": NONE, "time_us": np.float64(0)}


def work_of(values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Flops and bytes of implicit GEMM, im2col and Winograd, float64; Winograd's flops are infinite but for 3 x 3."""
    n_images, n_in, n_out, n_rows, n_cols, k = (int(values[name]) for name in SHAPE)
    outputs, pairs = n_images * n_rows * n_cols, n_in * n_out
    tiles = n_images * -(-n_rows // 2) * -(-n_cols // 2)
    arrays = 4 * (outputs * (n_in + n_out) + pairs * k * k)
    product = 2 * outputs * pairs * k * k
    flops = (product, product, tiles * (32 * n_in + 32 * pairs + 24 * n_out) if k == 3 else math.inf)
    n_bytes = (arrays, arrays + 8 * k * k * n_in * outputs, arrays + 128 * tiles * (n_in + n_out))
    return np.array(flops, float), np.array(n_bytes, float)


def times_of(values: Values) -> np.ndarray:
    """Microseconds of the three ways."""
    flops, n_bytes = work_of(values)
    return np.maximum(flops / values["flops_per_us"], n_bytes / values["bytes_per_us"])


def chosen(times: np.ndarray) -> dict:
    """The least of three times, and which it is."""
    return {"way": np.int64(times.argmin()), "time_us": np.float64(times.min())}


def picked(values: Values) -> dict:
    """The way of the least time, and that time."""
    return chosen(times_of(values))


def rounded(values: Values, expected) -> dict:
    """Some roundings of float64."""
    return {"time_us": ulp_bound(expected["time_us"], 64, "float64")}
