"""What a release removes besides the solutions: the numbers to predict, and the note on the recording.

nbgrader runs both while it generates an assignment; `nbgrader_config.py` names them.
"""

from __future__ import annotations

import ast

from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.classroom.for_nbgrader.recording_note import RECORD, remove_note

BLANK = "..."  # what a learner replaces with a number


class BlankPredictions(NbGraderPreprocessor):
    """Replace every number given to ``q.predict(name=number)`` by ``...``: learners commit to their own."""

    def preprocess_cell(self, cell, resources, cell_index):
        """Blank one cell, if it is tagged "predict"."""
        if cell.cell_type == "code" and "predict" in cell.metadata.get("tags", []):
            cell.source = blank_predictions(cell.source)
        return cell, resources


class DropRecording(NbGraderPreprocessor):
    """Remove the note on where the outputs were recorded: a released notebook has no outputs."""

    def preprocess(self, nb, resources):
        """Drop the note at the end of the first cell and the metadata about the recording, the cells' own too."""
        remove_note(nb)
        for part in (nb, *nb.cells):
            part.metadata.pop(RECORD, None)
        return nb, resources


def blank_predictions(source: str) -> str:
    """The source of a predict cell with ``...`` for the value of every keyword of ``….predict(…)``.

    Raises: ValueError where the cell predicts nothing, since then there is nothing for a learner to do.
    """
    values = [
        keyword.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "predict"
        for keyword in node.keywords
    ]
    if not values:
        raise ValueError(f"A predict cell predicts nothing:\n{source}\nCall q.predict(name=number) in it.")
    lines = [line.encode() for line in source.split("\n")]  # ast counts columns in UTF-8 bytes
    for value in sorted(values, key=lambda value: (value.lineno, value.col_offset), reverse=True):
        first, last = value.lineno - 1, value.end_lineno - 1
        joined = lines[first][: value.col_offset] + BLANK.encode() + lines[last][value.end_col_offset :]
        lines[first : last + 1] = [joined]
    return b"\n".join(lines).decode()
