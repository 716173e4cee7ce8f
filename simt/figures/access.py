"""Which lane touches which element: the array as a grid, lane numbers in its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.analyses.recorder import Picture
from simt.figures.canvas import PALE, grid_text, lane_color, lane_list
from simt.source.counts import count_text

if TYPE_CHECKING:
    from simt.analyses.recorder import Outside

WRAP = 32  # elements a row for arrays of one dimension
WINDOW = 34  # most rows and columns that are drawn
MARGIN = 2
FEWEST_COLUMNS = 16
TITLE_COLUMNS = 24


def draw(canvas, picture: Picture):
    """A window of the array around the elements that the warp touches."""
    rows, columns, n_rows, n_columns = _grid(picture)
    top, bottom = _window(rows[picture.active], n_rows)
    one = len(picture.array.shape) == 1
    left, right = (0, n_columns) if one else _window(columns[picture.active], n_columns, FEWEST_COLUMNS)
    lanes: dict[tuple[int, int], list[int]] = {}
    for lane in np.flatnonzero(picture.active):
        lanes.setdefault((int(rows[lane]), int(columns[lane])), []).append(int(lane))
    surface = canvas(1.4 + 0.24 * max(TITLE_COLUMNS, right - left), 1.6 + 0.24 * (bottom - top))
    for row in range(top, bottom):
        for column in range(left, right):
            if one and row * WRAP + column >= picture.array.n_cells:
                continue
            here = lanes.get((row, column), [])
            fill = lane_color(here[0]) if here else PALE
            surface.box(column, row, 1, 1, fill, lane_list(here) if here else "", 7 if len(here) == 1 else 5.5, "white")
    _axes(surface, picture, (top, bottom), (left, right))
    where = f"line {picture.site.line}; {place_text(picture)}; numbers are lanes"
    body = window_text(picture, lanes, (top, bottom), (left, right))
    surface.claim(f"`{picture.site.text}`: {claim_of(picture)}", where, _alt(picture), body)
    return surface.figure


def place_text(picture: Picture | Outside) -> str:
    """ "block 2, warp 0", the block as the kernel counts it."""
    used = max((axis + 1 for axis in range(3) if picture.block[axis]), default=1)
    block = picture.block[0] if used == 1 else f"({', '.join(map(str, picture.block[:used]))})"
    return f"block {block}, warp {picture.warp}"


def window_text(picture: Picture, lanes: dict, rows: tuple[int, int], columns: tuple[int, int]) -> str:
    """The window as text: rows of elements, a lane's number where it touches one."""
    one = len(picture.array.shape) == 1
    cells = [[lane_list(lanes.get((row, column), [])) for column in range(*columns)] for row in range(*rows)]
    names = [f"{picture.array.name}[{row * WRAP}]" if one else f"row {row}" for row in range(*rows)]
    return grid_text(cells, names) if one else grid_text(cells, names, [*map(str, range(*columns))], "column")


def _axes(surface, picture: Picture, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    axes = surface.axes
    one = len(picture.array.shape) == 1
    step = 4 if rows[1] - rows[0] > 8 else 1
    labels = [row * WRAP if one else row for row in range(rows[0], rows[1], step)]
    right = max(columns[1], columns[0] + TITLE_COLUMNS)  # so that the title has room
    axes.set(
        xlim=(columns[0], right),
        ylim=(rows[1], rows[0]),
        xlabel="element of the row" if one else "column",
        aspect="equal",
    )
    axes.set_ylabel(f"{picture.array.name}, from element" if one else f"row of {picture.array.name}")
    axes.set_xticks(
        [c + 0.5 for c in range(columns[0], columns[1], 4)], [str(c) for c in range(columns[0], columns[1], 4)]
    )
    axes.set_yticks([row + 0.5 for row in range(rows[0], rows[1], step)], [str(label) for label in labels])
    axes.tick_params(length=0, labelsize=8)
    surface.bare("top", "right", "bottom", "left")


def _grid(picture: Picture) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Row and column of every lane's element, and the extents. More than two dimensions are stacked in the rows."""
    shape = picture.array.shape
    if len(shape) == 1:
        return picture.cells // WRAP, picture.cells % WRAP, -(-picture.array.n_cells // WRAP), min(WRAP, shape[0])
    index = np.array([picture.array.index_of(int(cell)) for cell in picture.cells])
    rows = np.ravel_multi_index(tuple(np.minimum(index[:, :-1], np.array(shape[:-1]) - 1).T), shape[:-1])
    return rows, index[:, -1], int(np.prod(shape[:-1])), shape[-1]


def _window(used: np.ndarray, extent: int, fewest: int = 0) -> tuple[int, int]:
    """The range to draw: what is used and a margin, at most WINDOW, from the first that is used."""
    first = max(0, int(used.min()) - MARGIN)
    last = min(extent, max(int(used.max()) + 1 + MARGIN, first + fewest), first + WINDOW)
    return first, last


def claim_of(picture: Picture) -> str:
    """What the lanes of a warp have in common, as half a sentence."""
    cells = picture.cells[picture.active]
    steps = set(np.diff(cells).tolist())
    if len(cells) == 1:
        return "one lane of the warp works"
    if steps == {0}:
        return "all lanes of the warp touch one element"
    if steps == {1}:
        return "neighbouring lanes touch neighbouring elements"
    if steps == {-1}:
        return "neighbouring lanes touch neighbouring elements, backwards"
    if len(steps) == 1:
        return f"neighbouring lanes touch elements {abs(steps.pop()):,} apart"
    verb = "touches" if len(cells) == 1 else "touch"
    return f"{count_text(len(cells), 'lane')} {verb} {count_text(len(set(cells.tolist())), 'element')}"


def _alt(picture: Picture) -> str:
    first = {lane: picture.array.index_of(int(picture.cells[lane])) for lane in np.flatnonzero(picture.active)[:2]}
    examples = "; ".join(f"lane {lane} at {list(index)}" for lane, index in first.items())
    grid = f"Part of {picture.array.name} as a grid of elements, marked with the lanes that {picture.kind} them"
    return f"{grid}: {examples}, and so on."
