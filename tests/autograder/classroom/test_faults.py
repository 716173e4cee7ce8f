"""Killed at every stage, a run goes on with `resume`: the same seed, the same verdicts, and nothing judged twice."""

import json
import math
import os
import signal
import sqlite3
import threading
import time
from pathlib import Path

import nbformat
import pytest

from autograder.classroom import course, grade, whole_files, workers
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.ledger import book as ledger
from autograder.classroom.ledger.chain import Chain
from autograder.classroom.reading import reader
from autograder.classroom.reading.inbox import look_into
from autograder.classroom.wire import Reply, Task
from autograder.outcome import CaseResult, Passed, Wrong
from tests.autograder.classroom.conftest import RIGHT, notebook

STUDENTS = ("ada", "bo", "cy")


@pytest.fixture
def a_class(tmp_path, unit, monkeypatch):
    """A folder of three submissions, read in this process, with a judge whose verdict depends on the seed."""
    monkeypatch.setattr(course, "unit", lambda name: unit)
    monkeypatch.setattr(course, "units", lambda: (unit.id,))
    monkeypatch.setattr(jail, "unavailable", lambda: "")
    monkeypatch.setattr(reader, "Reader", _Here)
    for n, student in enumerate(STUDENTS):
        folder = tmp_path / "in" / student / unit.id
        folder.mkdir(parents=True)
        nbformat.write(notebook(scale=RIGHT.replace("factor *", f"{n} + factor *")), folder / f"{unit.id}.ipynb")
    judged = tmp_path / "judged"

    def answers(tasks, scheduler="", n_workers=None, certificates=""):
        for key, content in tasks.items():
            task = Task.from_bytes(content)
            with judged.open("a") as file:
                file.write(f"{key}\n")
            kind = Passed if int(task.key[:4], 16) % 3 else Wrong
            cases = (CaseResult("n = 1", "simt", "right", task.secret),)
            outcome = kind(task.exercise, 4.0 * (kind is Passed), 4.0, "scale", cases=cases)
            yield workers.Answer(key, Reply(outcome, {"judge": "1", "device": "no GPU"}).to_bytes())

    monkeypatch.setattr(workers, "answers", answers)
    monkeypatch.setattr(grade, "fresh_seed", lambda: os.urandom(8).hex())
    return tmp_path / "in"


class _Here(reader.Reader):
    """Reads as its process does, without one: a process reads one submission at a time, in one thread."""

    one_at_a_time = threading.Lock()

    def read(self, one, unit):
        from autograder.classroom.reading.child import answer

        names = {"student": one.student, "unit": one.unit, "filename": one.filename, "misnamed": one.misnamed}
        with self.one_at_a_time:
            said = answer({"root": str(one.root), **names, "asks": reader._as_asked(unit)})
        return reader._reading(unit, one, said)


