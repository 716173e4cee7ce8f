"""Figures that were recorded on a named GPU, for readers who have none: a table, with device and date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograder.answer.reference import solutions_folder
from autograder.machine.course_home import course_home
from autograder.notebook import display

ABSENT = "No figures of {name} are on record here: benchmarks/ comes with the project. With a GPU: {make}."
MAKE = "python benchmarks/bench_{name}.py"


def recorded(name: str, part: str = "") -> dict[str, Any]:
    """Show benchmarks/results/NAME.json as a table, and return it; {} with the reason shown where it is absent.

    part: the table of a file that holds several under "parts", as in recorded("performance", "latency").
    """
    document = document_of(name)
    if not document or part not in document.get("parts", {part: None}):
        display.text(ABSENT.format(name=name, make=MAKE.format(name=name)))
        return {}
    shown = document["parts"][part] if part else document
    display.text(heading(document))
    display.table(tuple(shown["columns"]), [tuple(row) for row in shown["rows"]])
    return shown


def heading(document: dict[str, Any]) -> str:
    """What stands above a table: where it was measured, and when."""
    return f"{document['device']}, {document['date']}:"


def forms(name: str, part: str = "") -> tuple[tuple[str, str], tuple[str, str]]:
    """What `recorded` shows, as text and as HTML: the line above the table, and the table."""
    document = document_of(name)
    shown = document["parts"][part] if part else document
    table = display.table_forms(tuple(shown["columns"]), [tuple(row) for row in shown["rows"]])
    return display.text_forms(heading(document)), table


def document_of(name: str) -> dict[str, Any]:
    """What benchmarks/results/NAME.json holds; {} where it is absent."""
    path = results_file(name)
    return json.loads(path.read_text(encoding="utf-8")) if path else {}


def results_file(name: str) -> Path | None:
    """The file, in the project that this package or the solved notebooks belong to."""
    folders = [course_home(), *([solutions.parent] if (solutions := solutions_folder()) else [])]
    paths = (folder / "benchmarks" / "results" / f"{name}.json" for folder in folders)
    return next((path for path in paths if path.is_file()), None)
