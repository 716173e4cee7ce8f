"""What learners get: every exercise unsolved, nothing that gives an answer away, nothing that has been run."""

from __future__ import annotations

import pytest

from autograder.answer.attempted import read_attempt
from autograder.classroom.for_nbgrader.release import blank_predictions
from autograder.exercises import of_unit
from tests.course.released import (
    GRADED,
    ROOT,
    UNITS,
    answer_lines,
    cell,
    code_cells,
    lines_outside_answers,
    notebook,
    without_comment,
)

TELLING = 42  # characters from which a line that one answer alone holds is no everyday line such as `if i < out.size:`
STUB = "raise NotImplementedError()"

every_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
graded_unit = pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)


def source_lines(unit) -> set[str]:
    """The lines of a unit's released code cells, without comments."""
    return {without_comment(line) for cell in code_cells("course", unit.id) for line in cell.source.splitlines()}


def test_there_are_units_to_release():
    assert [unit.id for unit in UNITS] == sorted(path.name for path in (ROOT / "course").glob("[0-9][0-9]_*"))
    assert GRADED


def test_no_source_and_no_marker_of_an_answer_is_released():
    assert [] == list((ROOT / "course").rglob("*.py"))
    for path in (ROOT / "course").rglob("*.ipynb"):
        text = path.read_text()
        found = [word for word in ("BEGIN SOLUTION", "END SOLUTION", "HIDDEN TESTS") if word in text]
        assert [] == found, path


@graded_unit
def test_every_exercise_is_released_unsolved(unit):
    for exercise in of_unit(unit.id):
        released = cell("course", unit.id, exercise.function).source
        solved = cell("solutions", unit.id, exercise.function).source

        assert read_attempt(released, exercise.function).state in ("untouched", "unfinished"), exercise.id
        assert "attempted" == read_attempt(solved, exercise.function).state, exercise.id


@graded_unit
def test_no_telling_line_of_an_answer_is_in_the_release(unit):
    lines = answer_lines(unit)
    shown = set(lines_outside_answers(unit))  # as of a draft to be repaired, which says so itself
    telling = {line for line in lines if len(line) >= TELLING and lines.count(line) == 1} - shown

    assert telling, "a unit whose answers hold no telling line proves nothing here"
    assert set() == telling & source_lines(unit)


@graded_unit
def test_every_released_line_is_an_authored_line_outside_the_answers(unit):
    outside, inside = set(), False
    for line in unit.source.read_text().splitlines():
        inside = inside or "BEGIN SOLUTION" in line
        if not inside:
            outside.add(without_comment(line))
        inside = inside and "END SOLUTION" not in line
    blanked = {
        line
        for each in code_cells("solutions", unit.id)
        if "predict" in each.metadata.get("tags", [])
        for line in map(without_comment, blank_predictions(each.source).splitlines())
    }

    assert set() == source_lines(unit) - outside - blanked - {STUB}


@graded_unit
def test_predictions_are_left_to_the_learner(unit):
    for each in code_cells("course", unit.id):
        if "predict" in each.metadata.get("tags", []):
            assert blank_predictions(each.source) == each.source


@every_unit
def test_a_release_has_never_been_run(unit):
    for each in code_cells("course", unit.id):
        assert [] == each.outputs
        assert each.execution_count is None


@graded_unit
def test_a_unit_has_20_to_135_cells(unit):
    assert 20 <= len(notebook("course", unit.id).cells) <= 135  # fifteen exercises, nine cells each at most


@graded_unit
def test_a_unit_has_5_to_15_exercises(unit):
    assert 5 <= len(of_unit(unit.id)) <= 15


def test_what_contributors_are_told_of_a_units_size_is_what_these_tests_hold():
    assert "20 to 135 cells; 5 to 15 exercises" in (ROOT / "CONTRIBUTING.md").read_text()


@graded_unit
def test_grade_ids_and_points_are_those_of_the_contracts(unit):
    expected = {}
    for exercise in of_unit(unit.id):
        expected[f"{exercise.function}_check"] = exercise.points
        if exercise.speed:
            expected[f"{exercise.function}_race"] = exercise.speed.points
    cells = [each.metadata.nbgrader for each in code_cells("course", unit.id) if "nbgrader" in each.metadata]
    actual = {each.grade_id: each.points for each in cells if each.grade}

    assert expected == actual
    assert {exercise.function for exercise in of_unit(unit.id)} == {each.grade_id for each in cells if each.solution}


@graded_unit
def test_graded_cells_are_locked_and_the_learners_are_not(unit):
    for each in code_cells("course", unit.id):
        if "nbgrader" in each.metadata:
            assert each.metadata.nbgrader.grade == each.metadata.nbgrader.locked
            assert each.metadata.nbgrader.grade != each.metadata.nbgrader.solution
