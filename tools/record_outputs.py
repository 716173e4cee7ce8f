"""Run solved notebooks on this machine and keep what they print and draw, with the device and the date.

    python -m tools.record_outputs                  every unit
    python -m tools.record_outputs 06_reductions    these units
    python -m tools.record_outputs --tasks          only the pictures of tasks, and what predictions note
    python -m tools.record_outputs --missing        only cells that have no outputs, but for races

Cells run in a scratch directory with the repository on the path, each notebook in a kernel of its own. An error
stops the notebook and leaves its file as it was: a solved notebook must run from top to bottom.
Pictures of tasks and notes of predictions ask no GPU, so any machine draws them alike, and what a GPU said stays.
A cell that was changed has lost its outputs; `--missing` fills it in, and leaves races to a GPU.
"""

from __future__ import annotations

import argparse
import copy
import datetime
import os
import platform
import subprocess
import sys
import tempfile
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from autograder.classroom.for_nbgrader.release import RECORD, remove_note
from tools.build_notebooks import build
from tools.parts.notebook_source import render
from tools.parts.task_cells import lacks_outputs, task_cells
from tools.parts.units import ROOT, Unit, units_of

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


def record(unit: Unit) -> float:
    """Run one unit's solved notebook and write its outputs into it. Returns: seconds.

    Raises: CellExecutionError with the cell and its traceback.
    """
    path = unit.source.with_suffix(".ipynb")
    notebook = nbformat.read(path, as_version=4)
    remove_note(notebook)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        client = NotebookClient(
            notebook, timeout=CELL_TIMEOUT_S, record_timing=False, resources={"metadata": {"path": scratch}}
        )
        client.execute()
    notebook.metadata[RECORD] = {"device": device_name(), "date": datetime.date.today().isoformat()}
    path.write_text(render(notebook))
    return time.monotonic() - began


def redraw(unit: Unit) -> int:
    """Draw the tasks of one recorded unit anew, and note its predictions. Returns: how many cells changed.

    A cell whose pictures and texts are the same keeps its old ones, so that a diff shows what changed.
    """
    path = unit.source.with_suffix(".ipynb")
    notebook = nbformat.read(path, as_version=4)
    if RECORD not in notebook.metadata:
        return 0
    remove_note(notebook)
    cells = list(task_cells(notebook))
    drawn = nbformat.v4.new_notebook()
    drawn.cells = [nbformat.v4.new_code_cell(f"from autograder import exercise\n{source}") for _, source in cells]
    NotebookClient(drawn, timeout=CELL_TIMEOUT_S, record_timing=False).execute()
    changed = 0
    for (cell, _), fresh in zip(cells, drawn.cells, strict=True):
        if _seen(cell.outputs) != _seen(fresh.outputs):
            cell.outputs, changed = fresh.outputs, changed + 1
    path.write_text(render(notebook))
    return changed


def fill(unit: Unit) -> int:
    """Run one recorded unit here and keep the outputs of cells that have none. Returns: how many were filled in."""
    path = unit.source.with_suffix(".ipynb")
    notebook = nbformat.read(path, as_version=4)
    if RECORD not in notebook.metadata or not any(map(lacks_outputs, notebook.cells)):
        return 0
    remove_note(notebook)
    fresh = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as scratch:
        folder = {"metadata": {"path": scratch}}
        NotebookClient(fresh, timeout=CELL_TIMEOUT_S, record_timing=False, resources=folder).execute()
    filled = 0
    for cell, ran in zip(notebook.cells, fresh.cells, strict=True):
        if lacks_outputs(cell):
            cell.outputs, filled = ran.outputs, filled + 1
    path.write_text(render(notebook))
    return filled


def _seen(outputs: list) -> list[dict]:
    """What outputs show; without vector graphics, whose names of parts differ from run to run."""
    return [
        {kind: data for kind, data in output.get("data", {}).items() if kind != "image/svg+xml"} for output in outputs
    ]


def main(arguments: list[str] | None = None) -> int:
    """Build the units, record them, and build again so that the note on the recording is in place."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("units", nargs="*", help="unit ids; all by default")
    parser.add_argument("--tasks", action="store_true", help="pictures of tasks and predictions alone, on any machine")
    parser.add_argument("--missing", action="store_true", help="cells without outputs alone, races left to a GPU")
    options = parser.parse_args(arguments)
    chosen = options.units
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    build(ROOT, chosen)
    failed = []
    for unit in units_of(ROOT / "solutions"):
        if chosen and unit.id not in chosen:
            continue
        try:
            if options.tasks or options.missing:
                drawn = redraw(unit) if options.tasks else 0
                print(
                    f"{unit.id}: {drawn} cells drawn anew, {fill(unit) if options.missing else 0} filled in", flush=True
                )
                continue
            print(f"{unit.id}: recorded in {record(unit):.0f} s", flush=True)
        except CellExecutionError as error:
            failed.append(unit.id)
            print(f"{unit.id}: not recorded\n{error}", flush=True)
    build(ROOT, chosen)
    if failed:
        sys.exit(f"Not recorded: {', '.join(failed)}. Mend the cell shown above and repeat.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
