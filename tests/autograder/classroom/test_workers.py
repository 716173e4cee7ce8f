"""Real worker processes, with tasks that any exercise could be."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.classroom import workers
from autograder.classroom.jail import namespaces as jail
from autograder.machine.course_home import PACKAGES
from tests.patience import PATIENCE_S


def kind_task(task: bytes) -> bytes:
    """What the tests give a worker to do instead of judging."""
    if task == b"die":
        os._exit(1)
    if task == b"raise":
        raise ValueError("no such exercise")
    if task.startswith(b"note "):
        with open(task.removeprefix(b"note "), "ab") as file:
            file.write(b"x")
    return task.upper()


@pytest.mark.release
def test_every_task_is_answered_once_and_a_worker_that_dies_costs_only_its_own(monkeypatch):
    monkeypatch.setattr(workers, "judge_task", kind_task)
    tasks = {"a": b"one", "b": b"die", "c": b"two", "d": b"raise", "e": b"three"}

    answers = {answer.key: answer.reply for answer in workers.on_this_machine(tasks, 2)}

    assert {"a": b"ONE", "c": b"TWO", "e": b"THREE"} == {key: answers[key] for key in "ace"}
    assert "died" in str(answers["b"])
    assert isinstance(answers["d"], ValueError)


def test_a_worker_that_dies_makes_nobody_else_wait_for_a_process_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setattr(workers, "judge_task", kind_task)
    pools = []
    made = workers.ProcessPoolExecutor
    monkeypatch.setattr(workers, "ProcessPoolExecutor", lambda *a, **k: pools.append(a) or made(*a, **k))
    tasks = {"die": b"die"} | {f"n{n}": b"note " + os.fsencode(tmp_path / f"n{n}") for n in range(12)}

    answers = {answer.key: answer.reply for answer in workers.on_this_machine(tasks, 2)}

    assert 13 == len(answers)
    assert len(pools) <= 5  # the first, one for those that wait, one for who was under way, two for who dies
    assert 12 <= sum(len((tmp_path / f"n{n}").read_bytes()) for n in range(12)) <= 13


GRADE = """
from autograder.answer.program import Program
from autograder.classroom import course, workers
from autograder.classroom.wire import Task

if __name__ == "__main__":
    setup = course.unit("01_vector_add").setup
    endless = Program("def add_on_device(a, b):\\n    while True: pass\\n", "add_on_device", "x", 1, setup)
    list(workers.on_this_machine({"a": Task("vector_add.add_on_device", endless, host=True).to_bytes()}, 1))
"""


@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.release)])
def test_nothing_is_left_running_when_the_grading_process_is_ended(tmp_path, number):
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(PACKAGES)}
    (tmp_path / "grade.py").write_text(GRADE)
    command = [sys.executable, str(tmp_path / "grade.py")]
    grading = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    wait_until(lambda: running_below(tmp_path / "warpbook.jail."))

    os.kill(grading.pid, number)

    wait_until(lambda: not running_below(tmp_path / "warpbook.jail.") and grading.poll() is not None)


def wait_until(holds, seconds: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)


def running_below(folder: Path) -> list[str]:
    """The processes that have a path which starts like this in their command line, as what makes a jail has."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and process.name != str(os.getpid()):
            try:
                said = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(folder) in said:
                found.append(process.name)
    return found
