"""The table of speeds names every exercise it was asked for, in course order, however they are prepared."""

import threading

import pytest

from autograder.exercises import find
from autograder.speed import bench
from tests.patience import PATIENCE_S

ASKED = [find(name) for name in ("scan.compact", "atomics.work_queue", "reductions.argmax")]


@pytest.fixture
def measured(monkeypatch):
    """What was measured, by exercise; the first exercise is done last."""
    seen, last = {}, threading.Event()

    def measure(exercise, program, sizes, max_seconds):
        if exercise is ASKED[0]:
            last.wait(PATIENCE_S)
        seen[exercise.id] = max_seconds
        if exercise is ASKED[-1]:
            last.set()
        return {"error": f"{exercise.id} has no GPU"}

    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(bench.backend, "gpu_available", lambda: True)
    return seen


def test_rows_come_in_the_order_asked_for_though_the_first_is_done_last(measured):
    rows = bench.bench(ASKED, jobs=3)["rows"]

    assert [exercise.id for exercise in ASKED] == [row["exercise"] for row in rows]
    assert [f"{exercise.id} has no GPU" for exercise in ASKED] == [row["error"] for row in rows]


def test_each_is_named_when_it_is_done_and_has_a_limit_of_seconds(measured):
    named = []

    bench.bench(ASKED[1:], named.append)

    assert [exercise.id for exercise in ASKED[1:]] == named
    assert {bench.SECONDS} == set(measured.values())
