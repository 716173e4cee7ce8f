"""Wrong outputs of unit 20 that betray their cause, where whole channels go."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u20_compression.channel_values import importance, largest, shrunk, with_channels


def by(size_of: Callable[[Values], np.ndarray]) -> Callable[[Values], dict]:
    """Other channels, those of the largest of other sizes. size_of: values -> (n_mid,)."""
    return lambda values: with_channels(values, largest(size_of(values), int(values["keep"])))


def own(values: Values) -> np.ndarray:
    """What the layer alone makes of a channel."""
    return np.abs(values["weights"].astype(np.float64)).sum(axis=1)


def sums(values: Values) -> np.ndarray:
    """Sums with signs."""
    return values["weights"].astype(np.float64).sum(axis=1) + values["shortcut"].astype(np.float64).sum(axis=1)


def size(values: Values) -> np.ndarray:
    return importance(values["weights"], values["shortcut"])


def gamma(values: Values) -> np.ndarray:
    return np.abs(values["norm"][0])


def by_size(values: Values) -> dict:
    """The largest channel comes first."""
    return with_channels(values, np.argsort(-size(values), kind="stable")[: int(values["keep"])])


def later_of_equal(values: Values) -> dict:
    """Of equal channels the last stays."""
    order = len(values["weights"]) - 1 - np.argsort(-size(values)[::-1], kind="stable")
    return with_channels(values, np.sort(order[: int(values["keep"])]))


def part_from_the_front(name: str) -> Callable[[Values], dict]:
    """One part keeps its first channels, whichever stay elsewhere."""
    return lambda values: shrunk(values) | {name: with_channels(values, np.arange(int(values["keep"])))[name]}


def strided_columns(values: Values) -> dict:
    """The columns of a channel are taken to lie n_mid apart."""
    right, n_mid = shrunk(values), len(values["weights"])
    by_place = values["following"].reshape(len(values["following"]), -1, n_mid)
    return right | {"new_following": by_place[:, :, right["kept"]].reshape(len(by_place), -1)}


LAYERS = (
    Slip(
        "shortcut_left_out",
        "channels are chosen by the layer's weights alone: what the shortcut adds to a channel counts as well",
        by(own),
    ),
    Slip(
        "sign_left_in",
        "numbers are added up with their signs, so large ones cancel each other: add magnitudes",
        by(sums),
    ),
    Slip("smallest_kept", "the smallest channels stay: take the largest", by(lambda v: -size(v))),
    Slip(
        "squares_added",
        "squares are added up: here the sum of magnitudes decides",
        by(lambda v: sum(np.square(v[name].astype(np.float64)).sum(axis=1) for name in ("weights", "shortcut"))),
    ),
    Slip("by_gamma", "channels are chosen by gamma: here the weights decide", by(gamma)),
    Slip("order_lost", "channels stand in the order of their sizes: they keep their old order", by_size),
    Slip("ties_to_the_last", "of two channels of equal size the later one stays: the first does", later_of_equal),
    Slip(
        "norm_left_behind",
        "batch norm's numbers are those of the first channels: they belong to channels, and go with them",
        part_from_the_front("new_norm"),
    ),
    Slip(
        "shortcut_left_behind",
        "the shortcut's rows are the first ones: what is added to a channel goes with it",
        part_from_the_front("new_shortcut"),
    ),
    Slip(
        "following_left_behind",
        "the next layer keeps the columns of its first channels: it reads the ones that stay",
        part_from_the_front("new_following"),
    ),
    Slip("area_strided", "the columns of a channel are taken to lie far apart: they are neighbours", strided_columns),
)
