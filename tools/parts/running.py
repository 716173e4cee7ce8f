"""A notebook run here, cell by cell, so that a recording may be cut off."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Callable

from nbclient import NotebookClient
from nbformat import NotebookNode

from autograder.classroom.for_nbgrader.recording_note import RECORD
from autograder.machine.scratch import ScratchFolder

CELL_TIMEOUT_S = 300


def device_name() -> str:
    """The GPU's name, or the processor's architecture where there is none."""
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except OSError:
        shown = None
    names = shown.stdout.split("\n") if shown and shown.returncode == 0 else [""]
    return names[0].strip() or f"a machine without a GPU ({platform.machine()})"


def run(notebook: NotebookNode, after_cell: Callable[[int], None] = lambda place: None) -> None:
    """Run a notebook in a scratch directory and keep its outputs in it. after_cell: told the place of a cell that ran.

    Raises: CellExecutionError with the cell and its traceback.
    """

    def told(cell: NotebookNode, cell_index: int, execute_reply: dict) -> None:
        if execute_reply["content"]["status"] == "ok":
            after_cell(cell_index)

    with ScratchFolder("notebook") as scratch:
        folder = {"metadata": {"path": scratch}}
        client = NotebookClient(notebook, timeout=CELL_TIMEOUT_S, record_timing=False, resources=folder)
        client.on_cell_executed = told
        client.execute()


def without_outputs(notebook: NotebookNode) -> None:
    """Forget what the code cells of a notebook showed, and what that was of."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.metadata.pop(RECORD, None)
