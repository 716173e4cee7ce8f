"""From a unit's source to the solved notebook to the release, on a fixture course of two units."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from tests.tools.tiny_course import FIXTURES, tiny_contracts
from tools.build_notebooks import ReleaseError, build, differences


@pytest.fixture(scope="module")
def built_once(tmp_path_factory) -> Path:
    """The fixture course, built; for `built` to copy, since nbgrader takes seconds."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(FIXTURES / "solutions", root / "solutions")
    build(root, contracts=tiny_contracts)
    return root


@pytest.fixture
def built(built_once: Path, tmp_path: Path) -> Path:
    """The fixture course, built, for one test to change."""
    shutil.copytree(built_once, tmp_path, dirs_exist_ok=True)
    return tmp_path


def notebook_of(root: Path, part: str, unit: str = "01_scale"):
    return nbformat.read(root / part / unit / f"{unit}.ipynb", as_version=4)


def cell_of(root: Path, part: str, cell_id: str):
    return next(cell for cell in notebook_of(root, part).cells if cell.id == cell_id)


def record(root: Path, text: str) -> None:
    """Give the solution cell of the solved notebook an output, as running it on a GPU would."""
    notebook = notebook_of(root, "solutions")
    cell = next(cell for cell in notebook.cells if cell.id == "scale")
    cell.outputs, cell.execution_count = [nbformat.v4.new_output("stream", name="stdout", text=text)], 3
    notebook.metadata["warpbook"] = {"device": "NVIDIA Test GPU", "date": "2026-11-20"}
    nbformat.write(notebook, root / "solutions" / "01_scale" / "01_scale.ipynb")


def bytes_of(root: Path, part: str) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in (root / part).rglob("*.ipynb")}


def test_every_unit_gets_a_solved_and_a_released_notebook(built):
    expected = {
        f"{part}/{unit}/{unit}.ipynb" for part in ("solutions", "course") for unit in ("00_welcome", "01_scale")
    }
    actual = set(bytes_of(built, "solutions")) | set(bytes_of(built, "course"))

    assert expected == actual


def test_cell_ids_come_from_the_role_or_the_position(built):
    expected = [
        "cell-000",
        "cell-001",
        "cell-002",
        "scale_predict",
        "scale",
        "scale_check",
        "scale_race",
    ]

    assert expected == [cell.id for cell in notebook_of(built, "solutions").cells]
    assert expected == [cell.id for cell in notebook_of(built, "course").cells]


def test_points_come_from_the_contract(built):
    assert 4.0 == cell_of(built, "course", "scale_check").metadata.nbgrader.points
    assert 1.5 == cell_of(built, "course", "scale_race").metadata.nbgrader.points


def test_the_release_keeps_the_stub_and_loses_the_answer(built):
    source = cell_of(built, "course", "scale").source

    assert source.endswith("    # about 3 lines\n    raise NotImplementedError()")
    assert "secret_index" in cell_of(built, "solutions", "scale").source
    assert "secret_index" not in json.dumps(notebook_of(built, "course"))


def test_the_release_holds_no_source_file(built):
    assert [] == list((built / "course").rglob("*.py"))


def test_predicted_numbers_become_dots_in_the_release_only(built):
    assert "q.predict(sectors_per_request=..., café=...)" == cell_of(built, "course", "scale_predict").source
    assert "q.predict(sectors_per_request=4, café=2 + 1)" == cell_of(built, "solutions", "scale_predict").source


def test_notebooks_link_to_their_neighbours(built):
    texts = [cell.source for cell in notebook_of(built, "course").cells if cell.cell_type == "markdown"]

    assert texts[-1].endswith("\n\nBefore this: [Welcome](../00_welcome/00_welcome.ipynb)")


def test_jupytext_leaves_nothing_behind(built):
    for name, content in bytes_of(built, "solutions").items():
        assert b"jupytext" not in content, name
        assert b"lines_to_next_cell" not in content, name


def test_a_second_build_changes_no_byte(built):
    before = bytes_of(built, "solutions") | bytes_of(built, "course")
    build(built, contracts=tiny_contracts)

    assert before == bytes_of(built, "solutions") | bytes_of(built, "course")


def test_recorded_outputs_survive_a_build_and_name_their_device(built):
    record(built, "measured here")
    build(built, contracts=tiny_contracts)

    assert "measured here" == cell_of(built, "solutions", "scale").outputs[0].text
    assert "recorded on NVIDIA Test GPU on 2026-11-20" in notebook_of(built, "solutions").cells[0].source


def test_a_release_of_a_recorded_notebook_is_the_same_as_of_an_unrecorded_one(built):
    before = bytes_of(built, "course")
    record(built, "measured here")
    build(built, contracts=tiny_contracts)

    assert before == bytes_of(built, "course")


def test_a_changed_cell_loses_its_recorded_output(built):
    record(built, "measured here")
    source = built / "solutions" / "01_scale" / "01_scale.py"
    source.write_text(source.read_text().replace("dst = factor * src.", "dst = src * factor."))
    build(built, contracts=tiny_contracts)

    assert [] == cell_of(built, "solutions", "scale").outputs


def test_a_fresh_build_differs_from_nothing(built):
    assert [] == differences(built, tiny_contracts)


def test_an_edited_release_and_a_stale_solved_notebook_are_reported(built):
    released = built / "course" / "01_scale" / "01_scale.ipynb"
    released.write_text(released.read_text().replace("about 3 lines", "about 4 lines"))
    (built / "course" / "00_welcome" / "answers.txt").write_text("left here by hand")
    solved = built / "solutions" / "00_welcome" / "00_welcome.ipynb"
    solved.unlink()
    expected = [
        "solutions/00_welcome/00_welcome.ipynb: not built yet",
        "course/00_welcome/answers.txt: no source gives this file",
        "course/01_scale/01_scale.ipynb: differs from its source",
    ]

    assert expected == differences(built, tiny_contracts)


def test_a_unit_that_is_gone_leaves_the_release_too(built):
    (built / "solutions" / "00_welcome" / "00_welcome.py").unlink()
    (built / "solutions" / "00_welcome" / "00_welcome.ipynb").unlink()
    build(built, contracts=tiny_contracts)

    assert not (built / "course" / "00_welcome").exists()


def test_a_build_never_replaces_a_notebook_somebody_worked_in(built):
    path = built / "course" / "01_scale" / "01_scale.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].execution_count = 1
    nbformat.write(notebook, path)

    with pytest.raises(ReleaseError, match="has been worked in"):
        build(built, contracts=tiny_contracts)


def test_an_unknown_unit_is_refused_by_name(built):
    with pytest.raises(FileNotFoundError, match="02_nothing"):
        build(built, ["02_nothing"], tiny_contracts)
