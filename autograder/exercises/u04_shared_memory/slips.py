"""What known mistakes of unit 04 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

from typing import Literal

import numpy as np

from autograder.contract import Values
from autograder.exercises.u04_shared_memory.values import (
    BATCH,
    RADIUS,
    REACH,
    ROWS,
    STRIP,
    TAPS,
    THREADS,
    TILE,
    blur,
    sums_of_seven,
)


def left_as_it_was(values: Values) -> dict:
    """Every element went back to its own place: swapped twice, or never."""
    return {"data": values["data"].copy()}


def zeros_beyond_the_ends(values: Values) -> dict:
    """What lies beyond an end counted as 0."""
    padded = np.pad(values["src"].astype(np.float64), RADIUS)
    return {"dst": np.lib.stride_tricks.sliding_window_view(padded, 2 * RADIUS + 1).sum(axis=1)}


def beyond_the_ends(mode: Literal["wrap", "reflect"]):
    """What lies beyond an end was taken from somewhere else. mode: as np.pad has it."""

    def produces(values: Values) -> dict:
        src = values["src"].astype(np.float64)
        padded = np.pad(src, RADIUS, mode=mode)
        return {"dst": np.lib.stride_tricks.sliding_window_view(padded, 2 * RADIUS + 1).sum(axis=1)}

    return produces


def ends_of_the_block_repeated(values: Values) -> dict:
    """Each block took its own first and last element for its neighbours'."""
    src = values["src"]
    return {"dst": np.concatenate([sums_of_seven(src[i : i + THREADS]) for i in range(0, src.size, THREADS)])}


def last_neighbour_missing(values: Values) -> dict:
    """`range(-3, 3)` ends before 3: six neighbours instead of seven."""
    src = values["src"].astype(np.float64)
    return {"dst": sums_of_seven(src) - np.pad(src, (0, RADIUS), mode="edge")[RADIUS:]}


def edges_of_the_block_repeated(values: Values) -> dict:
    """Each block of 32 x 8 pixels took its own edge pixels for its neighbours'."""
    src = values["src"]
    dst = np.zeros(src.shape)
    for row in range(0, src.shape[0], ROWS):
        for col in range(0, src.shape[1], TILE):
            piece = src[row : row + ROWS, col : col + TILE]
            dst[row : row + ROWS, col : col + TILE] = blur(piece)
    return {"dst": dst}


def zeros_beyond_the_edges(values: Values) -> dict:
    """Pixels beyond an edge counted as black."""
    return {"dst": blur(values["src"], "constant")}


def beyond_the_edges(mode: Literal["wrap", "reflect"]):
    """Pixels beyond an edge were taken from somewhere else. mode: as np.pad has it."""
    return lambda values: {"dst": blur(values["src"], mode)}


def moved_along(down: int, right: int):
    """Each pixel is the one so many rows further down and so many columns further right."""

    def produces(values: Values) -> dict:
        src = values["src"]
        far = np.pad(src, ((0, down), (0, right)), mode="edge")
        return {"dst": blur(far)[down:, right:]}

    return produces


def along_one_axis(axis: int):
    """The other pass never ran. axis: the one that was blurred."""

    def produces(values: Values) -> dict:
        before_and_after = [(REACH, REACH) if k == axis else (0, 0) for k in range(2)]
        padded = np.pad(values["src"].astype(np.float64), before_and_after, mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * REACH + 1, axis=axis)
        return {"dst": windows @ TAPS.astype(np.float64)}

    return produces


def a_row_too_low(values: Values) -> dict:
    """Each pixel is the one above it: the row sums are carried along by one row too few."""
    above = np.pad(values["src"], ((1, 0), (0, 0)), mode="edge")
    return {"dst": blur(above)[:-1]}


def next_rows_not_carried(values: Values) -> dict:
    """After four rows the carried sums are still the first ones: rows 4 to 7 of a piece mix in rows far above."""
    src = values["src"]
    along_rows = along_one_axis(1)({"src": src})["dst"]
    sums = np.pad(along_rows, ((REACH, REACH), (0, 0)), mode="edge")
    dst = np.zeros(src.shape)
    for row in range(src.shape[0]):
        piece, turn = row // STRIP * STRIP, row % BATCH
        start = piece if row - piece >= BATCH else row - turn
        carried = sums[start : start + 2 * REACH]
        fresh = sums[row - turn + 2 * REACH : row - turn + 2 * REACH + turn + 1]
        dst[row] = TAPS.astype(np.float64) @ np.concatenate([carried, fresh])[turn : turn + 2 * REACH + 1]
    return {"dst": dst}
