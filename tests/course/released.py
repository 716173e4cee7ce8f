"""The units of the course, their authored sources and their notebooks, read once for the tests beside this file."""

from __future__ import annotations

import re
from functools import cache

import nbformat
from nbformat import NotebookNode

from tools.parts.units import ROOT, Unit, units_of

UNITS = units_of(ROOT / "solutions")
GRADED = [unit for unit in UNITS if not unit.id.startswith("00_")]
REGION = re.compile(r"^ *### BEGIN SOLUTION\n(.*?)^ *### END SOLUTION", flags=re.MULTILINE | re.DOTALL)


@cache
def notebook(part: str, unit_id: str) -> NotebookNode:
    """One notebook. part: "solutions" or "course"."""
    return nbformat.read(ROOT / part / unit_id / f"{unit_id}.ipynb", as_version=4)


def code_cells(part: str, unit_id: str) -> list[NotebookNode]:
    """The code cells of one notebook, in order."""
    return [cell for cell in notebook(part, unit_id).cells if cell.cell_type == "code"]


def cell(part: str, unit_id: str, cell_id: str) -> NotebookNode:
    """The cell with this id."""
    return next(cell for cell in notebook(part, unit_id).cells if cell.id == cell_id)


def without_comment(line: str) -> str:
    """A line of code without its comment and the space around it."""
    return line.split("  #")[0].split("# ")[0].strip()


def answer_lines(unit: Unit) -> list[str]:
    """Every line inside a solution region of a unit's source, without its comment."""
    regions = REGION.findall(unit.source.read_text())
    return [line for region in regions for line in map(without_comment, region.splitlines()) if line]


def lines_outside_answers(unit: Unit) -> list[str]:
    """Every line of code that a unit's source shows to everybody, without its comment."""
    open_text = REGION.sub("", unit.source.read_text())
    return [line for line in map(without_comment, open_text.splitlines()) if line and not line.startswith("#")]
