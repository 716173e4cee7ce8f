"""Who may be taken for whom, and what nbgrader will not take, is told."""

import copy

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.classroom.alike import look_alike
from autograder.classroom.pages import gradebook
from autograder.classroom.reading import nbgrader_form
from tests.autograder.classroom.conftest import RIGHT, notebook
from tests.autograder.classroom.test_pages import judged


@pytest.mark.parametrize(
    "other",
    ["аdа", "ada ", "ADA", "ａｄａ", "a\u200bda", "áda", "ada\ufe0f", "ada\u3164", "a\u034fda", "ada\U000e0101"],
)
def test_a_name_that_looks_like_another_one_is_told_so_that_the_difference_shows(other):
    (group,) = look_alike.groups(["ada", other, "bo", "ada"])

    assert {"ada", other} == set(group)
    assert ascii(other) in look_alike.in_words(group)


@pytest.mark.parametrize("copy", ["ada (1)", "ada(2)", "Ada - Copy", "ada - Copy (2)", "ada copy", "ada (copy)"])
def test_a_folder_that_a_browser_or_a_system_copied_is_told(copy):
    (group,) = look_alike.groups(["ada", copy, "bo"])

    assert "take away the one that does not count" in look_alike.in_words(group)


def test_a_one_and_an_l_are_taken_for_one_another():
    assert [("student1O", "studentl0")] == look_alike.groups(["student1O", "studentl0", "student2O"])


def test_names_that_differ_are_left_in_peace():
    assert [] == look_alike.groups(["ada", "adam", "bo", "иван", "ivan.petrov", "王芳", "王方", "s1", "s2", "copy"])


def test_the_gradebook_names_both(unit):
    html = gradebook.gradebook_page([judged(unit, "ada"), judged(unit, "аda")])

    assert "look alike, and are different students here" in html


DAMAGE = {
    "unchanged": lambda cell: None,
    "grade_id": lambda cell: cell.metadata.nbgrader.update(grade_id="not an id!"),
    "no_grade_id": lambda cell: cell.metadata.nbgrader.pop("grade_id"),
    "empty_grade_id": lambda cell: cell.metadata.nbgrader.update(grade_id=""),
    "no_grade": lambda cell: cell.metadata.nbgrader.pop("grade"),
    "more": lambda cell: cell.metadata.nbgrader.update(points_wanted=9),
    "task": lambda cell: cell.metadata.nbgrader.update(task=True),
    "points": lambda cell: cell.metadata.nbgrader.update(points="many"),
    "no_points": lambda cell: cell.metadata.nbgrader.pop("points", None),
    "markdown": lambda cell: cell.update(cell_type="markdown"),
    "a list": lambda cell: cell.metadata.update(nbgrader=[1]),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("place", [2, 3])
def test_what_nbgrader_refuses_and_nothing_else_is_told(damage, place):
    handed_in = copy.deepcopy(notebook(scale=RIGHT))
    DAMAGE[damage](handed_in.cells[place])
    try:
        MetadataValidator().validate_cell(handed_in.cells[place])
        refuses = False
    except Exception:
        refuses = True

    said = nbgrader_form.trouble(handed_in)

    assert refuses == bool(said)
    assert not said or f"cell {place + 1}" in said


def test_an_answer_whose_notebook_nbgrader_refuses_is_graded_and_that_is_told(unit):
    document = {**judged(unit), "trouble": "nbgrader will not take cell 3: it has no grade_id"}

    html = gradebook.gradebook_page([document])

    assert "4 of 8" in html and "nbgrader will not take cell 3" in html


def test_a_mark_in_front_of_a_file_which_nbgrader_does_not_read_is_told():
    content = nbformat.writes(notebook(scale=RIGHT)).encode()

    assert "" == nbgrader_form.trouble_of(content, notebook(scale=RIGHT))
    assert "byte order mark" in nbgrader_form.trouble_of(b"\xef\xbb\xbf" + content, notebook(scale=RIGHT))
