"""The cells of a notebook that draw a task or note a prediction: nothing in them asks a GPU or an answer.

And those that should show something and do not.
"""

from __future__ import annotations

import ast
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


SHOWS = {"print", "recorded", "ladder", "doctor", "show", "check", "predict", "step", "hint", "photograph"}


def lacks_outputs(cell: NotebookNode) -> bool:
    """Whether a cell calls what shows something, outside of functions, and has no outputs. Races are a GPU's alone."""
    if cell.cell_type != "code" or cell.outputs or ".race(" in cell.source:
        return False
    return any(_shows(statement) for statement in ast.parse(cell.source).body)


def _shows(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.FunctionDef):
        return False
    calls = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
    return bool(SHOWS & {getattr(call, "id", getattr(call, "attr", "")) for call in calls})
