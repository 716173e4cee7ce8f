"""A warp at the end of an array: which lanes stay inside, and which have an index that the array does not have."""

from __future__ import annotations

import numpy as np

from simt.analyses.recorder import Outside
from simt.figures.access import place_text
from simt.figures.canvas import BLUE, PALE, VERMILLION, contrasting, grid_text, lane_list
from simt.source.counts import count_text

MOST_COLUMNS = 40
FEWEST_COLUMNS = 24  # the width of the drawing, so that its title fits
MOST_ROWS = 16
BEFORE = 4  # elements (or rows) of the array that are shown before the first that is of interest


def draw(canvas, outside: Outside):
    """Elements of the array and places outside it as a grid; more than two dimensions show their last two."""
    shape, positions = _positions(outside)
    (top, bottom), (left, right) = (
        _range(positions[:, axis], shape[axis], most) for axis, most in ((0, MOST_ROWS), (1, MOST_COLUMNS))
    )
    lanes: dict[tuple[int, int], list[int]] = {}
    for lane, (row, column) in zip([*outside.lanes, *outside.inside], positions.tolist(), strict=True):
        lanes.setdefault((row, column), []).append(int(lane))
    surface = canvas(1.4 + 0.24 * max(FEWEST_COLUMNS, right - left), 1.5 + 0.26 * (bottom - top))
    rows = []
    for row in range(top, bottom):
        texts = []
        for column in range(left, right):
            here = sorted(lanes.get((row, column), []))
            exists = 0 <= row < shape[0] and 0 <= column < shape[1]
            _cell(surface, column, row, exists, here)
            texts.append(("" if exists else "!" if here else " ") + lane_list(here))
        rows.append(texts)
    one = outside.indices.shape[1] == 1
    _axes(surface, outside, one, (top, bottom), (left, right))
    names = ["" if one else f"row {row}" for row in range(top, bottom)]
    body = grid_text(rows, names, [str(column) for column in range(left, right)], "" if one else "column")
    note = "(numbers are lanes; . is an element, a blank none; ! marks a lane outside the array)"
    where = f"line {outside.site.line}; {place_text(outside)}; numbers are lanes"
    surface.claim(_title(outside), where, _alt(outside), f"{body}\n{note}")
    surface.legend(
        [(BLUE, "inside"), (PALE, "an element of the array"), (VERMILLION, "✕ outside: no element is there")]
    )
    return surface.figure


def _cell(surface, column: int, row: int, exists: bool, lanes: list[int]) -> None:
    """A place with its lanes; one that is no element carries a cross below them."""
    size = 7 if len(lanes) == 1 else 5.5
    if exists:
        surface.box(column, row, 1, 1, BLUE if lanes else PALE, lane_list(lanes), size, "white")
    elif lanes:
        surface.box(column, row, 1, 1, VERMILLION, edge="white")
        surface.words(column + 0.5, row + 0.36, lane_list(lanes), size, contrasting(VERMILLION))
        surface.words(column + 0.5, row + 0.76, "✕", 5.5, contrasting(VERMILLION))


def _positions(outside: Outside) -> tuple[tuple[int, int], np.ndarray]:
    """Rows and columns of the array, and (lanes, 2) row and column of each lane: those outside first."""
    shape = outside.array.shape
    inside = [outside.array.index_of(int(cell)) for cell in outside.cells]
    within = np.array(inside, np.int64).reshape(len(inside), len(shape))
    both = np.concatenate([outside.indices, within])
    if len(shape) == 1:
        return (1, shape[0]), np.stack([np.zeros(len(both), np.int64), both[:, 0]], axis=1)
    return (shape[-2], shape[-1]), both[:, -2:]


def _range(used: np.ndarray, extent: int, most: int) -> tuple[int, int]:
    """From a little before the first index of interest to the last one, and where the array ends in between."""
    beyond = used[(used < 0) | (used >= extent)]
    first = int(used.min() if not len(beyond) else max(used.min(), min(beyond.min(), extent) - most // 2))
    first = min(first, extent - 1) - (BEFORE if first > 0 and extent > 1 else 0)
    first = max(first, min(0, int(used.min())))
    last = max(int(used.max()) + 1, min(extent, first + most // 4))
    return first, min(last, first + most)


def _axes(surface, outside: Outside, one: bool, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    axes = surface.axes
    name = outside.array.name
    right = max(columns[1], columns[0] + FEWEST_COLUMNS)
    axes.set(xlim=(columns[0], right), ylim=(rows[1], rows[0]), aspect="equal")
    axes.set_xlabel(f"index of {name}" if one else "column", loc="left")
    ticks = range(columns[0], columns[1], 4)
    axes.set_xticks([c + 0.5 for c in ticks], [str(c) for c in ticks])
    axes.set_yticks([] if one else [r + 0.5 for r in range(*rows)], [] if one else [str(r) for r in range(*rows)])
    if not one:
        axes.set_ylabel(f"row of {name}")
    axes.tick_params(length=0, labelsize=8)
    surface.bare("top", "right", "bottom", "left")


def _title(outside: Outside) -> str:
    count = len(outside.lanes)
    verb = {"load": "read", "store": "write"}.get(outside.kind, "update")
    lanes = f"lane {int(outside.lanes[0])} of the warp {verb}s" if count == 1 else f"{count} lanes of the warp {verb}"
    return f"`{outside.site.text}`: {lanes} outside {outside.array.name}"


def _alt(outside: Outside) -> str:
    lane, index = int(outside.lanes[0]), outside.indices[0].tolist()
    shape = outside.array.shape
    size = count_text(shape[0], "element") if len(shape) == 1 else f"shape {tuple(shape)}"
    return (
        f"The end of {outside.array.name}, which has {size}, as a grid marked with lanes: "
        f"{count_text(len(outside.inside), 'lane')} "
        f"inside and {len(outside.lanes)} outside, as lane {lane} at index {index}."
    )
