"""One run over a class in which everybody but one tries to stop it: each gets a line, the honest one full points."""

import json
import os
import resource

import nbformat
import pytest

from autograder.classroom import course, grade, workers
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.messages import conversation
from autograder.classroom.reading import reader
from autograder.classroom.wire import Reply
from autograder.outcome import Passed
from tests.autograder.classroom.conftest import RIGHT, notebook
from tests.redteam.stoppers import FILES, TEXTS

NO_TEXT = os.fsdecode(b"student\xff")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The summary of one run over the whole class, its text, the verdicts by student, and KiB that it added."""
    from tests.autograder.classroom import conftest

    tiny = conftest.tiny_unit()
    root, out = tmp_path_factory.mktemp("in"), tmp_path_factory.mktemp("out")
    for student in [*TEXTS, *FILES]:
        folder = root / student.name / tiny.id
        folder.mkdir(parents=True)
        if student.place:
            student.place(folder)
        else:
            (folder / f"{tiny.id}.ipynb").write_bytes(_bytes_of(notebook(scale=student.source)))
    for student in ("honest", NO_TEXT):
        (root / student / tiny.id).mkdir(parents=True)
        nbformat.write(notebook(scale=RIGHT), root / student / tiny.id / f"{tiny.id}.ipynb")
    for left in ("honest/00_start_here", "honest/99_none", "honest/__MACOSX"):
        (root / left).mkdir()
    (root / "archive.zip").write_bytes(b"PK")
    os.symlink(root / "honest", root / "linked")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course, "unit", lambda name: tiny)
        patch.setattr(course, "units", lambda: (tiny.id,))
        patch.setattr(workers, "answers", _all_right)
        patch.setattr(jail, "unavailable", lambda: "")
        summary, text = grade.grade_class(root, out)
    return (
        summary,
        text,
        {
            found["student"]: json.loads(
                (out / "verdicts" / found["student"] / tiny.id / f"{found['notebook']}.json").read_text()
            )
            for found in summary["graded"]
        },
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before,
    )


def _all_right(tasks, scheduler="", n_workers=None, certificates=""):
    for key in tasks:
        yield workers.Answer(key, Reply(Passed("tiny.scale", 4.0, 4.0, "scale: right")).to_bytes())


def _bytes_of(document) -> bytes:
    """A notebook as a file, half characters included: JSON can say them, though no text holds them."""
    return json.dumps(document).encode()


@pytest.mark.parametrize("student", [*TEXTS, *FILES], ids=lambda student: student.name)
def test_each_gets_what_it_deserves_and_never_the_end_of_the_run(graded, student):
    found = graded[2][student.name]

    taken = "refused" if found["refused"] else "judged" if found["exercises"][0]["points"] == 4.0 else "not taken"
    assert student.becomes == taken, (found["refused"], found["review"])
    assert not found["review"]


def test_the_honest_student_of_such_a_class_has_full_points(graded):
    assert graded[2]["honest"]["max_points"] == graded[2]["honest"]["points"]


def test_a_student_whose_name_is_no_text_is_refused_under_a_name_that_can_be_read(graded):
    assert graded[2]["student\\udcff"]["refused"]


def test_what_is_no_submission_is_listed_with_the_reason(graded):
    summary, text, *_ = graded

    assert {"honest/00_start_here", "honest/99_none", "honest/__MACOSX", "archive.zip", "linked"} == set(
        summary["left_alone"]
    )
    assert "left alone linked: This is a link" in text


def test_reading_a_class_of_bombs_takes_no_memory_of_the_process_that_grades(graded):
    assert graded[3] < 500_000  # KiB beyond what the process had taken before, whatever tests it ran


def test_a_notebook_that_takes_too_long_or_too_much_is_its_own_students_matter(tmp_path, monkeypatch):
    from tests.autograder.classroom import conftest

    tiny = conftest.tiny_unit()
    folder = tmp_path / "slow" / tiny.id
    folder.mkdir(parents=True)
    nbformat.write(notebook(scale=RIGHT), folder / f"{tiny.id}.ipynb")
    one = grade.HandedIn(tmp_path, "slow", tiny.id, f"{tiny.id}.ipynb")
    mine = reader.Reader()

    monkeypatch.setattr(reader, "READ_S", 0.0)
    slow = mine.read(one, tiny)
    monkeypatch.undo()
    again = mine.read(one, tiny)
    monkeypatch.setattr(conversation, "MAX_TREE_BYTES", 1 << 20)
    monkeypatch.setattr(mine, "_watch", lambda: conversation.need_little(mine._process.pid))
    mine.close()

    assert slow.review and all(answer.review for answer in slow.answers)
    assert "" == again.review
    assert again.answers[0].program is not None
