"""The folder that is passed: what is found in it, and what is said where it is not the one that holds submissions."""

import shutil
from pathlib import Path

import pytest

from autograder.classroom import grade
from autograder.classroom.pages import summary
from tests.autograder.classroom.conftest import RIGHT


def test_of_many_files_that_are_left_alone_a_summary_tells_some_and_counts_the_others():
    graded = grade.Graded(left_alone={f"ada/{n:05}": "why" for n in range(20_000)})

    text = summary.as_text(graded, Path("a.csv"), Path("a.html"))

    assert summary.MOST_LEFT == text.count("left alone ada/") and "left alone: 19,970 more" in text


@pytest.mark.parametrize("where", ["nowhere", "empty"])
def test_a_folder_that_holds_nothing_says_what_to_pass(tmp_path, where):
    (tmp_path / "empty").mkdir()

    with pytest.raises(grade.GradeError, match="<student>"):
        grade.grade_class(tmp_path / where, tmp_path / "out")


def test_submissions_named_from_where_one_stands_are_read(hand_in, monkeypatch):
    hand_in("ada", scale=RIGHT)
    monkeypatch.chdir(hand_in.root.parent)

    summary, _ = grade.grade_class(hand_in.root.name, "out")

    assert {} == summary["failed"] and 8.0 == summary["graded"][0]["points"]


@pytest.mark.parametrize(("passed", "meant"), [(".", "in"), ("in/ada", "in")])
def test_a_folder_one_level_off_is_told_with_the_right_one(hand_in, monkeypatch, passed, meant):
    hand_in("ada", scale=RIGHT)
    monkeypatch.chdir(hand_in.root.parent)

    with pytest.raises(grade.GradeError, match=rf"\b{meant} does: pass that"):
        grade.grade_class(passed, "out")


def test_the_folder_below_is_meant_though_the_one_above_holds_notebooks_too(hand_in):
    """As the root of a clone does: course/<unit>/<unit>.ipynb looks like a student's."""
    hand_in("ada", scale=RIGHT)
    build = hand_in.root.parent / "build"
    build.mkdir()
    shutil.copytree(hand_in.root / "ada", hand_in.root.parent / "course")
    hand_in.root.rename(build / "submitted")

    with pytest.raises(grade.GradeError, match=r"submitted does: pass that"):
        grade.grade_class(build, hand_in.out)


def test_where_several_folders_below_hold_notebooks_they_are_named(hand_in):
    """As build/ does once nbgrader has made build/autograded."""
    hand_in("ada", scale=RIGHT)
    build = hand_in.root.parent / "build"
    for name in ("autograded", "submitted"):
        shutil.copytree(hand_in.root, build / name)

    with pytest.raises(grade.GradeError, match=r"autograded and .*submitted do: pass the one"):
        grade.grade_class(build, hand_in.out)
