"""Whether nbgrader will take a notebook in: it refuses one with a cell whose metadata it does not know, answer or not.

We find answers by their ids and grade such a notebook; without a word, the two gradebooks would differ.
"""

from __future__ import annotations

import codecs
import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

VERSION = 3
ANEW = "it is graded here; for nbgrader, let the student copy the answers into the released notebook."
MARK = f"nbgrader will not read this file, which begins with a byte order mark: {ANEW}"


def trouble_of(content: bytes, notebook: dict[str, Any]) -> str:
    """What nbgrader will not take of a submission as it came, for an instructor; "" for nothing."""
    return MARK if content.startswith(codecs.BOM_UTF8) else trouble(notebook)


def trouble(notebook: dict[str, Any]) -> str:
    """What nbgrader will not take of a parsed notebook, in a clause; "" where it takes all."""
    for place, cell in enumerate(notebook["cells"], start=1):
        metadata = cell.get("metadata", {})
        if "nbgrader" in metadata and (why := _refused(metadata["nbgrader"], cell["cell_type"])):
            return f"nbgrader will not take cell {place} ({why}): {ANEW}"
    return ""


def _refused(known: Any, cell_type: str) -> str:
    """Why nbgrader's own schema, and what it asks beyond it, refuses the metadata of a cell; "" where they do not."""
    import jsonschema

    schema = _schema()
    try:
        jsonschema.validate(known, schema)
    except jsonschema.ValidationError as error:
        where = ".".join(str(part) for part in error.absolute_path) or "its metadata"
        return f"{where}: {error.message}"[:200]
    if not schema:
        return ""
    if (known["grade"] or known["solution"] or known["locked"]) and not known.get("grade_id"):
        return "it has no grade_id"
    if known["grade"] and "points" not in known:
        return "it has no points"
    if known.get("task") and cell_type != "markdown":
        return "it is a task, but no markdown"
    if not known.get("task") and cell_type == "markdown" and known["grade"] != known["solution"]:
        return "it is markdown, which is graded by hand or not at all"
    return ""


@cache
def _schema() -> dict[str, Any]:
    """nbgrader's schema of a cell's metadata; {} where it is not installed. Importing nbgrader would take seconds."""
    found = importlib.util.find_spec("nbgrader")
    path = Path(found.origin).parent / "nbgraderformat" / f"v{VERSION}.json" if found and found.origin else None
    return json.loads(path.read_text()) if path and path.is_file() else {}
