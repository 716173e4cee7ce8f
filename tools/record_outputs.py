"""Run solved notebooks on this machine and keep what they print and draw, with the device and the date.

    python -m tools.record_outputs                  every unit
    python -m tools.record_outputs 06_reductions    these units
    python -m tools.record_outputs --tasks          only the pictures of tasks, and what predictions note
    python -m tools.record_outputs --missing        only cells that have no outputs, but for races
    python -m tools.record_outputs --stale          which outputs are of other cells, or of another judge, than today's
    python -m tools.record_outputs --to FOLDER      elsewhere, saved after every cell; for a machine that is lent
    python -m tools.record_outputs --from FOLDER    and what that machine recorded, also a part of it, put in here

Cells run in a scratch directory with the repository on the path, each notebook in a kernel of its own. An error
stops the notebook and leaves its file as it was: a solved notebook must run from top to bottom.
Pictures of tasks and notes of predictions ask no GPU, so any machine draws them alike, and what a GPU said stays.
A cell that was changed has lost its outputs; `--missing` fills it in, and leaves races to a GPU.
`--to` needs nbclient and ipykernel, and nothing that builds the course; `--from` takes cells whose source is the same.
"""

from __future__ import annotations

import argparse
import copy
import datetime
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from autograder.classroom.for_nbgrader.recording_note import RECORD, remove_note
from tools.parts import recorded as recorded_cells
from tools.parts import running, stamps
from tools.parts.notebook_source import render
from tools.parts.task_cells import lacks_outputs, task_cells
from tools.parts.units import ROOT, Unit, units_of


def record(unit: Unit) -> str:
    """Run one unit's solved notebook and write its outputs into it. Returns: what was done.

    Raises: CellExecutionError with the cell and its traceback.
    """
    path, notebook = _solved(unit)
    began = time.monotonic()
    running.without_outputs(notebook)
    running.run(notebook)
    _stamp_all(unit, notebook)
    notebook.metadata[RECORD] = _here()
    path.write_text(render(notebook))
    return f"recorded in {time.monotonic() - began:.0f} s"


def record_elsewhere(unit: Unit, folder: Path) -> str:
    """Run one unit's solved notebook and write it to a folder after every cell, so that a machine may go away.

    Raises: CellExecutionError with the cell and its traceback; what ran before it is in the folder.
    """
    _, notebook = _solved(unit)
    running.without_outputs(notebook)
    judging, began, ran = stamps.judging_files(unit.id), time.monotonic(), []
    notebook.metadata[RECORD] = _here()

    def save(place: int) -> None:
        stamps.stamp(notebook, place, judging)
        ran.append(place)
        (folder / f"{unit.id}.ipynb").write_text(render(notebook))
        print(f"{time.monotonic() - began:7.1f} s  {notebook.cells[place].id}", flush=True)

    folder.mkdir(parents=True, exist_ok=True)
    running.run(notebook, save)
    return f"{len(ran)} cells recorded in {time.monotonic() - began:.0f} s"


def take(unit: Unit, folder: Path, skip: list[str]) -> str:
    """Put into one unit's solved notebook what `record_elsewhere` wrote to a folder. skip: ids of cells to leave."""
    written = folder / f"{unit.id}.ipynb"
    if not written.exists():
        return f"no {written}"
    recorded = nbformat.read(written, as_version=4)
    path, notebook = _solved(unit)
    taken, strange = recorded_cells.take(notebook, recorded, skip, only_noted=True)
    if taken:
        notebook.metadata[RECORD] = recorded.metadata[RECORD]
    path.write_text(render(notebook))
    other = f"; other source there, not taken: {', '.join(strange)}" if strange else ""
    return f"{len(taken)} of {_code_cells(notebook)} cells taken{other}"


def redraw(unit: Unit) -> str:
    """Draw the tasks of one recorded unit anew, and note its predictions. Returns: how many cells changed.

    A cell whose pictures and texts are the same keeps its old ones, so that a diff shows what changed.
    """
    path, notebook = _solved(unit)
    if RECORD not in notebook.metadata:
        return "never recorded"
    cells = list(task_cells(notebook))
    drawn = nbformat.v4.new_notebook()
    drawn.cells = [nbformat.v4.new_code_cell(f"from autograder import exercise\n{source}") for _, source in cells]
    running.run(drawn)
    judging, changed = stamps.judging_files(unit.id), 0
    for (cell, _), fresh in zip(cells, drawn.cells, strict=True):
        if _seen(cell.outputs) != _seen(fresh.outputs):
            cell.outputs, changed = fresh.outputs, changed + 1
            cell.metadata.pop(RECORD, None)
        kept = cell.metadata.get(RECORD, {}).get("date")  # what is drawn alike today is as old as it was
        stamps.stamp(notebook, notebook.cells.index(cell), judging, kept)
    path.write_text(render(notebook))
    return f"{changed} cells drawn anew"


