"""`nbgrader autograde UNIT` grades everybody whose notebook can be read, whatever one notebook of the class holds."""

import json
import logging
import os
import shutil
from types import SimpleNamespace

import nbformat
import pytest

from autograder import exercises
from autograder.classroom.demo.nbgrader_course import NbgraderError
from autograder.classroom.for_nbgrader import taking_in
from autograder.machine.course_home import PACKAGES
from tests.autograder.classroom.test_nbgrader import UNIT, hand_in, nbgrader, the_check  # noqa: F401

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PACKAGES / "solutions" / UNIT / f"{UNIT}.ipynb").exists(), reason="course not built"),
]


def cell_of(notebook, name="vector_add"):
    return (
        the_check(notebook)
        if name.endswith("_check")
        else next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name)
    )


def marked(**changes):
    """A change of the metadata of the answer's and the check's cells."""

    def change(notebook):
        for name in ("vector_add", "vector_add_check"):
            cell_of(notebook, name).metadata.nbgrader.update(changes)

    return change


def instead(value):
    """Another value in the place of the answer's metadata, and in a cell of its own: the answer is not found then."""

    def change(notebook):
        notebook.cells.append(nbformat.v4.new_code_cell("1", metadata={"nbgrader": value}))

    return change


def copied(name):
    """A cell copied as JupyterLab copies it, with its metadata."""

    def change(notebook):
        cell = nbformat.from_dict(json.loads(json.dumps(cell_of(notebook, name))))
        cell["id"] = "another"
        notebook.cells.insert(2, cell)

    return change


def all_of_them_markdown(notebook):
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata and cell.cell_type == "code":
            source, metadata = cell.source, cell.metadata
            cell.clear()
            cell.update(nbformat.v4.new_markdown_cell(source, metadata=metadata))


TAKEN = {
    "healthy_before": lambda notebook: None,
    "answer_copied": copied("vector_add"),
    "check_copied": copied("vector_add_check"),
    "a_newer_schema": marked(schema_version=99),
    "an_older_schema": marked(schema_version=1),
    "a_schema_in_words": marked(schema_version="three"),
    "no_schema": lambda notebook: cell_of(notebook).metadata.nbgrader.pop("schema_version"),
    "points_in_words": marked(points="many"),
    "other_flags": marked(grade=False, solution=True, locked=None, task=True),
    "an_id_of_its_own": instead({"grade_id": "mine", "grade": True, "points": 9, "solution": False, "locked": True}),
    "a_list": instead([1]),
    "an_id_that_is_a_number": instead({"grade_id": 7, "grade": True}),
    "nothing_in_it": instead({}),
    "all_markdown": all_of_them_markdown,
    "odd_kernel": lambda notebook: notebook.metadata.update(
        kernelspec={"name": "", "display_name": "x"}, widgets={"a": [None]}
    ),
    "many_cells": lambda notebook: notebook.cells.extend(nbformat.v4.new_code_cell("1") for _ in range(500)),
    "z_healthy_after": lambda notebook: None,
}
REFUSED = {
    "n_broken": b'{"cells": [',
    "n_empty": b"",
    "n_not_utf8": b'{"cells": ["\xff"]}',
    "n_version_3": json.dumps(
        {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": []}]}
    ).encode(),
    "n_no_metadata": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code"}]}',
    "n_deep": b'{"nbformat": 4, "nbformat_minor": 5, "cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "n_half_a_sign": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [], "x": "\\ud800"}',
    "n_large": b" " * 11_000_000,
}
SEVERAL_LINES = "m two\nlines"


@pytest.fixture(scope="module")
def class_of(released, tmp_path_factory):
    """All of them in one class, graded at once: the course, and what nbgrader said."""
    from autograder.classroom.demo.nbgrader_course import NbgraderCourse

    root = tmp_path_factory.mktemp("goes_on") / "course"
    shutil.copytree(released.root, root)
    nbgrader = NbgraderCourse(root)  # noqa: F811
    nbgrader.create()
    for student, change in TAKEN.items():
        hand_in(nbgrader, student, change, points=0.5)
    for student in [*REFUSED, "n_pipe"]:
        (root / "submitted" / student / UNIT).mkdir(parents=True)
    for student, content in REFUSED.items():
        (root / "submitted" / student / UNIT / f"{UNIT}.ipynb").write_bytes(content)
    shutil.copytree(root / "submitted" / "healthy_before", root / "submitted" / SEVERAL_LINES)
    os.mkfifo(root / "submitted" / "n_pipe" / UNIT / f"{UNIT}.ipynb")
    with pytest.raises(NbgraderError) as ended:
        nbgrader.run("autograde", UNIT)
    return nbgrader, str(ended.value)


def test_everybody_whose_notebook_can_be_read_is_graded(class_of):
    full = 0.5 * len(exercises.units()[UNIT])
    scores = {student: score for (student, _), score in class_of[0].scores().items() if student in TAKEN}

    assert set(TAKEN) == set(scores)
    assert {"all_markdown"} == {student for student, score in scores.items() if score != full}


def test_whose_notebook_cannot_be_read_is_left_out_with_the_reason_and_nothing_of_it_is_kept(class_of):
    nbgrader, said = class_of  # noqa: F811
    students = [*REFUSED, "n_pipe"]

    assert [] == [name for name in students if (nbgrader.root / "autograded" / name / UNIT / f"{UNIT}.ipynb").exists()]
    assert [] == [name for name in students if f"for student '{name}'" not in said]
    assert not any(f"for student '{name}'" in said for name in TAKEN)


def test_a_folder_whose_name_has_a_line_break_is_left_out(class_of):
    assert (class_of[0].root / "submitted" / SEVERAL_LINES / UNIT).is_dir()
    assert not (class_of[0].root / "autograded" / SEVERAL_LINES).exists()


def test_what_is_left_out_is_said_with_what_to_do(caplog):
    converter = SimpleNamespace(assignments={f"s/{SEVERAL_LINES}/u": ["a"], "s/ada/u": ["b"]}, log=logging.getLogger())
    taking_in.leave_out_names_of_several_lines(converter)

    assert {"s/ada/u": ["b"]} == converter.assignments
    assert "'s/m two\\nlines/u' is left out" in caplog.text and "Rename the folder" in caplog.text


def test_what_is_kept_of_a_notebook_has_the_metadata_of_the_release_and_each_id_once(class_of):
    path = class_of[0].root / "autograded" / "an_id_of_its_own" / UNIT / f"{UNIT}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    ids = [cell.metadata.nbgrader.grade_id for cell in cells if "nbgrader" in cell.metadata]

    assert len(ids) == len(set(ids)) and "mine" not in ids
    assert {"vector_add", "vector_add_check"} <= set(ids)
