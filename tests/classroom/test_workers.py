"""Real worker processes, with tasks that any exercise could be."""

import os

from autograder.classroom import workers


def kind_task(task: bytes) -> bytes:
    """What the tests give a worker to do instead of judging."""
    if task == b"die":
        os._exit(1)
    if task == b"raise":
        raise ValueError("no such exercise")
    return task.upper()


def test_every_task_is_answered_once_and_a_worker_that_dies_costs_only_its_own(monkeypatch):
    monkeypatch.setattr(workers, "judge_task", kind_task)
    tasks = {"a": b"one", "b": b"die", "c": b"two", "d": b"raise", "e": b"three"}

    answers = dict(workers.on_this_machine(tasks, 2))

    assert {"a": b"ONE", "c": b"TWO", "e": b"THREE"} == {key: answers[key] for key in "ace"}
    assert "died" in str(answers["b"])
    assert isinstance(answers["d"], ValueError)