def fill(unit: Unit) -> str:
    """Run one recorded unit here and keep the outputs of cells that have none. Returns: how many were filled in."""
    path, notebook = _solved(unit)
    if RECORD not in notebook.metadata or not any(map(lacks_outputs, notebook.cells)):
        return "nothing missing"
    fresh, judging, filled = copy.deepcopy(notebook), stamps.judging_files(unit.id), 0
    running.run(fresh)
    for place, (cell, ran) in enumerate(zip(notebook.cells, fresh.cells, strict=True)):
        if lacks_outputs(cell):
            cell.outputs, filled = ran.outputs, filled + 1
            stamps.stamp(notebook, place, judging)
    path.write_text(render(notebook))
    return f"{filled} filled in"


def stale() -> list[str]:
    """A line for each cell of the solved notebooks whose outputs are of something else than today's."""
    found = []
    for unit in units_of(ROOT / "solutions"):
        _, notebook = _solved(unit)
        for cell, changed in stamps.changed_since(notebook, stamps.judging_files(unit.id)):
            date = cell.metadata.get(RECORD, {}).get("date", "?")
            found.append(f"{unit.id:18} {cell.id:28} {date:10}  since changed: {changed}")
    return found


def _solved(unit: Unit) -> tuple[Path, NotebookNode]:
    """The file of a unit's solved notebook, and its content without the note on the recording."""
    path = unit.source.with_suffix(".ipynb")
    notebook = nbformat.read(path, as_version=4)
    remove_note(notebook)
    return path, notebook


def _here() -> dict[str, str]:
    return {"device": running.device_name(), "date": datetime.date.today().isoformat()}


def _stamp_all(unit: Unit, notebook: NotebookNode) -> None:
    judging = stamps.judging_files(unit.id)
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            stamps.stamp(notebook, place, judging)


def _code_cells(notebook: NotebookNode) -> int:
    return sum(cell.cell_type == "code" for cell in notebook.cells)


def _seen(outputs: list) -> list[dict]:
    """What outputs show; without vector graphics, whose names of parts differ from run to run."""
    return [
        {kind: data for kind, data in output.get("data", {}).items() if kind != "image/svg+xml"} for output in outputs
    ]


def work_of(options: argparse.Namespace) -> list[Callable[[Unit], str]]:
    """What the options ask to be done with each unit, in order."""
    if options.to:
        return [lambda unit: record_elsewhere(unit, options.to)]
    if options.taken:
        return [lambda unit: take(unit, options.taken, options.skip)]
    return [redraw] * options.tasks + [fill] * options.missing or [record]


def main(arguments: list[str] | None = None) -> int:
    """Build the units, record them, and build again so that the note on the recording is in place."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", nargs="*", help="unit ids; all by default")
    parser.add_argument("--tasks", action="store_true", help="pictures of tasks and predictions alone, on any machine")
    parser.add_argument("--missing", action="store_true", help="cells without outputs alone, races left to a GPU")
    parser.add_argument("--stale", action="store_true", help="list cells whose outputs are old; 1 where there are any")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="record to a folder, saved after every cell")
    parser.add_argument("--from", type=Path, metavar="FOLDER", dest="taken", help="take what --to recorded")
    parser.add_argument("--skip", nargs="*", default=[], metavar="CELL", help="with --from: ids of cells to leave")
    options = parser.parse_args(arguments)
    if options.stale:
        found = stale()
        print("\n".join(found) or "every output is of today's cells and judges")
        return int(bool(found))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    if options.to:
        failed = run_all(options)
    else:
        from tools.build_notebooks import build  # here, since a machine that only records has neither of its tools

        build(ROOT, options.units)
        failed = run_all(options)
        build(ROOT, options.units)
    if failed:
        sys.exit(f"Not recorded: {', '.join(failed)}. Mend the cell shown above and repeat.")
    return 0


def run_all(options: argparse.Namespace) -> list[str]:
    """Do what was asked with every chosen unit, and say so. Returns: the units in which a cell failed."""
    failed = []
    for unit in units_of(ROOT / "solutions"):
        if options.units and unit.id not in options.units:
            continue
        try:
            print(f"{unit.id}: {', '.join(work(unit) for work in work_of(options))}", flush=True)
        except CellExecutionError as error:
            failed.append(unit.id)
            print(f"{unit.id}: not recorded\n{error}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
