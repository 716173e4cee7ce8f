"""Recording on a machine that may go away, and taking what it recorded, on a unit of five small cells."""

from __future__ import annotations

import subprocess
import sys

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from autograder.classroom.for_nbgrader.recording_note import RECORD
from tools import record_outputs
from tools.parts.units import ROOT, Unit

SOURCES = ("x = 1\nprint(x)", "y = x + 1", "print(y)", "raise SystemError('it went away')", "print(x, y)")
BARE_MACHINE = """
import sys
sys.modules.update(dict.fromkeys(("jupytext", "nbgrader")))  # an import of either fails
from tools import record_outputs
record_outputs.units_of = lambda folder: []
sys.exit(record_outputs.main(["--to", sys.argv[1]]))
"""


@pytest.fixture
def unit(tmp_path) -> Unit:
    """A unit whose fourth code cell fails, with its solved notebook, never recorded."""
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{place}") for place, source in enumerate(SOURCES, 1)]
    path = tmp_path / "01_small" / "01_small.ipynb"
    path.parent.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Small"), *cells]), path)
    return Unit("01_small", path.with_suffix(".py"))


@pytest.fixture
def cut_off(unit, tmp_path):
    """The folder into which the unit was recorded until its failing cell."""
    folder = tmp_path / "recorded"
    with pytest.raises(CellExecutionError, match="it went away"):
        record_outputs.record_elsewhere(unit, folder)
    return folder


def solved(unit: Unit):
    return nbformat.read(unit.source.with_suffix(".ipynb"), as_version=4)


def change(unit: Unit, place: int, source: str) -> None:
    notebook = solved(unit)
    notebook.cells[place].source = source
    nbformat.write(notebook, unit.source.with_suffix(".ipynb"))


def texts(notebook) -> list[str]:
    return ["".join(output.get("text", "") for output in cell.outputs).strip() for cell in notebook.cells[1:]]


def test_a_recording_that_is_cut_off_leaves_the_notebook_alone_and_keeps_every_cell_that_ran(unit, cut_off):
    kept = nbformat.read(cut_off / "01_small.ipynb", as_version=4)

    assert ["", "", "", "", ""] == texts(solved(unit)) and RECORD not in solved(unit).metadata
    assert ["1", "", "2", "", ""] == texts(kept)
    assert [True, True, True, False, False] == [RECORD in cell.metadata for cell in kept.cells[1:]]


def test_cells_that_ran_are_taken_with_their_stamps_and_the_device(unit, cut_off):
    said = record_outputs.take(unit, cut_off, skip=[])

    assert "3 of 5 cells taken" == said
    assert ["1", "", "2", "", ""] == texts(solved(unit))
    assert {"device", "date"} == set(solved(unit).metadata[RECORD])
    assert {"cells", "date"} == set(solved(unit).cells[3].metadata[RECORD])


def test_a_cell_that_was_changed_meanwhile_or_is_to_be_left_is_not_taken(unit, cut_off):
    change(unit, 1, "x = 1\nprint(x, x)")
    said = record_outputs.take(unit, cut_off, skip=["cell-2"])

    assert "1 of 5 cells taken; other source there, not taken: cell-1" == said
    assert ["", "", "2", "", ""] == texts(solved(unit))


def test_a_unit_that_was_not_recorded_there_is_left_as_it_is(unit, tmp_path):
    assert f"no {tmp_path / '01_small.ipynb'}" == record_outputs.take(unit, tmp_path, skip=[])


def test_what_was_taken_is_old_once_a_cell_before_it_changed(unit, cut_off, monkeypatch):
    record_outputs.take(unit, cut_off, skip=[])
    monkeypatch.setattr(record_outputs, "units_of", lambda folder: [unit])
    assert [] == record_outputs.stale()

    change(unit, 2, "y = x + 2")
    (line,) = record_outputs.stale()

    assert ["01_small", "cell-3"] == line.split()[:2] and line.endswith("its source or a cell it builds on")


def test_a_machine_that_has_nothing_to_build_the_course_with_records(tmp_path):
    ran = subprocess.run([sys.executable, "-c", BARE_MACHINE, tmp_path], cwd=ROOT, capture_output=True, text=True)

    assert (0, "") == (ran.returncode, ran.stderr)
