"""An exercise judged anew: the difference first, and a change of grades only when it is asked for."""

from dataclasses import replace

import pytest

from autograder.classroom import course, grade, regrade, workers
from autograder.classroom.ledger import book as ledger
from autograder.classroom.ledger import provenance
from autograder.classroom.wire import Reply, Task
from autograder.cli import main
from autograder.outcome import NotCheckable, Passed, Wrong
from tests.autograder.classroom.test_faults import (
    a_class,  # noqa: F401  # a fixture
    written,
)


@pytest.fixture
def graded(a_class, tmp_path, unit, monkeypatch):  # noqa: F811
    """A class whose every answer was wrong; a judge that now says what `says` holds; how often it was asked."""
    says, asked = [Wrong("", 1.0, 4.0, "scale: not right yet")], []

    def answers(tasks, scheduler="", n_workers=None, certificates=""):
        for key, content in tasks.items():
            asked.append(Task.from_bytes(content).exercise)
            outcome = replace(says[0], exercise=asked[-1])
            yield workers.Answer(key, Reply(outcome, provenance.made_with()).to_bytes())

    monkeypatch.setattr(workers, "answers", answers)
    grade.grade_class(a_class, tmp_path / "out")
    asked.clear()
    return a_class, tmp_path / "out", says, asked


def again(graded, publish=False, ids=("tiny.scale",)):
    return regrade.regrade(graded[0], graded[1], ids, grade.Options(), publish)


def test_what_would_change_is_shown_and_nothing_is_published(graded):
    before = written(graded[1])
    graded[2][0] = Passed("", 4.0, 4.0, "scale: right")

    document, text = again(graded)

    assert 3 == len(document["different"])
    assert "ada  tiny.scale: was not right yet, 1 of 4 points; is right, 4 of 4 points (+3)" in text
    assert regrade.NOT_PUBLISHED in text
    assert before == written(graded[1])
    assert {"tiny.scale"} == set(graded[3])


def test_resuming_does_not_publish_what_was_only_shown(graded):
    before = written(graded[1])
    graded[2][0] = Passed("", 4.0, 4.0, "scale: right")
    again(graded)

    grade.grade_class(graded[0], graded[1], options=grade.Options(resume=True))

    assert before == written(graded[1])


def test_publishing_writes_what_was_shown_and_judges_nothing_again(graded):
    graded[2][0] = Passed("", 4.0, 4.0, "scale: right")
    shown, _ = again(graded)
    graded[3].clear()

    published, text = again(graded, publish=True)

    assert [] == graded[3]
    assert shown["different"] == published["different"]
    assert "Published." in text
    summary, _ = grade.grade_class(graded[0], graded[1], options=grade.Options(resume=True))
    assert [5.0] * 3 == [found["points"] for found in summary["graded"]]
    assert "5 of 8" in (graded[1] / "gradebook.html").read_text()
    assert [] == graded[3]


def test_a_contract_that_changed_after_the_showing_is_judged_again(graded, unit, monkeypatch):
    again(graded)
    first, second = unit.exercises
    changed = replace(unit, exercises=(replace(first, points=8.0), second))
    monkeypatch.setattr(course, "unit", lambda name: changed)
    graded[3].clear()

    again(graded)

    assert ["tiny.scale"] * 3 == graded[3]


def test_a_machine_that_fails_while_regrading_takes_nothing_from_anybody(graded):
    before = written(graded[1])
    graded[2][0] = NotCheckable("", 0.0, 4.0, "scale: cannot be judged")

    document, _ = again(graded, publish=True)

    assert [] == document["different"]
    assert before == written(graded[1])


def test_an_exercise_that_is_none_is_refused_in_words(graded, capsys):
    with pytest.raises(grade.GradeError, match="no exercise 'tiny.other'"):
        again(graded, ids=("tiny.other",))
    folders = ["--submissions", str(graded[0]), "--out", str(graded[1])]
    assert 2 == main(["regrade", *folders, "--exercise", "tiny.other"])
    assert "no exercise" in capsys.readouterr().err


def test_a_folder_that_was_never_graded_into_is_said_and_stays_as_it_is(graded, tmp_path):
    (elsewhere := tmp_path / "elsewhere").mkdir()
    with pytest.raises(grade.GradeError, match="ever graded into"):
        regrade.regrade(graded[0], elsewhere, ("tiny.scale",), grade.Options())
    assert [] == list(elsewhere.iterdir())


def test_a_unit_that_was_never_graded_is_said(graded, tmp_path):
    (elsewhere := tmp_path / "elsewhere").mkdir()
    with ledger.opened(elsewhere):
        pass  # of another unit's class
    with pytest.raises(grade.GradeError, match="tiny was never graded"):
        regrade.regrade(graded[0], elsewhere, ("tiny.scale",), grade.Options())
