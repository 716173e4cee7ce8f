"""One warp's request over 32-byte sectors: what is fetched, and what of it is used."""

from __future__ import annotations

import numpy as np

from simt.analyses.costs.coalescing import ideal_sectors, sectors_per_request
from simt.analyses.recorder import Picture
from simt.figures.canvas import BLUE, ORANGE, PALE, grid_text, lane_list
from simt.hardware import SECTOR_BYTES

CELLS_A_ROW = 64  # most elements of a row, so that a lane's number fits into each


def cost(picture: Picture) -> float:
    """Sectors over the fewest possible."""
    touched, ideal = (count(picture) for count in (touched_sectors, _ideal))
    return touched / ideal


def touched_sectors(picture: Picture) -> int:
    return int(sectors_per_request(picture.addresses[None], picture.active[None], picture.access_bytes)[0])


def _ideal(picture: Picture) -> int:
    return max(1, int(ideal_sectors(picture.addresses[None], picture.active[None], picture.access_bytes)[0]))


def draw(canvas, picture: Picture):
    """A box a sector, a cell an element; cells carry the lanes that use them."""
    users = _users(picture)
    first = [cell * _size(picture) // SECTOR_BYTES for cell in users]
    last = [(cell * _size(picture) + _size(picture) - 1) // SECTOR_BYTES for cell in users]
    sectors = sorted(set(first) | set(last))
    cells_each = max(1, SECTOR_BYTES // _size(picture))
    a_row = min(4, CELLS_A_ROW // cells_each)
    rows = -(-len(sectors) // a_row)
    surface = canvas(9.5, 1.5 + 0.42 * rows)
    pitch = cells_each * 1.14 + 0.4
    for position, sector in enumerate(sectors):
        x, y = position % a_row * pitch, -(position // a_row) * 1.75
        _sector(surface, picture, users, sector, x, y, cells_each)
    surface.frame((-0.2, pitch * a_row), (-(rows - 1) * 1.75 - 0.75, 1.2))
    used = len(users) * _size(picture)
    moved = touched_sectors(picture) * SECTOR_BYTES
    count = _sectors_text(picture)
    share = f"all {moved} bytes" if used == moved else f"{used:,} of {moved:,} bytes"
    title = f"`{picture.site.text}`: one warp's {picture.kind} touches {count} and uses {share}"
    surface.claim(
        title,
        f"line {picture.site.line}; a sector is 32 bytes, moved whole",
        _alt(picture, used, moved),
        _body(picture, users, sectors),
    )
    meanings = [(BLUE, "used, with the number of the lane")]
    if max(len(lanes) for lanes in users.values()) > 1:
        meanings.append((ORANGE, "used by several lanes"))
    if used < moved:
        meanings.append((PALE, "moved, not used"))
    surface.legend(meanings)
    return surface.figure


def _sector(surface, picture: Picture, users: dict, sector: int, x: float, y: float, cells_each: int) -> None:
    start = sector * SECTOR_BYTES // _size(picture)
    for k in range(cells_each):
        lanes = users.get(start + k, [])
        fill = PALE if not lanes else BLUE if len(lanes) == 1 else ORANGE
        surface.box(x + k * 1.14, y, 1.14, 1, fill, lane_list(lanes), 8 if cells_each <= 8 else 6.5)
    surface.words(x, y - 0.32, _element(picture, start), 7, ha="left")


def _body(picture: Picture, users: dict, sectors: list[int]) -> str:
    """A line a sector: its first element, and the lanes that use its elements."""
    each = max(1, SECTOR_BYTES // _size(picture))
    starts = [sector * SECTOR_BYTES // _size(picture) for sector in sectors]
    cells = [[lane_list(users.get(start + k, [])) for k in range(each)] for start in starts]
    return grid_text(cells, [_element(picture, start) for start in starts])


def _element(picture: Picture, cell: int) -> str:
    index = picture.array.index_of(cell) if cell < picture.array.n_cells else (cell,)
    return f"{picture.array.name}[{', '.join(map(str, index))}]"


def _size(picture: Picture) -> int:
    return picture.array.dtype.itemsize


def _users(picture: Picture) -> dict[int, list[int]]:
    """Element -> lanes that touch it."""
    users: dict[int, list[int]] = {}
    for lane in np.flatnonzero(picture.active):
        for k in range(picture.access_bytes // _size(picture)):
            users.setdefault(int(picture.cells[lane]) + k, []).append(int(lane))
    return users


def _sectors_text(picture: Picture) -> str:
    count = touched_sectors(picture)
    return f"{count} sector{'s' if count > 1 else ''}"


def _alt(picture: Picture, used: int, moved: int) -> str:
    lanes = int(picture.active.sum())
    return (
        f"{_sectors_text(picture)} of 32 bytes of {picture.array.name}, drawn as boxes of elements; the elements that "
        f"the {lanes} active lanes {picture.kind} carry the lane's number: {used} of {moved} bytes."
    )
