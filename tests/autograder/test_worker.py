"""Whatever hangs, crashes or exits does so in the child, and the next check finds a fresh one."""

from dataclasses import replace

import pytest

from autograder import worker
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program, ProgramError
from autograder.outcome import Crashed, TimedOut
from autograder.running.job import Job
from tests.autograder import answers
from tests.autograder.sample import HOST_ADD

RIGHT = program_of(answers.host_add)


def run(program, seconds=20.0):
    """Judge a program as an answer to the host exercise, in the child."""
    return worker.run("interpret", Job(HOST_ADD, program, seconds=seconds))


def judge(source, seconds=20.0):
    """The same for the text of a module."""
    return run(Program(source, "host_add"), seconds)


@pytest.fixture(autouse=True)
def short_grace(monkeypatch):
    monkeypatch.setattr(worker, "GRACE_S", 0.0)


def test_a_hang_is_timed_out_and_the_next_check_works():
    run(RIGHT)
    outcome = judge("while True:\n    pass\n", seconds=1.0)
    assert TimedOut is type(outcome)
    assert "infinite_loop" == outcome.misconception
    assert {"right"} == {case.status for case in run(RIGHT).trial.cases}


def test_a_segmentation_fault_is_crashed_and_says_that_the_notebook_is_fine():
    outcome = judge("import ctypes\nctypes.string_at(0)\n")
    assert Crashed is type(outcome)
    assert "segmentation fault" in outcome.causes[0].says
    assert worker.NOTHING_WRONG_HERE in outcome.causes[0].says


def test_leaving_the_process_is_not_a_pass():
    outcome = judge("import os\nos._exit(0)\n")
    assert (Crashed, 0.0) == (type(outcome), outcome.points)


def test_system_exit_is_caught_and_named():
    with pytest.raises(ProgramError, match="Line 1 fails before anything is checked: SystemExit"):
        judge("raise SystemExit(0)\n")


def test_an_exception_at_import_is_told():
    with pytest.raises(ProgramError, match="Line 2 fails before anything is checked: ZeroDivisionError"):
        judge("x = 1\nx / 0\n")


def test_source_that_is_not_python_is_told_with_its_line():
    with pytest.raises(ProgramError, match="Line 1 is not Python"):
        judge("def host_add(:\n")


def test_what_the_answer_prints_is_kept_and_does_not_disturb_the_replies():
    examination = judge("import os\nos.write(1, b'junk')\ndef host_add(a, b):\n    print('hello')\n    return a + b\n")
    assert examination.trial.printed.startswith("Your code printed at n = 1:\nhello")


def test_a_child_forked_by_the_answer_dies_with_it(tmp_path):
    import time

    note = tmp_path / "alive"
    source = f"import os, time\nif os.fork() == 0:\n    time.sleep(2)\n    open({str(note)!r}, 'w')\nwhile True: pass\n"
    assert TimedOut is type(judge(source, seconds=0.5))
    time.sleep(2)
    assert not note.exists()


def test_the_simt_child_sees_no_gpu():
    program = replace(RIGHT, source="import os\nassert os.environ['CUDA_VISIBLE_DEVICES'] == ''\n" + RIGHT.source)
    assert {"right"} == {case.status for case in run(program).trial.cases}
