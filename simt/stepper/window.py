"""Which part of an array is shown: a window of rows around what the step touched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simt.stepper.states import ArrayState

WRAP = 16  # elements a row for arrays of one dimension
MOST_ROWS = 16
MOST_COLUMNS = 33


@dataclass(frozen=True)
class Window:
    """cells: (rows, columns) flat cells, -1 where there is none. row_names, column_names: index of each.

    left_out: elements of the array outside the window.
    """

    cells: np.ndarray
    row_names: list[str]
    column_names: list[str]
    left_out: int


def window_of(state: ArrayState, n_rows: int = MOST_ROWS, n_columns: int = MOST_COLUMNS) -> Window:
    """The window that begins a row before the first touched element, or at the beginning."""
    cells, row_names = _rows(state)
    here = np.isin(cells, np.concatenate([state.loaded, state.stored])) & (cells >= 0)
    top, left = _start(np.any(here, axis=1), n_rows), _start(np.any(here, axis=0), n_columns)
    shown = cells[top : top + n_rows, left : left + n_columns]
    columns = [str(column) for column in range(left, left + shown.shape[1])]
    return Window(shown, row_names[top : top + n_rows], columns, int((cells >= 0).sum() - (shown >= 0).sum()))


def _rows(state: ArrayState) -> tuple[np.ndarray, list[str]]:
    """All cells as a matrix, and the index that each row begins with."""
    shape, strides = state.info.shape, state.info.strides
    if len(shape) <= 1:
        size = shape[0] if shape else 1
        cells = np.arange(size) * (strides[0] if strides else 1)
        padded = np.full(-(-size // WRAP) * WRAP, -1)
        padded[:size] = cells
        matrix = padded.reshape(-1, WRAP)
        return (matrix if size > WRAP else matrix[:, :size]), [str(row * WRAP) for row in range(len(matrix))]
    index = np.indices(shape).reshape(len(shape), -1)
    cells = (index * np.array(strides)[:, None]).sum(axis=0).reshape(-1, shape[-1])
    return cells, [", ".join(map(str, np.unravel_index(row, shape[:-1]))) for row in range(len(cells))]


def _start(touched: np.ndarray, most: int) -> int:
    """The first row (or column) to show, so that what is touched is in sight."""
    if len(touched) <= most or not touched.any():
        return 0
    return max(0, min(int(np.argmax(touched)) - 1, len(touched) - most))