def killed_at(step: int, act) -> bool:
    """Run something in a process that is killed at its n-th write, of a record or a file. Whether it came to that."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    left = [step]

    def deadly(function):
        def counted(*arguments, **named):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)

        return counted

    try:
        Chain.append, os.replace = deadly(Chain.append), deadly(os.replace)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        act()
    finally:
        os._exit(0)


def written(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in (out / "verdicts").rglob("*.json")}


def test_killed_at_every_write_a_run_goes_on_with_the_same_seed_and_verdicts_and_judges_nothing_twice(
    a_class, tmp_path
):
    step, killed = 1, True
    while killed:
        out, judged = tmp_path / f"out{step}", tmp_path / "judged"
        judged.write_text("")

        killed = killed_at(step, lambda: grade.grade_class(a_class, out))  # noqa: B023  # it runs here and now
        n_before = len(judged.read_text().split())
        _, text = grade.grade_class(a_class, out, options=grade.Options(resume=True))

        keys = judged.read_text().split()
        assert len(keys) - len(set(keys)) <= 1, "only what was judged and not yet written down may be repeated"
        with ledger.read(out) as book:
            runs = [record.body["seeds"] for record in book.chain.records() if record.kind == "run"]
            recorded = [record for record in book.chain.records() if record.kind == "judged"]
        assert len(recorded) == len(set(keys)) == 4  # three answers and the one stub
        assert n_before <= len(keys)
        (seed,) = {seed for seeds in runs for seed in seeds.values()}
        assert "Gradebook" in text
        grade.grade_class(a_class, tmp_path / f"undisturbed{step}", options=grade.Options(seed=seed))
        assert said(tmp_path / f"undisturbed{step}") == said(out)
        assert not list(out.rglob(f"*{whole_files.SUFFIX}"))
        step += 1
    assert step > 12


def said(out: Path) -> dict[str, dict]:
    """The verdicts below a folder, but for when a notebook was taken in and where in the ledger a judgement stands."""
    found = {name: json.loads(content) for name, content in written(out).items()}
    for verdict in found.values():
        verdict["received"] = ""
        for entry in verdict["exercises"]:
            entry["judged"]["record"] = 0
    return found


def test_a_notebook_keeps_the_time_at_which_it_was_taken_in_first(a_class, tmp_path):
    first, _ = grade.grade_class(a_class, tmp_path / "out")
    before = written(tmp_path / "out")
    time.sleep(1.1)

    grade.grade_class(a_class, tmp_path / "out", options=grade.Options(resume=True))

    assert before == written(tmp_path / "out")


def test_a_verdict_file_that_was_damaged_is_written_again_without_judging(a_class, tmp_path):
    grade.grade_class(a_class, tmp_path / "out")
    before = written(tmp_path / "out")
    (tmp_path / "judged").write_text("")
    for damage, name in zip(("", "{", '{"schema": 5}'), before, strict=True):
        (tmp_path / "out" / name).write_text(damage)

    grade.grade_class(a_class, tmp_path / "out", options=grade.Options(resume=True))

    assert before == written(tmp_path / "out")
    assert "" == (tmp_path / "judged").read_text()


def test_points_that_were_typed_into_a_verdict_count_nowhere_and_that_is_told(a_class, tmp_path):
    grade.grade_class(a_class, tmp_path / "out", options=grade.Options(seed="7"))
    path = tmp_path / "out" / "verdicts" / "ada" / "90_tiny" / "90_tiny.json"
    typed = json.loads(path.read_text())
    typed["points"] = math.fsum(entry.update(points=4.0) or 4.0 for entry in typed["exercises"])
    path.write_text(json.dumps(typed))
    (a_class / "ada").rename(a_class.parent / "ada")  # a run that does not touch her verdict

    _, text = grade.grade_class(a_class, tmp_path / "out")

    assert "ada" in text and "not what the ledger has" in text
    assert '"ada"' not in (tmp_path / "out" / "gradebook.csv").read_text()


@pytest.mark.parametrize("other", [False, True])
def test_going_on_keeps_the_seed_and_a_different_one_is_refused(a_class, tmp_path, other):
    grade.grade_class(a_class, tmp_path / "out", options=grade.Options(seed="7"))
    again = grade.Options(resume=True, seed="8" if other else "7")

    if other:
        with pytest.raises(grade.GradeError, match="goes on with the seed 7"):
            grade.grade_class(a_class, tmp_path / "out", options=again)
    else:
        assert 3 == grade.grade_class(a_class, tmp_path / "out", options=again)[0]["kept"]


def test_a_second_run_on_the_same_folder_is_told_to_wait_and_harms_nothing(a_class, tmp_path):
    with ledger.opened(tmp_path / "out"), pytest.raises(grade.GradeError, match="is grading into"):
        grade.grade_class(a_class, tmp_path / "out")

    assert 3 == len(grade.grade_class(a_class, tmp_path / "out")[0]["graded"])


def test_where_nothing_can_be_written_that_is_said_before_anything_is_judged(a_class, tmp_path):
    (tmp_path / "out").write_text("a file")

    with pytest.raises(grade.GradeError, match=r"out cannot be written \(File exists\).*--out") as told:
        grade.grade_class(a_class, tmp_path / "out")

    assert "--resume" not in str(told.value)
    assert not (tmp_path / "judged").exists()


def test_a_full_disk_is_told_and_what_was_judged_is_kept(a_class, tmp_path, monkeypatch):
    out, left = tmp_path / "out", [2]
    write = grade.verdict.save

    def save(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        return write(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(grade.verdict, "save", save)
        with pytest.raises(grade.GradeError, match="No space left on device.*--resume"):
            grade.grade_class(a_class, out)
    n_judged = len((tmp_path / "judged").read_text().split())

    summary, _ = grade.grade_class(a_class, out, options=grade.Options(resume=True))

    keys = (tmp_path / "judged").read_text().split()
    assert len(keys) == len(set(keys)) >= n_judged
    assert 3 == len(summary["graded"])


def test_a_folder_of_one_student_that_may_not_be_written_stops_nobody_else(a_class, tmp_path, monkeypatch):
    write, of_whom = grade.verdict.save, []

    def save(folder, document):
        of_whom.append(document["student"])
        if document["student"] == of_whom[0]:
            raise PermissionError(13, "Permission denied", str(folder / document["student"]))
        return write(folder, document)

    monkeypatch.setattr(grade.verdict, "save", save)

    summary, text = grade.grade_class(a_class, tmp_path / "out")

    assert 2 == len(summary["graded"]) and 1 == len(summary["failed"])
    assert f"{of_whom[0]} cannot be written (Permission denied)" in text


def test_units_keep_their_seeds_apart(tmp_path):
    with ledger.opened(tmp_path) as book:
        book.begin({"01": "a"}, False)
        book.begin({"02": "b"}, False)
    with ledger.read(tmp_path) as book:
        assert {"01": "a", "02": "b"} == book.seeds
        seeds = grade._seeds(["01", "02", "03"], book, grade.Options(resume=True))
    assert ["a", "b"] == [seeds["01"], seeds["02"]] and seeds["03"] not in "ab"


def test_the_inbox_of_the_fixture_is_what_it_says(a_class):
    assert STUDENTS == tuple(one.student for one in look_into(a_class, course.units()).handed_in)


def full_at(step: int, monkeypatch) -> None:
    """Let the disk be full from the n-th write on, of a record, as SQLite says it, or of a file."""
    left = [step]

    def failing(function, error):
        def counted(*arguments, **named):
            left[0] -= 1
            if left[0] <= 0:
                raise error
            return function(*arguments, **named)

        return counted

    full = sqlite3.OperationalError("database or disk is full")
    monkeypatch.setattr(Chain, "_insert", failing(Chain._insert, full))
    monkeypatch.setattr(os, "replace", failing(os.replace, OSError(28, "No space left on device")))


@pytest.mark.release
def test_a_disk_that_is_full_from_any_write_on_is_told_and_with_room_again_the_run_goes_on(
    a_class, tmp_path, monkeypatch
):
    judged, step, full = tmp_path / "judged", 1, True
    while full:
        out = tmp_path / f"out{step}"
        judged.write_text("")
        with monkeypatch.context() as patched:
            full_at(step, patched)
            try:
                grade.grade_class(a_class, out)
                full = False
            except grade.GradeError as error:
                assert "full" in str(error) or "No space left" in str(error)
                assert "\n" not in str(error)

        summary, _ = grade.grade_class(a_class, out, options=grade.Options(resume=True))

        keys = judged.read_text().split()
        assert len(keys) - len(set(keys)) <= 1, "only what could not be written down may be repeated"
        assert 3 == len(summary["graded"])
        assert not list(out.rglob(f"*{whole_files.SUFFIX}"))
        step += 1
    assert step > 12
