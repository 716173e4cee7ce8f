"""What a picture of an answer is drawn from, as it travels out of the jail: numbers and names, never the picture.

The jail knows what a kernel touched; the judge draws it. What comes is checked part by part, and bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder import plain_data
from simt.analyses.recorder import Outside, Picture
from simt.events import ArrayInfo, Finding, Site
from simt.hardware import WARP_SIZE

KINDS = ("race", "outside", "banks", "sectors")  # figures that show one mistake, and nothing but that
MOST_TEXT = 300  # characters of a name or an expression
MOST = 1 << 48  # of any number: beyond every address and index
MOST_AXES, MOST_ITEM_BYTES = 4, 16


@dataclass(frozen=True)
class ArrayPart:
    """Of an ArrayInfo, what figures read."""

    name: str
    space: str
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    n_cells: int
    base_address: int
    first_cell: int


@dataclass(frozen=True)
class AccessPart:
    """One warp-wide access. lanes: that take part, or that left the array; the others are as in Picture and Outside."""

    line: int
    text: str
    kind: str
    array: ArrayPart
    block: tuple[int, int, int]
    warp: int
    lanes: tuple[int, ...]
    cells: tuple[int, ...]
    indices: tuple[tuple[int, ...], ...] = ()
    inside: tuple[int, ...] = ()
    access_bytes: int = 0


def packed(what: str, subject: Any) -> dict[str, Any]:
    """What `simt.figures.chosen` found, as a JSON-ready document; an empty one for what tells no one mistake."""
    if what not in KINDS:
        return {}
    if isinstance(subject, Finding):
        return {"what": what, "finding": plain_data.to_json(subject)}
    return {"what": what, "access": plain_data.to_json(_part_of(subject))}


def unpacked(document: dict[str, Any]) -> tuple[str, Any] | None:
    """What `simt.figures.drawn` takes; None where there is nothing. Raises: TypeError, ValueError for no such thing."""
    if not document:
        return None
    what = document.get("what")
    if what not in KINDS:
        raise ValueError("there is no such picture")
    if what == "race":
        return what, plain_data.from_json(Finding, document.get("finding"))
    part = plain_data.from_json(AccessPart, document.get("access"))
    _check(part, outside=what == "outside")
    return what, _outside_of(part) if what == "outside" else _picture_of(part)


def _part_of(subject: Picture | Outside) -> AccessPart:
    array = subject.array
    known = ArrayPart(
        array.name[:MOST_TEXT],
        array.space,
        array.dtype.str,
        tuple(array.shape),
        tuple(array.strides),
        array.n_cells,
        array.base_address,
        array.first_cell,
    )
    where = subject.site.line, subject.site.text[:MOST_TEXT], subject.kind, known, subject.block, subject.warp
    if isinstance(subject, Outside):
        indices = tuple(map(tuple, subject.indices.tolist()))
        return AccessPart(
            *where,
            tuple(subject.lanes.tolist()),
            tuple(subject.cells.tolist()),
            indices,
            tuple(subject.inside.tolist()),
        )
    lanes = np.flatnonzero(subject.active)
    return AccessPart(
        *where, tuple(lanes.tolist()), tuple(subject.cells[lanes].tolist()), access_bytes=subject.access_bytes
    )


def _check(part: AccessPart, outside: bool) -> None:
    """Raise ValueError for numbers that no access has."""
    array = part.array
    numbers = [*array.shape, *array.strides, array.n_cells, array.base_address, array.first_cell, *part.block]
    numbers += [*part.cells, *(number for index in part.indices for number in index), part.line, part.warp]
    if any(abs(number) > MOST for number in numbers) or max(map(len, (part.text, array.name))) > MOST_TEXT:
        raise ValueError("a number is too large, or a text too long")
    if not 1 <= len(array.shape) == len(array.strides) <= MOST_AXES or min(array.shape) < 0:
        raise ValueError("an array has no such shape")
    for lanes in (part.lanes, part.inside):
        if len(set(lanes)) != len(lanes) or not set(lanes) <= set(range(WARP_SIZE)):
            raise ValueError("these are no lanes")
    if not part.lanes or len(part.cells) != len(part.inside if outside else part.lanes):
        raise ValueError("there are not as many cells as lanes")
    if outside and [len(index) for index in part.indices] != [len(array.shape)] * len(part.lanes):
        raise ValueError("there are not as many indices as lanes")
    if not outside and not 1 <= part.access_bytes <= MOST_ITEM_BYTES:
        raise ValueError("no access has so many bytes")


def _array_of(part: ArrayPart) -> ArrayInfo:
    dtype = np.dtype(part.dtype)
    if dtype.kind not in "biufc" or dtype.itemsize > MOST_ITEM_BYTES:
        raise ValueError("an array holds no numbers")
    rest: dict[str, Any] = {"base_address": part.base_address, "first_cell": part.first_cell}
    return ArrayInfo((), part.name, part.space, dtype, part.shape, part.strides, part.n_cells, **rest)


def _site_of(part: AccessPart) -> Site:
    return Site(0, "", part.line, 0, part.text)


def _outside_of(part: AccessPart) -> Outside:
    lanes, inside, cells = (np.array(each, np.int64) for each in (part.lanes, part.inside, part.cells))
    where = _site_of(part), part.kind, _array_of(part.array), part.block, part.warp
    return Outside(*where, lanes, np.array(part.indices, np.int64), inside, cells)


def _picture_of(part: AccessPart) -> Picture:
    array = _array_of(part.array)
    active, cells = np.zeros(WARP_SIZE, bool), np.zeros(WARP_SIZE, np.int64)
    active[list(part.lanes)] = True
    cells[list(part.lanes)] = part.cells
    addresses = array.base_address + cells * array.dtype.itemsize
    return Picture(_site_of(part), part.kind, array, part.block, part.warp, active, cells, addresses, part.access_bytes)
