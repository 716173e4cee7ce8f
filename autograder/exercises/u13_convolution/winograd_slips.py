"""Wrong outputs of conv_winograd that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u13_convolution.winograd_values import AT, BT, FOUR, collected, convolved, tiles


def with_matrices(down: np.ndarray, along: np.ndarray, at: np.ndarray = AT) -> Callable[[Values], dict]:
    """Other transforms of the elements, down the columns and along the rows, and of the products."""
    return lambda values: {"dst": collected(down @ tiles(values["src"]) @ along.T, values["u"], values, at)}


def changed(matrix: np.ndarray, row: int, factor: float) -> np.ndarray:
    """A matrix with one row times a factor."""
    other = matrix.copy()
    other[row] *= factor
    return other


def other_sign(matrix: np.ndarray, row: int, col: int) -> np.ndarray:
    """A matrix with one element of the other sign."""
    other = matrix.copy()
    other[row, col] *= -1
    return other


def not_centred(values: Values) -> dict:
    """The 4 x 4 elements begin at the outputs' own place."""
    return {"dst": collected(BT @ tiles(values["src"], 0) @ BT.T, values["u"], values)}


def transposed(values: Values) -> dict:
    """Rows and columns of u are exchanged."""
    return convolved(values | {"u": values["u"].swapaxes(-1, -2)})


def last_channel(values: Values) -> dict:
    """The sums begin anew in every channel."""
    return convolved(values | {"src": values["src"][:, -1:], "u": values["u"][:, -1:]})


def first_group(values: Values) -> dict:
    """Every group of 4 output channels has the weights of the first."""
    return convolved(values | {"u": values["u"][np.arange(len(values["u"])) % FOUR]})


def first_image(values: Values) -> dict:
    """Every image has the result of the first."""
    return convolved(values | {"src": np.broadcast_to(values["src"][:1], values["src"].shape)})


TURNED = "has the other sign"
WINOGRAD = (
    Slip(
        "not_centred",
        "the 4 x 4 elements begin at the outputs' own place: they should begin one row higher and one column further "
        "left",
        not_centred,
    ),
    Slip(
        "one_pass",
        "the elements were spread along the rows only: the pass down the columns is missing",
        with_matrices(np.eye(4), BT),
    ),
    Slip(
        "one_pass",
        "the elements were spread down the columns only: the pass along the rows is missing",
        with_matrices(BT, np.eye(4)),
    ),
    Slip(
        "wrong_sign",
        f"the fourth product {TURNED}: spread has b - d, and collect b - c - d",
        with_matrices(changed(BT, 3, -1), changed(BT, 3, -1)),
    ),
    Slip(
        "wrong_sign",
        f"the third number of spread {TURNED}: it should be c - b",
        with_matrices(changed(BT, 2, -1), changed(BT, 2, -1)),
    ),
    Slip(
        "wrong_sign",
        f"c in the second number of collect {TURNED}: it should be b - c - d",
        with_matrices(BT, BT, other_sign(AT, 1, 2)),
    ),
    Slip("swapped_axes", "rows and columns of u are exchanged, or of what is multiplied with it", transposed),
    Slip("sum_begins_anew", "only the last channel of src counts: the sums begin anew in every channel", last_channel),
    Slip(
        "group_left_out",
        "every group of 4 output channels has the weights of the first: the group is part of their index",
        first_group,
    ),
    Slip("first_image_only", "every image has the result of the first: the image is part of the index", first_image),
)
