"""`warpbook start` writes the course, and never over what a learner wrote."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.machine.start import folder as folders
from autograder.machine.start.folder import KEPT, MERGED, NEW, NEWER, SAME, StartError, write_course
from autograder.machine.start.merge import text

UNIT = "01_scale"


def cell(name: str, source: str, **metadata) -> dict:
    return {"cell_type": "code", "id": name, "metadata": metadata, "source": source, "outputs": []}


def notebook(*cells: dict) -> dict:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


FIRST = notebook(
    cell("cell-000", "# Scale"),
    cell("scale", "def scale(x):\n    raise NotImplementedError()", nbgrader={"solution": True, "locked": False}),
    cell("scale_check", "q.check(scale)", nbgrader={"solution": False, "locked": True}),
)
SECOND = notebook(
    cell("cell-000", "# Scale, told better"),
    cell("cell-001", "a new cell"),
    cell("scale", "def scale(x, y):\n    raise NotImplementedError()", nbgrader={"solution": True, "locked": False}),
    cell("scale_check", "q.check(scale).points", nbgrader={"solution": False, "locked": True}),
)


@pytest.fixture
def release(tmp_path, monkeypatch):
    """A function that makes a notebook the released one."""
    monkeypatch.setattr(folders, "released", lambda: tmp_path / "released")

    def write(document: dict) -> None:
        path = tmp_path / "released" / UNIT / f"{UNIT}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document))

    write(FIRST)
    return write


def edit(course: Path, change) -> Path:
    """Change the learner's notebook in place."""
    path = course / UNIT / f"{UNIT}.ipynb"
    document = json.loads(path.read_text())
    change(document["cells"])
    path.write_text(json.dumps(document))
    return path


def sources(path: Path) -> list[str]:
    return [text(each) for each in json.loads(path.read_text())["cells"]]


def answer(cells: list[dict]) -> None:
    cells[1]["source"] = ["def scale(x):\n", "    return 2 * x"]


def test_an_empty_folder_gets_every_unit_and_the_words_for_an_assistant(release, tmp_path):
    course = tmp_path / "a folder with ünusual letters"

    assert [NEW] == [each.state for each in write_course(course)]
    assert sources(course / UNIT / f"{UNIT}.ipynb") == [text(each) for each in FIRST["cells"]]
    assert "tutor" in (course / "AGENTS.md").read_text()


def test_the_same_version_again_changes_nothing_whatever_was_written(release, tmp_path):
    write_course(tmp_path)
    path = edit(tmp_path, answer)
    before = path.read_bytes()

    assert [SAME] == [each.state for each in write_course(tmp_path)]
    assert before == path.read_bytes()


def test_an_untouched_notebook_is_renewed_and_running_it_does_not_count_as_touching(release, tmp_path):
    write_course(tmp_path)
    path = edit(tmp_path, lambda cells: cells[0].update(outputs=[{"output_type": "stream"}], execution_count=7))
    release(SECOND)

    assert [NEWER] == [each.state for each in write_course(tmp_path)]
    assert sources(path) == [text(each) for each in SECOND["cells"]]


def test_a_newer_version_keeps_answers_and_own_cells_and_a_copy_of_the_old_file(release, tmp_path):
    write_course(tmp_path)

    def work(cells):
        answer(cells)
        cells[2]["source"] = "q.check(scale, please=True)"
        cells.insert(2, cell("mine", "print(scale(21))"))

    path = edit(tmp_path, work)
    theirs = path.read_bytes()
    release(SECOND)
    (written,) = write_course(tmp_path)
    expected = ["# Scale, told better", "a new cell", "def scale(x):\n    return 2 * x", "print(scale(21))"]

    assert MERGED == written.state
    assert [*expected, "q.check(scale).points"] == sources(path)  # a locked cell is the course's
    assert theirs == written.copy.read_bytes()
    assert [SAME] == [each.state for each in write_course(tmp_path)]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"cells": 3}', "kein Notizbuch: ä".encode("latin-1")])
def test_a_file_that_is_no_notebook_is_left_alone_and_named(release, tmp_path, content):
    write_course(tmp_path)
    path = tmp_path / UNIT / f"{UNIT}.ipynb"
    path.write_bytes(content)
    release(SECOND)
    (written,) = write_course(tmp_path)

    assert (KEPT, content) == (written.state, path.read_bytes())
    assert "no notebook that can be read" in "".join(folders.lines([written]))


def test_a_notebook_from_elsewhere_is_left_alone(release, tmp_path):
    path = tmp_path / UNIT / f"{UNIT}.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(SECOND))
    (written,) = write_course(tmp_path)

    assert KEPT == written.state
    assert sources(path) == [text(each) for each in SECOND["cells"]]


def test_a_file_in_the_way_is_told_and_nothing_is_written(release, tmp_path):
    (tmp_path / "taken").write_text("mine")

    with pytest.raises(StartError, match="is a file. Name a folder"):
        write_course(tmp_path / "taken")
    assert "mine" == (tmp_path / "taken").read_text()


def test_the_command_says_in_one_document_what_became_of_each_unit(release, tmp_path, capsys):
    assert 0 == main(["start", str(tmp_path / "course"), "--json"])
    document = json.loads(capsys.readouterr().out)

    assert [{"unit": UNIT, "state": NEW, "copy": ""}] == document["units"]


def test_which_units_changed_is_told_by_name_and_only_neighbours_as_a_range():
    names = "03_memory_access", "18_engine_kernels", "19_engine_runtime", "20_compression"
    (told,) = folders.lines([folders.Written(name, NEWER) for name in names])
    (alone,) = folders.lines([folders.Written(names[0], NEW)])

    assert told.startswith("renewed 03_memory_access, 18_engine_kernels to 20_compression, 4 units: you had not")
    assert "wrote 03_memory_access" == alone


def test_no_half_written_file_stays(release, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StartError, match="No space left"):
        write_course(tmp_path / "course")
    assert [] == list((tmp_path / "course").rglob("*.ipynb"))
