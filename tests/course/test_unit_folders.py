"""One folder per unit, of one shape: what lies in it is used, what an exercise needs is there."""

from pathlib import Path

import pytest

from autograder import exercises
from tools.parts import unit_shape

HERE = Path(exercises.__file__).parent


@pytest.mark.parametrize("unit", exercises.units())
def test_a_units_folder_has_everything_and_nothing_else(unit):
    assert [] == unit_shape.faults(HERE / f"u{unit}", exercises.of_unit(unit))


def test_every_folder_of_exercises_is_a_unit_and_every_unit_a_folder():
    folders = {path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"}

    assert folders == {f"u{unit}" for unit in exercises.units()}


def test_stray_and_missing_files_are_named(tmp_path):
    unit = exercises.of_unit("01_vector_add")
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "vector_ad.py").touch()
    (tmp_path / "notes.txt").touch()

    found = unit_shape.faults(tmp_path, unit[:1])

    for fault in ("hints.md is missing", "answers/vector_ad.py answers no", "add_one_block.py is missing", "notes.txt"):
        assert [line for line in found if fault in line]
