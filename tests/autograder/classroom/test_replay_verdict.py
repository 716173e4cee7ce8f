"""A verdict is judged again from what the ledger has, and what differs is named."""

import json
from dataclasses import replace

import pytest

from autograder import exercises
from autograder.classroom import grade, replay_verdict, workers
from autograder.classroom.ledger import provenance
from autograder.classroom.wire import Reply, Task
from autograder.cli import main
from autograder.outcome import Passed, Wrong
from tests.autograder.classroom.test_faults import (
    a_class,  # noqa: F401  # a fixture
    said,
)


@pytest.fixture
def graded(a_class, tmp_path, unit, monkeypatch):  # noqa: F811
    """A class whose every answer is wrong, and what says so."""
    found = {exercise.id: exercise for exercise in unit.exercises}
    monkeypatch.setattr(exercises, "find", lambda name: found[name])
    outcome = [Wrong("tiny.scale", 1.0, 4.0, "scale: not right yet")]
    by = {"judge": "1", "device": "no GPU"}

    def answers(tasks, scheduler="", n_workers=None, certificates=""):
        for key, content in tasks.items():
            shown = replace(outcome[0], exercise=Task.from_bytes(content).exercise)
            yield workers.Answer(key, Reply(shown, dict(by)).to_bytes())

    monkeypatch.setattr(workers, "answers", answers)
    grade.grade_class(a_class, tmp_path / "out", options=grade.Options(seed="5"))
    path = tmp_path / "out" / "verdicts" / "ada" / unit.id / f"{unit.id}.json"
    return path, outcome, by, found


def test_an_unchanged_judge_comes_to_the_same_verdict(graded):
    document, text = replay_verdict.replay(graded[0])

    assert document["same"]
    assert ["same", "same"] == [one["comes_out"] for one in document["exercises"]]
    assert "seed 5" in text


def test_a_different_outcome_is_told_with_what_was_different_then(graded):
    path, outcome, by, found = graded
    outcome[0] = Passed("tiny.scale", 4.0, 4.0, "scale: right")
    by["judge"] = "2"
    found["tiny.scale"] = replace(found["tiny.scale"], cases=found["tiny.scale"].cases[:1])

    document, text = replay_verdict.replay(path, "tiny.scale")

    assert not document["same"]
    assert "was not right yet, 1 of 4 points; is right, 4 of 4 points" in text
    assert "contract has changed" in text and "there are other cases now" in text
    assert "judge: 1 then, 2 now" in text


def test_a_difference_that_nothing_recorded_explains_is_the_judge_s_own(graded):
    graded[1][0] = Passed("tiny.scale", 4.0, 4.0, "scale: right")

    assert replay_verdict.NOBODY_KNOWS in replay_verdict.replay(graded[0])[1]


def test_a_verdict_that_was_edited_is_told_as_such(graded):
    document = json.loads(graded[0].read_text())
    document["student"], document["refused"] = "ada", "yes"
    graded[0].write_text(json.dumps(document))

    replayed, text = replay_verdict.replay(graded[0])

    assert replayed["file_changed"] and not replayed["same"]
    assert "was changed after it was judged" in text


@pytest.mark.parametrize("arguments", [["replay", "nowhere.json"], ["replay", "VERDICT", "--exercise", "no.such"]])
def test_what_cannot_be_replayed_is_said_in_one_line(graded, capsys, arguments):
    assert 2 == main([str(graded[0]) if word == "VERDICT" else word for word in arguments])

    assert 1 == len(capsys.readouterr().err.splitlines()[-1:])


def test_a_verdict_carries_what_is_needed_to_judge_it_again(graded, tmp_path):
    entry = said(tmp_path / "out")["verdicts/ada/90_tiny/90_tiny.json"]["exercises"][0]

    assert provenance.contract_digest(graded[3]["tiny.scale"]) == entry["judged"]["contract"]
    assert {"judge": "1", "device": "no GPU"} == entry["judged"]["by"]
    assert "n = 257" in entry["judged"]["cases"]
    assert 64 == len(entry["judged"]["task"])
    assert "yours" == entry["fault"]


def test_a_file_that_was_not_taken_in_has_its_reason_said_once():
    replayed = [replay_verdict.Replayed(name, "not judged", why=("This file is empty.",)) for name in ("a", "b")]
    replayed.append(replay_verdict.Replayed("c", "not judged", why=("The ledger has no such record.",)))

    text = replay_verdict._text({"student": "emil", "unit": "01", "sha256": "ab", "seed": "7"}, False, replayed)

    assert 1 == text.count("This file is empty.") and text.index("  b") < text.index("This file is empty.")
    assert 1 == text.count("no such record")
