"""A work log that is handed in beside a notebook is shown on its page, and earns nothing."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from autograder.classroom import grade
from autograder.machine.work_log.entries import Entry, written
from tests.autograder.classroom.conftest import RIGHT

ENTRY = Entry(datetime(2026, 1, 30, 15, 0, tzinfo=UTC), "tiny.scale", "Wrong", "no_guard", 0.0, 2.0, {}, "ab")


def graded(hand_in, log: bytes):
    """The verdict and the page of a right answer with this log beside it."""
    hand_in("ada", scale=RIGHT)
    (hand_in.root / "ada" / "90_tiny" / "work_log.jsonl").write_bytes(log)
    grade.grade_class(hand_in.root, hand_in.out)
    (path,) = (hand_in.out / "verdicts").rglob("*.json")
    page = (hand_in.out / "feedback" / "ada" / "90_tiny.html").read_text()
    return json.loads(path.read_text()), page


def test_a_page_shows_what_was_handed_in_for_the_units_own_exercises(hand_in):
    met = replace(ENTRY, misconception="<b>bold</b>")
    other = replace(ENTRY, exercise="vector_add.blend")

    document, page = graded(hand_in, written([met, met, other]).encode())

    (effort,) = document["work_log"]
    assert (effort["exercise"], effort["checks"], effort["verdicts"]) == ("tiny.scale", 2, "✗✗")
    assert "Work log, as it was handed in" in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert document["points"] == sum(one["points"] for one in document["exercises"]) > effort["max_points"]


@pytest.mark.parametrize("log", (b"", b"\x00" * 2_000_000, b"[" * 900_000), ids=("empty", "zeros", "nested"))
def test_what_is_no_log_is_left_out(hand_in, log):
    document, page = graded(hand_in, log)

    assert document["work_log"] == []
    assert "Work log" not in page
