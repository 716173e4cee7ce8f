"""Wrong outputs of unit 13's host functions that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u13_convolution.choice_values import chosen, times_of, work_of


def fields_by(rule: Callable[[int, int, int, int, int], tuple[int, int]]) -> Callable[[Values], dict]:
    """Another rule. rule: (field, jump, kernel, stride, dilation) -> the next field and jump."""

    def produces(values: Values) -> dict:
        names = ("field", "jump", "kernel", "stride", "dilation")
        field, jump = rule(*(int(values[name]) for name in names))
        return {"new_field": np.int64(field), "new_jump": np.int64(jump)}

    return produces


FIELDS = (
    Slip(
        "jump_forgotten",
        "the layer adds its own kernel alone: its steps are as long as the jump before it",
        fields_by(lambda r, j, k, s, d: (r + (k - 1) * d, j * s)),
    ),
    Slip(
        "stride_too_early",
        "the layer's own stride lengthens its own steps: it should lengthen those of the layers after it",
        fields_by(lambda r, j, k, s, d: (r + (k - 1) * d * j * s, j * s)),
    ),
    Slip(
        "whole_kernel_added",
        "the layer adds its whole kernel: one of its elements was there already, so kernel - 1 are new",
        fields_by(lambda r, j, k, s, d: (r + k * d * j, j * s)),
    ),
    Slip(
        "dilation_forgotten",
        "dilation is left out: it is the step between two weights",
        fields_by(lambda r, j, k, s, d: (r + (k - 1) * j, j * s)),
    ),
    Slip(
        "strides_added",
        "the stride is added to the jump: it should multiply it",
        fields_by(lambda r, j, k, s, d: (r + (k - 1) * d * j, j + s)),
    ),
    Slip(
        "kernels_multiplied",
        "the field is multiplied by the kernel: neighbouring windows overlap, so a layer only adds",
        fields_by(lambda r, j, k, s, d: (r * ((k - 1) * d + 1), j * s)),
    ),
    Slip(
        "stride_forgotten",
        "the jump is still the old one: outputs lie stride times as far apart as inputs",
        fields_by(lambda r, j, k, s, d: (r + (k - 1) * d * j, j)),
    ),
)


def by_times(change: Callable[[Values, np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another time. change: (values, flops, bytes), the latter two of the three ways -> times."""
    return lambda values: chosen(change(values, *work_of(values)))


def of_flops(values: Values, flops: np.ndarray) -> np.ndarray:
    """Microseconds of the arithmetic."""
    return flops / values["flops_per_us"]


def of_bytes(values: Values, flops: np.ndarray, n_bytes: np.ndarray) -> np.ndarray:
    """Microseconds of memory; infinite for a way that cannot be taken."""
    return np.where(np.isinf(flops), np.inf, n_bytes / values["bytes_per_us"])


def winograd_for_all(values: Values) -> dict:
    """Winograd is thought to fit any k."""
    flops, n_bytes = work_of(values)
    flops[2] = work_of(values | {"k": 3})[0][2]
    return chosen(np.maximum(of_flops(values, flops), n_bytes / values["bytes_per_us"]))


def slowest(values: Values) -> dict:
    """The way of the most time."""
    times = times_of(values)
    finite = np.where(np.isfinite(times), times, -1)
    return {"way": np.int64(finite.argmax()), "time_us": np.float64(finite.max())}


def fewest_flops(values: Values) -> dict:
    """The way of the fewest flops, with its right time."""
    way = work_of(values)[0].argmin()
    return {"way": np.int64(way), "time_us": np.float64(times_of(values)[way])}


def last_of_equals(values: Values) -> dict:
    """Of ways that take the same time, the last."""
    times = times_of(values)
    return {"way": np.int64(np.flatnonzero(times == times.min())[-1]), "time_us": np.float64(times.min())}


CHOICES = (
    Slip(
        "last_of_equals",
        "of two ways that take the same time the later one is taken: it should be the lower number",
        last_of_equals,
    ),
    Slip(
        "bytes_forgotten",
        "the times are those of the flops alone: where memory is slower, it decides",
        by_times(lambda v, flops, n_bytes: of_flops(v, flops)),
    ),
    Slip(
        "flops_forgotten",
        "the times are those of the bytes alone: where arithmetic is slower, it decides",
        by_times(of_bytes),
    ),
    Slip(
        "times_added",
        "the two times are added: memory and arithmetic work at once, so the longer one counts",
        by_times(lambda v, flops, n_bytes: of_flops(v, flops) + of_bytes(v, flops, n_bytes)),
    ),
    Slip(
        "shorter_side",
        "a way takes the shorter of its two times: it is done when both sides are",
        by_times(lambda v, flops, n_bytes: np.minimum(of_flops(v, flops), of_bytes(v, flops, n_bytes))),
    ),
    Slip("winograd_for_all", "Winograd is taken where k is not 3: its transforms are for 3 x 3", winograd_for_all),
    Slip("slowest", "the slowest way is taken: the least time is asked for", slowest),
    Slip("one_image", "n_images is left out: every image has outputs", lambda v: chosen(times_of(v | {"n_images": 1}))),
    Slip(
        "fewest_flops",
        "the way of the fewest flops is taken: it may move so many bytes that it takes longer",
        fewest_flops,
    ),
)
