"""What a recorded notebook shows, put into the cells of another that have the same source."""

from __future__ import annotations

from collections.abc import Container

from nbformat import NotebookNode

from autograder.classroom.for_nbgrader.recording_note import RECORD


def take(
    notebook: NotebookNode, recorded: NotebookNode, skip: Container[str] = (), only_noted: bool = False
) -> tuple[list[NotebookNode], list[str]]:
    """Give code cells the outputs, the number and the note of the recorded cell with the same source, in order.

    skip: ids of cells to leave as they are; only_noted: leave out recorded cells without a note of where they ran.
    Returns: the cells that took something, and the ids of recorded cells whose source no cell here has.
    """
    ran: dict[str, list[NotebookNode]] = {}
    for cell in recorded.cells:
        if cell.cell_type == "code" and (RECORD in cell.metadata or not only_noted):
            ran.setdefault(cell.source, []).append(cell)
    taken = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and ran.get(cell.source):
            fresh = ran[cell.source].pop(0)
            if cell.id not in skip:
                cell.outputs, cell.execution_count = fresh.outputs, fresh.execution_count
                if RECORD in fresh.metadata:
                    cell.metadata[RECORD] = fresh.metadata[RECORD]
                taken.append(cell)
    return taken, [cell.id for cells in ran.values() for cell in cells]
