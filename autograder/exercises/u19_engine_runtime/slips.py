"""Wrong outputs of unit 19's soft_threshold that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u19_engine_runtime.values import per_row, softened


def by_rule(rule: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another rule for x and the thresholds of its rows, float64."""
    return lambda values: {"dst": rule(values["x"].astype(np.float64), per_row(values))}


def of_image(values: Values) -> dict:
    """The threshold of the row's image, not of its channel; the last one where there are more images."""
    n_channels = len(values["thresholds"])
    images = np.minimum(np.arange(len(values["x"])) // n_channels, n_channels - 1)
    return _with_thresholds(values, values["thresholds"][images])


def of_channels_in_runs(values: Values) -> dict:
    """As if all images of channel 0 came first, then those of channel 1."""
    n_images = len(values["x"]) // len(values["thresholds"])
    return _with_thresholds(values, np.repeat(values["thresholds"], n_images))


def first_for_all(values: Values) -> dict:
    return _with_thresholds(values, np.repeat(values["thresholds"][:1], len(values["x"])))


def _with_thresholds(values: Values, t: np.ndarray) -> dict:
    """The right rule with a threshold for each row."""
    return softened({**values, "thresholds": t})


THRESHOLD = (
    Slip(
        "not_moved",
        "what lies beyond its threshold is kept as it is: it moves towards 0 by the threshold",
        by_rule(lambda x, t: np.where(np.abs(x) > t, x, 0)),
    ),
    Slip(
        "negative_cut",
        "everything below 0 became 0: below -t there is x + t",
        by_rule(lambda x, t: np.maximum(x - t, 0)),
    ),
    Slip(
        "sign_lost",
        "negative results came out positive: x keeps its sign",
        by_rule(lambda x, t: np.maximum(np.abs(x) - t, 0)),
    ),
    Slip(
        "middle_kept",
        "what lies between -t and t is kept: it becomes 0",
        by_rule(lambda x, t: np.where(x > t, x - t, np.where(x < -t, x + t, x))),
    ),
    Slip(
        "moved_away",
        "numbers moved away from 0: subtract the threshold above 0, and add it below",
        by_rule(lambda x, t: np.where(np.abs(x) > t, x + np.sign(x) * t, 0)),
    ),
    Slip(
        "first_for_all", "every row has the threshold of channel 0: a row's channel is row % n_channels", first_for_all
    ),
    Slip(
        "image_for_channel",
        "the threshold is that of the row's image: all channels of an image follow one another, so the channel is "
        "what is left of row / n_channels",
        of_image,
    ),
    Slip(
        "image_for_channel",
        "thresholds go as if all images of channel 0 came first: the channels of an image follow one another, so the "
        "channel is what is left of row / n_channels",
        of_channels_in_runs,
    ),
)
