"""Who dies, and whose doing it was: what an answer brings about is its own, what comes from outside is tried again."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autograder import exercises, worker
from autograder.answer import reference
from autograder.answer.program import Program
from autograder.classroom import course, judging
from autograder.classroom.jail import interpreter, visit
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.messages import frames
from autograder.classroom.pages import page
from autograder.classroom.wire import Task
from autograder.running import memory_held
from autograder.running.job import Job
from tests.part import a_part

needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
RIGHT = """@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]
"""
KERNEL = exercises.find("vector_add.add_one_block")
LARGE = exercises.find("vector_add.vector_add")  # one case has arrays of more than a socket holds
HOST = exercises.find("vector_add.add_on_device")


def judged(exercise, source: str):
    program = Program(source, exercise.function, "01", 1, course.unit(exercise.unit).setup)
    return judging.judged(Task(exercise.id, program, host=exercise.kind == "host"))


@pytest.fixture
def killing(monkeypatch):
    """Kill the jail from outside while it works, so many times."""
    asked = visit.Visit.ask

    def kill(times: int):
        left = [times]

        def ask(self, document, arrays=None, seconds=60.0, **more):
            if document.get("do") == "run" and left[0]:
                left[0] -= 1
                os.kill(self.jail.process.pid, signal.SIGKILL)
            return asked(self, document, arrays, seconds, **more)

        monkeypatch.setattr(visit.Visit, "ask", ask)
        return left

    return kill


@pytest.fixture
def starving(monkeypatch):
    """Let the jail have no processor for a while, right when it should read much, so many times."""
    asked, left = visit.Visit.ask, [2]

    def everybody(pid: int, number: int) -> None:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                everybody(int(child), number)
        os.kill(pid, number)

    def ask(self, document, arrays=None, seconds=60.0, **more):
        if left[0] and sum(array.nbytes for array in (arrays or {}).values()) > 1 << 20:
            left[0] -= 1
            everybody(self.jail.process.pid, signal.SIGSTOP)
            again = (everybody, (self.jail.process.pid, signal.SIGCONT))
            threading.Timer(2 * frames.TURN_S, *again).start()
        return asked(self, document, arrays, seconds, **more)

    monkeypatch.setattr(visit.Visit, "ask", ask)
    return left


@needs_jail
def test_an_answer_whose_jail_is_held_up_while_it_reads_is_right_all_the_same(starving):
    solution = reference.solution_program(LARGE)

    outcome = judging.judged(Task(LARGE.id, solution))

    assert [0] == starving
    assert "Passed" == outcome.status, outcome


@needs_jail
def test_an_answer_whose_jail_was_killed_is_judged_again_and_right(killing):
    left = killing(2)

    outcome = judged(KERNEL, RIGHT)

    assert [0] == left
    assert "Passed" == outcome.status


@needs_jail
@pytest.mark.release  # which waits for three jails to start
def test_an_answer_whose_jail_is_killed_again_and_again_is_for_review_and_no_zero_of_its_author(killing):
    killing(100)

    outcome = judged(KERNEL, RIGHT)

    assert page.OURS == page.fault_of(outcome.status)
    assert "not your doing" in " ".join(str(outcome).split())


@needs_jail
@pytest.mark.parametrize("deed", a_part(["os._exit(0)", "os.abort()", "os.kill(os.getpid(), 9)"], 3))
def test_a_host_function_that_ends_its_process_earns_nothing_and_bothers_nobody(deed):
    outcome = judged(HOST, f"import os\ndef add_on_device(a, b):\n    {deed}\n")

    assert 0.0 == outcome.points
    assert page.YOURS == page.fault_of(outcome.status)


def test_a_child_that_is_killed_from_outside_is_asked_once_more(monkeypatch):
    asked = []

    class Child:
        def ask(self, request, seconds):
            asked.append(request)
            if len(asked) == 1:
                raise worker.ChildDied(-signal.SIGKILL)
            return {"not_loaded": "seen again"}

    monkeypatch.setattr(worker, "warm", lambda device: Child())

    with pytest.raises(worker.ProgramError, match="seen again"):
        worker.run("interpret", Job(KERNEL, Program(RIGHT, KERNEL.function)))


@pytest.fixture
def dying_children(monkeypatch):
    """Children that are no judges: each does its deed when it is asked."""

    def dying(deed: str):
        class Child(worker.Child):
            def _started(self):
                script = f"import os, sys; print(1, flush=True); sys.stdin.readline(); {deed}"
                pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
                return subprocess.Popen([sys.executable, "-c", script], start_new_session=True, **pipes)

        monkeypatch.setattr(worker, "_children", {})
        monkeypatch.setattr(worker, "Child", Child)
        return worker.run("interpret", Job(KERNEL, Program(RIGHT, KERNEL.function)))

    yield dying
    worker.stop_all()


KILLED = "os.kill(os.getpid(), 9)"  # as whoever kills it from outside


def test_a_child_that_is_killed_again_and_again_is_for_review_and_no_zero_of_its_author(dying_children):
    outcome = dying_children(KILLED)

    assert page.OURS == page.fault_of(outcome.status)
    assert "not your doing" in str(outcome)


def test_a_child_that_held_much_memory_when_it_was_killed_had_it_coming(dying_children, monkeypatch):
    ours = memory_held.own_peak()
    monkeypatch.setattr(memory_held, "too_much", lambda: ours + (100 << 20))

    outcome = dying_children(f"held = b'x' * {ours + (200 << 20)}; {KILLED}")

    assert page.YOURS == page.fault_of(outcome.status)
    assert "GB and was killed, twice" in str(outcome)


def test_memory_that_this_process_held_is_not_the_child_s(dying_children, monkeypatch):
    """Linux hands the peak of who starts a process on to it: a judge that had held much blamed every answer for it."""
    monkeypatch.setattr(memory_held, "too_much", lambda: memory_held.own_peak() // 2)

    assert page.OURS == page.fault_of(dying_children(KILLED).status)


@pytest.mark.parametrize("deed", ["os._exit(0)", "os.abort()", "os.kill(os.getpid(), 11)"])
def test_a_child_that_ends_itself_is_its_answer_s_doing(dying_children, deed):
    assert page.YOURS == page.fault_of(dying_children(deed).status)


def test_too_much_memory_is_never_more_than_half_of_what_there_is():
    assert 0 < memory_held.too_much() <= min(4 << 30, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2)


def test_a_jail_that_does_not_start_is_nobody_s_mistake(monkeypatch):
    monkeypatch.setattr(visit, "_ready", [])
    monkeypatch.setattr(visit._Jail, "_line", lambda self, seconds: (_ for _ in ()).throw(visit.JailError("died", "")))

    outcome = interpreter.interpret(Job(KERNEL, Program(RIGHT, KERNEL.function)))

    assert page.OURS == page.fault_of(outcome.status)
