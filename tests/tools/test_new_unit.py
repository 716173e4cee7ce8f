"""A new unit starts from files that are whole, and never overwrites one that exists.

Its matrices are those of a new exercise outside the repository: tests/autograder/classroom/test_own_exercises.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.patience import PATIENCE_S
from tools.new_unit import create
from tools.parts.units import ROOT

pytestmark = pytest.mark.release  # each test builds a unit

UNIT, FUNCTION = "98_not_in_the_course", "count_sectors"


def run(tree, *command):
    """A Python module of the copied tree. Returns what it printed, both streams together."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=tree, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the repository, as far as a unit needs it, with one new unit in it."""
    root = tmp_path_factory.mktemp("tree")
    for package in ("autograder", "tools"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "nbgrader_config.py", root)
    (root / "simt").symlink_to(ROOT / "simt")
    status, said = run(root, "tools.new_unit", UNIT, "See sectors", "--exercise", FUNCTION)
    assert 0 == status, said
    return root


def test_a_new_units_notebooks_build(tree):
    status, said = run(tree, "tools.build_notebooks")

    assert 0 == status, said
    assert "### BEGIN SOLUTION" not in (tree / "course" / UNIT / f"{UNIT}.ipynb").read_text()


WHOLE = f"""
from autograder import exercises
from autograder.drills.deck.topics import all_topics
from tools import check_exercises, record_work
from tools.parts import unit_shape

(exercise,) = exercises.of_unit("{UNIT}")
print(unit_shape.faults(record_work.path_of("{UNIT}").parent, [exercise]), exercise.hints[0].misconception)
print(check_exercises.not_on_record(exercise), record_work.brought_up_to_date("{UNIT}", write=False))
print([topic for topic in exercise.topics if topic in all_topics()] == list(exercise.topics) != [])
"""


def test_a_new_units_folder_has_the_shape_of_every_unit_and_names_its_topics_and_its_work_is_on_record(tree):
    (tree / "whole.py").write_text(WHOLE)

    status, said = run(tree, "whole")

    assert (0, "[] start\nFalse False\nTrue\n") == (status, said)


def test_a_new_unit_is_written_in_the_house_style(tree):
    shutil.copy(ROOT / "pyproject.toml", tree)
    folder = f"autograder/exercises/u{UNIT}"

    for command in (["check", folder], ["format", "--check", folder]):
        status, said = run(tree, "ruff", *command)
        assert 0 == status, said


def test_a_unit_that_exists_is_left_alone(tmp_path):
    create(tmp_path, UNIT, "See sectors", FUNCTION)

    with pytest.raises(FileExistsError, match="exists already"):
        create(tmp_path, UNIT, "Other", "other")


@pytest.mark.parametrize(("unit", "function"), [("memory", "copy"), ("03_Memory", "copy"), ("03_memory", "Copy It")])
def test_a_name_of_another_form_is_refused(tmp_path, unit, function):
    with pytest.raises(ValueError, match="as in"):
        create(tmp_path, unit, "Title", function)
