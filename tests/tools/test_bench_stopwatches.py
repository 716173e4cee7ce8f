"""The times that units 00 and 01 show without a GPU are those that their solved notebooks recorded on one."""

from __future__ import annotations

import json

import pytest

from benchmarks import bench_stopwatches as module
from tools.parts.quoted_figures import calls
from tools.parts.units import ROOT

TIMES = ("median_us(", "wall_us(", "event_us(")  # what a cell calls that measures time


def sources(unit: str) -> list[str]:
    notebook = json.loads((ROOT / "course" / unit / f"{unit}.ipynb").read_text())
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def solved(folder, cell="    36 us", **metadata):
    """Both notebooks as they are, but for their note of a recording. cell: what unit 00 has for one of its times."""
    for unit in module.UNITS:
        notebook = json.loads((ROOT / "solutions" / unit / f"{unit}.ipynb").read_text())
        notebook["metadata"]["warpbook"] = metadata
        (folder / unit).mkdir()
        (folder / unit / f"{unit}.ipynb").write_text(json.dumps(notebook).replace("    36 us", cell))
    return folder


def test_the_file_is_what_the_notebooks_recorded():
    assert 0 == module.main(["--check"])


def test_every_table_has_all_its_rows():
    parts = module.tables()["parts"]

    assert {"ways": 6, "launches": 6, "sizes": 5} == {name: len(part["rows"]) for name, part in parts.items()}
    assert all(len(row) == len(part["columns"]) for part in parts.values() for row in part["rows"])


def test_what_was_recorded_without_a_gpu_is_no_figure(tmp_path):
    (tmp_path / "one").mkdir()
    assert "an old one" == module.tables(solved(tmp_path / "one", device="an old one", date="2026-01-31"))["device"]
    (tmp_path / "two").mkdir()
    with pytest.raises(module.NotRecordedError, match="record both on one GPU"):
        module.tables(solved(tmp_path / "two", "not measured here", device="a machine", date="2026-01-31"))


@pytest.mark.parametrize("path", sorted((ROOT / "course").glob("*/*.ipynb")), ids=lambda path: path.stem)
def test_a_unit_that_times_with_a_stopwatch_shows_recorded_times_to_those_without_a_gpu(path):
    cells = sources(path.stem)

    assert any(calls(cell) for cell in cells) or not any(word in cell for cell in cells for word in TIMES)
