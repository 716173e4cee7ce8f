"""Every notebook runs from top to bottom here: solved ones to full points, released ones to zero, without an error."""

from __future__ import annotations

import ast
import copy
import os
import re

import pytest
from jupyter_client import KernelManager
from nbclient import NotebookClient

from tests.course.released import GRADED, ROOT, UNITS, notebook

CELL_TIMEOUT_S = 300
PATH = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])


def run(part: str, unit_id: str, scratch, monkeypatch) -> dict:
    """Run a notebook in a kernel of its own. Returns: its cells by id, with outputs."""
    monkeypatch.setenv("PYTHONPATH", PATH)
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # in which a graded cell shows its points
    return executed(part, unit_id, resources={"metadata": {"path": str(scratch)}})


def executed(part: str, unit_id: str, **where) -> dict:
    """The cells of a notebook by id, with outputs. where: the kernel's folder, or the kernel."""
    fresh = copy.deepcopy(notebook(part, unit_id))
    NotebookClient(fresh, timeout=CELL_TIMEOUT_S, allow_errors=True, **where).execute()
    return {cell.id: cell for cell in fresh.cells}


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel that runs several notebooks, which takes less than one to start for each of them."""
    manager, shown = KernelManager(), {"NBGRADER_EXECUTION": "validate"}
    manager.start_kernel(cwd=str(tmp_path_factory.mktemp("kernel")), env={**os.environ, "PYTHONPATH": PATH, **shown})
    yield manager
    manager.shutdown_kernel(now=True)


def forget(manager: KernelManager, folder) -> None:
    """Leave the next notebook none of the names of the last one, and an empty folder."""
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=CELL_TIMEOUT_S)
    reply = client.execute_interactive(f"%reset -f\nimport os; os.chdir({str(folder)!r}); del os", allow_stdin=False)
    client.stop_channels()
    assert "ok" == reply["content"]["status"]


def points_of(cells: dict, suffix: str) -> dict[str, float]:
    """The value each graded cell of a kind ended with, by cell id."""
    return {
        cell_id: float(cell.outputs[-1].data["text/plain"])
        for cell_id, cell in cells.items()
        if cell_id.endswith(suffix) and "nbgrader" in cell.metadata
    }


def complaints(cells: dict, kinds: tuple[str, ...]) -> dict[str, list]:
    """Outputs of these kinds ("error", "stderr") by cell id."""
    found = {
        cell_id: [out for out in cell.get("outputs", []) if {out.output_type, out.get("name")} & set(kinds)]
        for cell_id, cell in cells.items()
    }
    return {cell_id: outputs for cell_id, outputs in found.items() if outputs}


def judged_predictions(cells: dict) -> list[str]:
    """What the tables under the checks say of the predictions made before them, a line each."""
    shown = [output.get("data", {}) for cell in cells.values() for output in cell.get("outputs", [])]
    tables = [data["text/plain"] for data in shown if data.get("text/plain", "").startswith("you predicted")]
    return [line for table in tables for line in table.splitlines()[1:]]


def guesses(cells: dict) -> int:
    """How many guesses the predict cells of a notebook make."""
    trees = [ast.parse(cell.source) for cell_id, cell in cells.items() if cell_id.endswith("_predict")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sum(len(call.keywords) for call in calls if ast.unparse(call.func).endswith(".predict"))


IN_EVERY_COMMIT = ("01_vector_add",)  # kernels, a ladder, host code


def solved(unit):
    """A unit whose solved notebook is run, by every commit or before a release."""
    return pytest.param(unit, id=unit.id, marks=() if unit.id in IN_EVERY_COMMIT else pytest.mark.release)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [solved(unit) for unit in UNITS])
def test_a_solved_notebook_earns_every_point_for_correctness(unit, tmp_path, monkeypatch):
    cells = run("solutions", unit.id, tmp_path, monkeypatch)
    graded = {cell_id: cell.metadata.nbgrader.points for cell_id, cell in cells.items() if cell_id.endswith("_check")}

    assert {} == complaints(cells, ("error",))
    assert {} == complaints({cell_id: cells[cell_id] for cell_id in graded}, ("stderr",))
    assert graded == points_of(cells, "_check")
    judged = judged_predictions(cells)
    assert [] == [line for line in judged if not re.search(r"\s(exactly|yes)\s", line)]
    assert guesses(cells) == len(judged)


@pytest.mark.slow
@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_an_untouched_notebook_earns_nothing_and_complains_about_nothing(unit, tmp_path, kernel):
    forget(kernel, tmp_path)
    cells = executed("course", unit.id, km=kernel)
    graded = {cell_id: cell for cell_id, cell in cells.items() if cell_id.endswith(("_check", "_race"))}

    assert {} == complaints(cells, ("error",))
    assert {} == complaints(graded, ("stderr",))
    assert {0.0} == set(points_of(cells, "_check").values()) | set(points_of(cells, "_race").values())
