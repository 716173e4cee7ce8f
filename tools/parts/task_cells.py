"""The cells of a notebook that draw a task or note a prediction: nothing in them asks a GPU or an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbformat import NotebookNode

NAMED = re.compile(r"^q = exercise\(.*\)$", re.MULTILINE)
ALONE = re.compile(r"(?:q = exercise\([^\n]*\)\n)?(?:q\.show\(\)\n?)?(?:q\.predict\([^\n]*\)\n?)?")


def task_cells(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, str]]:
    """Each such cell, with its source behind the line that says which exercise `q` is, so that it can run alone."""
    named = ""
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        named = [named, *NAMED.findall(cell.source)][-1]
        if "q." in cell.source and ALONE.fullmatch(cell.source):
            yield cell, f"{named}\n{cell.source}"
