"""Who may be taken for whom is told."""

import pytest

from autograder.classroom.alike import look_alike
from autograder.classroom.pages import gradebook
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
