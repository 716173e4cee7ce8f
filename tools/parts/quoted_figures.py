"""Tables that a solved notebook quotes from benchmarks/results/: kept as the files say, whatever was recorded when."""

from __future__ import annotations

import ast
import re

from nbformat import NotebookNode

from autograder.notebook.recorded import forms

HEADING = re.compile(r".+, \d{4}-\d\d-\d\d:$")


def calls(source: str) -> list[tuple[str, str]]:
    """What a cell asks `recorded` for, in order: the name of a file, and of a part of it or ""."""
    if "recorded(" not in source:
        return []
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [node for node in nodes if isinstance(node.func, ast.Name) and node.func.id == "recorded"]
    found = []
    for node in sorted(named, key=lambda node: node.lineno):
        name, part, *_ = [*(ast.literal_eval(argument) for argument in node.args), ""]
        found.append((name, part))
    return found


def refresh(cell: NotebookNode) -> None:
    """Put the tables of today into the outputs of a code cell that was run."""
    for place, wanted in zip(headings(cell), calls(cell.source), strict=False):
        for output, (plain, html) in zip(cell.outputs[place : place + 2], forms(*wanted), strict=True):
            output.data = NotebookNode({"text/html": html, "text/plain": plain})


def headings(cell: NotebookNode) -> list[int]:
    """Which of a cell's outputs are lines that say where a table comes from; the table is the next output."""
    texts = ["".join(output.get("data", {}).get("text/plain", "")) for output in cell.outputs]
    return [place for place, text in enumerate(texts[:-1]) if HEADING.fullmatch(text)]
