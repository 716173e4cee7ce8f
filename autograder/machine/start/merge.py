"""Carry what a learner wrote over into a newer version of a notebook: three versions, cell by cell.

Notebooks are dictionaries as in their JSON (nbformat 4.5). `base` is what the learner was given, `theirs` what it has
become, `newer` what is released now. Cells are known by their ids; an id of the form `cell-012` only counts cells, so
that such a cell is taken for the same one only where its text is the same in `base` and `newer`.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

Notebook = dict[str, Any]
Cell = dict[str, Any]
COUNTED = re.compile(r"cell-\d+")


def carried_over(base: Notebook, theirs: Notebook, newer: Notebook) -> Notebook:
    """`newer` with the learner's text in each cell that they changed, and their own cells where they stood."""
    given, own = _by_id(base), _by_id(theirs)
    merged = []
    for cell in newer["cells"]:
        mine, before = own.get(cell["id"]), given.get(cell["id"])
        if mine is not None and before is not None and _is_theirs(mine, before, cell):
            cell = {**cell, "source": mine["source"]}
        merged.append(cell)
    for cell, after in _added(given, theirs):
        merged.insert(_place(merged, after), deepcopy(cell))
    return {**newer, "cells": merged}


def _is_theirs(mine: Cell, before: Cell, newer: Cell) -> bool:
    """Whether the learner changed a cell that still asks for the same thing. Locked cells are never theirs."""
    if mine["cell_type"] != newer["cell_type"] or newer["metadata"].get("nbgrader", {}).get("locked"):
        return False
    same_cell = not COUNTED.fullmatch(newer["id"]) or text(before) == text(newer)
    return same_cell and text(mine) != text(before)


def _added(given: dict[str, Cell], theirs: Notebook) -> list[tuple[Cell, str | None]]:
    """Cells that the learner put in, each with the id of the cell that it stands below; None at the top."""
    found: list[tuple[Cell, str | None]] = []
    after = None
    for cell in theirs["cells"]:
        if cell.get("id") not in given and text(cell).strip():
            found.append((cell, after))
        after = cell.get("id")
    return found


def _place(cells: list[Cell], after: str | None) -> int:
    """The index below the cell of that id; at the end, where it is gone."""
    if after is None:
        return 0
    return next((at + 1 for at, cell in enumerate(cells) if cell.get("id") == after), len(cells))


def _by_id(notebook: Notebook) -> dict[str, Cell]:
    return {cell["id"]: cell for cell in notebook["cells"] if cell.get("id")}


def text(cell: Cell) -> str:
    """A cell's source as one string: JSON holds a string or a list of lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)
