"""Which lane touches which element, step by step: a strip for every time that a line comes by."""

from __future__ import annotations

import textwrap

import numpy as np

from simt.analyses.recorder import Picture
from simt.figures.access import WRAP, claim_of, place_text
from simt.figures.canvas import GREY, INK, PALE, TITLE_SIGNS, Canvas, grid_text, lane_color, lane_list
from simt.source.counts import count_text

MOST_STRIPS = 6
MOST_ROWS = 4  # of elements in a strip
STRIP_COLUMNS = 32
WIDTH = 9.5  # inches


def draw(empty, pictures: list[Picture]):
    """pictures: of one site, in the order in which they happened. empty: makes a drawing of a width and a height."""
    shown = pictures[:MOST_STRIPS]
    strips = [_strip(picture) for picture in shown]
    heights = [len(strip) for strip, _ in strips]
    figure = empty(WIDTH, 0.9 + sum(0.5 + 0.2 * height for height in heights))
    axes = figure.subplots(len(shown), 1, squeeze=False, height_ratios=[0.9 + height for height in heights])[:, 0]
    bodies = []
    for picture, (rows, names), one in zip(shown, strips, axes, strict=True):
        _draw_strip(Canvas(figure, one), picture, rows, names)
        bodies.append(f"{_label(picture)}\n{_text(picture, rows, names)}")
    site, first = shown[0].site, shown[0]
    title = f"`{site.text}`, step by step: {_claim(shown)}"
    detail = f"line {site.line} of {site.function}; {first.array.name} has {_extent(first)}; numbers are lanes"
    figure.suptitle(
        textwrap.fill(title, int(TITLE_SIGNS * WIDTH)), x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK
    )
    figure.supxlabel(detail, x=0.01, ha="left", fontsize=9, color=GREY)
    said = title.replace("`", "")
    figure.alt = f"{count_text(len(shown), 'strip')} of elements of {first.array.name}, marked with lanes. {said}."
    figure.words = "\n".join([title, detail, "", "\n\n".join(bodies)])
    return figure


def _extent(picture: Picture) -> str:
    shape = picture.array.shape
    return f"{count_text(shape[0], 'element')}" if len(shape) == 1 else f"shape {tuple(shape)}"


def _strip(picture: Picture) -> tuple[np.ndarray, list[str]]:
    """(rows, columns) of flat cells that are shown, and the first element of each row."""
    rows = np.unique(_row_of(picture, picture.cells[picture.active]))[:MOST_ROWS]
    width = _width(picture)
    left = int(_column_of(picture, picture.cells[picture.active]).min()) // STRIP_COLUMNS * STRIP_COLUMNS
    columns = np.arange(left, min(left + STRIP_COLUMNS, width))
    cells = rows[:, None] * width + columns
    cells = np.where(cells < picture.array.n_cells, cells, -1)
    names = []
    for row in cells:
        index = ", ".join(map(str, np.unravel_index(int(row[0]), picture.array.shape)))
        names.append(f"{picture.array.name}[{index}]")
    return cells, names


def _width(picture: Picture) -> int:
    return WRAP if len(picture.array.shape) == 1 else picture.array.shape[-1]


def _linear(picture: Picture, cells: np.ndarray) -> np.ndarray:
    """Flat cells as row-major positions, whatever the strides are."""
    index = [picture.array.index_of(int(cell)) for cell in cells]
    shape = picture.array.shape
    return np.array([np.ravel_multi_index(one, shape, mode="clip") for one in index])


def _row_of(picture: Picture, cells: np.ndarray) -> np.ndarray:
    return _linear(picture, cells) // _width(picture)


def _column_of(picture: Picture, cells: np.ndarray) -> np.ndarray:
    return _linear(picture, cells) % _width(picture)


def _lanes(picture: Picture) -> dict[int, list[int]]:
    """Row-major position of an element -> lanes that touch it."""
    lanes: dict[int, list[int]] = {}
    active = np.flatnonzero(picture.active)
    for lane, cell in zip(active, _linear(picture, picture.cells[active]), strict=True):
        lanes.setdefault(int(cell), []).append(int(lane))
    return lanes


def _draw_strip(surface: Canvas, picture: Picture, rows: np.ndarray, names: list[str]) -> None:
    lanes = _lanes(picture)
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            here = lanes.get(int(cell), []) if cell >= 0 else []
            if cell >= 0:
                fill = lane_color(here[0]) if here else PALE
                surface.box(x, y, 1, 1, fill, lane_list(here), 7 if len(here) == 1 else 5.5, "white")
    surface.draw_boxes()
    surface.frame((0, STRIP_COLUMNS), (len(rows), 0))
    surface.axes.set_yticks([y + 0.5 for y in range(len(rows))], names, fontsize=8)
    surface.axes.tick_params(length=0)
    surface.axes.set_title(_label(picture), loc="left", fontsize=9, color=INK, pad=3)


def _label(picture: Picture) -> str:
    return f"step {picture.turn + 1}, {place_text(picture)}"


def _text(picture: Picture, rows: np.ndarray, names: list[str]) -> str:
    lanes = _lanes(picture)
    return grid_text([[lane_list(lanes.get(int(cell), [])) for cell in row] for row in rows], names)


def _claim(pictures: list[Picture]) -> str:
    """How far a warp moves from one time to the next, or what its first one looks like."""
    same = [one for one in pictures if (one.block, one.warp) == (pictures[0].block, pictures[0].warp)]
    moves = set()
    for earlier, later in zip(same, same[1:], strict=False):
        both = earlier.active & later.active
        if both.any():
            moves |= set((later.cells[both] - earlier.cells[both]).tolist())
    if len(moves) == 1:
        move = moves.pop()
        by = count_text(abs(move), "element")
        return "every step touches the same elements" if move == 0 else f"every step moves on by {by}"
    return claim_of(pictures[0])
