"""Wrong outputs of unit 18 that betray their cause, where pictures become a line of cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u17_engine_int8 import slips as of_numbers
from autograder.exercises.u17_engine_int8.values import saturated, steps_of
from autograder.exercises.u18_engine_kernels.values import DEEP, line_of


def steps_in(values: Values) -> np.ndarray:
    """The right steps, in the shape of real."""
    return saturated(steps_of(values["real"], values["scale"]))


def in_line(slip: Slip) -> Slip:
    """A mistake in a number, in every cell of a line."""

    def produces(values: Values) -> dict:
        return {"packed": line_of(slip.produces(values)["steps"])}

    return Slip(slip.misconception, slip.says, produces)


def of_line(rule: Callable[[np.ndarray, Values], np.ndarray]) -> Callable[[Values], dict]:
    """Another line. rule: (the right one, values) -> a line."""
    return lambda values: {"packed": rule(line_of(steps_in(values)), values)}


def halves_exchanged(line: np.ndarray, values: Values) -> np.ndarray:
    """Channels 16 to 31 come first."""
    return np.roll(line, DEEP // 2, axis=2)


def bytes_turned(line: np.ndarray, values: Values) -> np.ndarray:
    """The first channel of a word lies in its highest byte."""
    return line.reshape(*line.shape[:2], -1, 4)[..., ::-1].reshape(line.shape)


def first_half_twice(line: np.ndarray, values: Values) -> np.ndarray:
    """Both halves have the channels of the first."""
    return np.concatenate([line[:, :, :16], line[:, :, :16]], axis=2)


def first_block_only(line: np.ndarray, values: Values) -> np.ndarray:
    """Every block has the channels of the first."""
    return np.repeat(line[:1], len(line), axis=0)


def without_left_zeros(line: np.ndarray, values: Values) -> np.ndarray:
    """No zero cell to the left of a row: pixels of a row lie a cell earlier."""
    return np.concatenate([line[:, 1:], line[:, :1]], axis=1)


def without_row_above(line: np.ndarray, values: Values) -> np.ndarray:
    """No row of zeros above the first picture."""
    pitch = values["real"].shape[3] + 1
    return np.roll(line, -pitch, axis=1)


def picture_of_row(values: Values) -> dict:
    """Rows are counted through all pictures as if no row of zeros stood between them."""
    steps = steps_in(values)
    n_images, n_channels, n_rows, n_cols = steps.shape
    line = line_of(steps)
    n_cells, pitch = line.shape[1], n_cols + 1
    cell = np.arange(n_cells)
    row, col = cell // pitch - 1, cell % pitch - 1
    there = (col >= 0) & (row >= 0) & (row < n_images * n_rows)
    full = np.zeros((len(line) * DEEP, n_cells), np.int8)
    at = row[there]
    full[:n_channels, there] = steps[at // n_rows, :, at % n_rows, col[there]].T
    return {"packed": np.ascontiguousarray(full.reshape(len(line), DEEP, n_cells).transpose(0, 2, 1))}


PACK = (
    *(in_line(slip) for slip in of_numbers.QUANTISE),
    Slip(
        "halves_exchanged",
        "channels 16 to 31 lie where 0 to 15 belong, and the other way round",
        of_line(halves_exchanged),
    ),
    Slip(
        "bytes_turned",
        "the four steps of each word lie in opposite order: the first channel belongs in its lowest byte",
        of_line(bytes_turned),
    ),
    Slip(
        "same_half",
        "both halves of a cell hold channels 0 to 15 of their block: the grid's y counts halves",
        of_line(first_half_twice),
    ),
    Slip(
        "same_block",
        "every block holds the first 32 channels: the first channel of half h is 16 h",
        of_line(first_block_only),
    ),
    Slip(
        "no_zero_column",
        "pixels lie one cell too early: the first cell of each row of the line is a zero",
        of_line(without_left_zeros),
    ),
    Slip(
        "no_zero_row",
        "pixels lie one row too early: the first row of the line is zeros, and so is one above every picture",
        of_line(without_row_above),
    ),
    Slip(
        "no_row_between",
        "from the second picture on, pixels lie too early: a picture takes n_rows + 1 rows of the line",
        picture_of_row,
    ),
)
