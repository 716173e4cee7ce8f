"""The work log: checks write it, it is read whatever it holds, and it sums up to what somebody did."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from autograder import cli, exercise
from autograder.machine.work_log import entries, summed
from autograder.machine.work_log.entries import Entry
from autograder.notebook import progress

RIGHT = """
from numba import cuda
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
"""
WRONG = RIGHT.replace("a[i] + b[i]", "a[i] - b[i]")
STUB = RIGHT.split("    i =")[0] + "    raise NotImplementedError()\n"
BEGAN = datetime(2026, 1, 30, 15, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def a_learner_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("WARPBOOK_DATA", str(tmp_path / "data"))
    progress.forget()
    yield tmp_path
    progress.forget()


def check(tmp_path, source):
    file = tmp_path / "answer.py"
    file.write_text(source)
    assert cli.main(["check", "vector_add.vector_add", str(file), "--device", "simt"]) == 0


def logged(capsys, *options):
    capsys.readouterr()
    assert cli.main(["log", *options]) == 0
    return capsys.readouterr().out


def entry(minutes, status="Wrong", exercise="vector_add.blend", answer="a", misconception="", points=0.0):
    return Entry(BEGAN + timedelta(minutes=minutes), exercise, status, misconception, points, 2.0, {}, answer)


def test_each_check_of_an_answer_is_a_line_and_a_stub_is_none(a_learner_of_its_own, capsys):
    for source in (STUB, WRONG, WRONG, RIGHT):
        check(a_learner_of_its_own, source)

    (told,) = json.loads(logged(capsys, "--json"))["exercises"]

    assert (told["checks"], told["tries"], told["verdicts"]) == (3, 2, "✗✗✓")
    assert told["best"] == told["max_points"]
    assert "vector_add.vector_add  ✗✗✓" in logged(capsys)


def test_a_notebook_writes_it_too(capsys):
    namespace = {}
    exec(RIGHT, namespace)
    exercise("vector_add.vector_add").check(namespace["vector_add"])

    assert "1 check" in logged(capsys)


@pytest.mark.parametrize("name, value", (("WARPBOOK_WORK_LOG", "off"), ("NBGRADER_EXECUTION", "autograde")))
def test_it_is_off_by_one_setting_and_in_class(a_learner_of_its_own, monkeypatch, capsys, name, value):
    monkeypatch.setenv(name, value)

    check(a_learner_of_its_own, WRONG)

    assert "The work log is empty" in logged(capsys)


def test_a_folder_that_cannot_be_written_disturbs_no_check(a_learner_of_its_own, monkeypatch):
    (a_learner_of_its_own / "file").write_text("")
    monkeypatch.setenv("WARPBOOK_DATA", str(a_learner_of_its_own / "file"))

    check(a_learner_of_its_own, WRONG)


def test_what_no_check_wrote_is_counted_and_left_out():
    good = entry(0).to_json()
    odd = [
        b"",
        b"\xff\xfe",
        b"[1]",
        b"[" * 100_000,
        json.dumps({**good, "at": "yesterday"}).encode(),
        json.dumps({**good, "at": "0001-01-01T00:00:00+14:00"}).encode(),
        json.dumps({**good, "status": "Excellent"}).encode(),
        json.dumps({**good, "points": float("nan")}).encode(),
        json.dumps({**good, "exercise": "x" * 10_000}).encode(),
        json.dumps({**good, "counters": {"a": "many"}}).encode(),
        json.dumps({**good, "counters": {str(i): i for i in range(100)}}).encode(),
    ]

    found, unread = entries.read(b"\n".join([*odd, json.dumps(good).encode()]))

    assert found == [entry(0)]
    assert unread == len(odd)


def test_breaks_do_not_count_as_work():
    found = [entry(0), entry(10), entry(200, answer="b"), entry(205, "Passed", answer="c", points=2.0)]

    (one,) = summed.efforts(found)

    assert (one.checks, one.tries, one.verdicts) == (4, 3, "✗✗✗✓")
    assert one.minutes == 2 + 10 + 2 + 5


def test_exercises_come_in_the_order_in_which_they_were_begun_with_what_was_met():
    found = [entry(0, exercise="b.b", misconception="no_guard"), entry(1, exercise="a.a"), entry(2, exercise="b.b")]

    told = summed.efforts(found)

    assert [one.exercise for one in told] == ["b.b", "a.a"]
    assert told[0].misconceptions == ("no_guard",)
    assert "met: no_guard" in summed.as_text(told)


def test_a_copy_to_hand_in_is_a_new_file(a_learner_of_its_own, capsys):
    check(a_learner_of_its_own, WRONG)
    target = a_learner_of_its_own / "work_log.jsonl"

    assert "Wrote 1 check to" in logged(capsys, "--unit", "01_vector_add", "--to", str(target))
    assert len(entries.read(target.read_bytes())[0]) == 1
    assert cli.main(["log", "--to", str(target)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert cli.main(["log", "--unit", "vectors"]) == 2
    assert "there is no unit 'vectors'" in capsys.readouterr().err
