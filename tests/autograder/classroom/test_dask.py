"""A real scheduler with a real worker: whatever of them is lost, that is one sentence, and judged answers are kept."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from autograder.classroom import grade, workers
from autograder.classroom.cluster import on_scheduler
from autograder.classroom.wire import Reply, Task
from autograder.machine.course_home import PACKAGES
from autograder.machine.scratch import ScratchFolder
from autograder.outcome import Passed
from tests.autograder.classroom.test_faults import a_class  # noqa: F401  # a fixture

pytest.importorskip("distributed", reason="dask.distributed is not installed: the extra cluster")
ON_DASK = workers.on_dask


def kind_task(task: bytes) -> bytes:
    """What a worker is given to do instead of judging."""
    asked = Task.from_bytes(task)
    if asked.fix:
        return json.dumps({"fixed": "", "digest": ""}).encode()
    time.sleep(0.7)  # so that a cluster is lost with work to do
    return Reply(Passed(asked.exercise, 4.0, 4.0, "scale: right"), {"judge": "dask"}).to_bytes()


@contextmanager
def cluster():
    """A scheduler and one worker, as two processes. Yields the address, and both."""
    with ScratchFolder("dask") as scratch:
        environment = {**os.environ, "PYTHONPATH": str(PACKAGES), "DASK_TEMPORARY_DIRECTORY": scratch}

        def start(*arguments):
            command = [sys.executable, "-m", *arguments, "--no-dashboard", "--host", "127.0.0.1"]
            return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)

        scheduler = start("distributed.cli.dask_scheduler", "--port", "0")
        address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
        worker = start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny")
        try:
            next(line for line in worker.stderr if "Registered to" in line)
            yield address, scheduler, worker
        finally:
            for process in (worker, scheduler):
                process.kill()
                process.wait()
                process.stderr.close()


@pytest.mark.release
@pytest.mark.parametrize("lost", ["scheduler", "worker"])
def test_a_lost_cluster_is_one_sentence_and_another_one_goes_on(a_class, tmp_path, monkeypatch, lost):  # noqa: F811
    monkeypatch.setattr(on_scheduler, "PATIENCE_S", 1.0)
    monkeypatch.setattr(workers, "judge_task", kind_task)
    with cluster() as (address, *processes):

        def answers(tasks, scheduler="", n_workers=None, certificates=""):
            compiling = any(Task.from_bytes(task).fix for task in tasks.values())
            for n, answer in enumerate(ON_DASK(tasks, scheduler)):
                yield answer
                if n == 1 and not compiling:
                    processes[lost == "worker"].kill()

        monkeypatch.setattr(workers, "answers", answers)
        with pytest.raises(grade.GradeError, match="is gone|has had no worker") as told:
            grade.grade_class(a_class, tmp_path / "out", options=grade.Options(scheduler=address))
    assert "--resume" in str(told.value) and "\n" not in str(told.value)

    asked = []
    monkeypatch.setattr(workers, "answers", lambda tasks, *_, **__: asked.extend(tasks) or local(tasks))
    summary, _ = grade.grade_class(a_class, tmp_path / "out", options=grade.Options(resume=True))

    assert [8.0] * 3 == [found["points"] for found in summary["graded"]]
    assert len(asked) in (1, 2)  # of four; the others were judged before the cluster was lost


def local(tasks):
    for key, task in tasks.items():
        yield workers.Answer(key, kind_task(task))


def test_a_scheduler_that_wants_certificates_says_how_to_pass_them():
    with pytest.raises(workers.SchedulerError, match="tls://127.0.0.1:1 wants certificates. Pass --tls"):
        list(workers.on_dask({"key": b"{}"}, "tls://127.0.0.1:1"))


def test_where_nothing_is_left_to_judge_nobody_has_to_be_there():
    assert [] == list(workers.answers({}, "tcp://127.0.0.1:1"))


def test_nobody_at_the_address_is_said_with_the_command_that_starts_somebody(monkeypatch):
    monkeypatch.setattr(on_scheduler, "CONNECT_S", 0.5)
    with pytest.raises(workers.SchedulerError, match="dask scheduler"):
        list(workers.on_dask({"key": b"{}"}, "tcp://127.0.0.1:1"))
