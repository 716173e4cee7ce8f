"""A learner's whole path on a machine like Windows: its files have spaces and letters of all kinds in their names."""

from __future__ import annotations

import json

import pytest

from tests.no_posix import run

ANSWER = """
from numba import cuda

@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    {guard}out[i] = a[i] + b[i]
"""
RIGHT, WRONG = ANSWER.format(guard="if i < out.size:\n        "), ANSWER.format(guard="")
PROGRAM = """
import numpy as np
a = np.ones(100, np.float32)
out = np.zeros(100, np.float32)
vector_add[1, 128](a, a, out)
"""
NOTEBOOK = """
from autograder import doctor, exercise
from answer import vector_add
from streams import as_learner

q = exercise("vector_add.vector_add")
q.show()
q.predict(global_load_sectors_per_request=4)
assert 2 == q.check(vector_add).points
q.race(vector_add)
q.hint()
q.solution()
q.show(vector_add)
as_learner()
"""
STREAMS = """
from numba import cuda
from autograder import exercise

def one_stream(x, out, stream=None):
    raise NotImplementedError()

def as_learner():
    assert 0 == exercise("streams.one_stream").check(one_stream).points
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("a path") / "wïth spaces, ünd 汉字"
    home.mkdir()
    (home / "answer.py").write_text(RIGHT, encoding="utf-8")
    (home / "wrong.py").write_text(WRONG, encoding="utf-8")
    (home / "program.py").write_text(WRONG + PROGRAM, encoding="utf-8")
    (home / "test_program.py").write_text("def test_it():\n    import program", encoding="utf-8")
    (home / "streams.py").write_text(STREAMS, encoding="utf-8")
    (home / "cells.py").write_text(NOTEBOOK, encoding="utf-8")
    return home


def warpbook(folder, *arguments: str, code: int = 0) -> str:
    done = run("-m", "autograder.cli", *arguments, cwd=folder)
    assert code == done.returncode, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_what_windows_has_not_is_gone(folder):
    probe = "import os, signal; print([name for name in ('fork', 'killpg', 'getuid') if hasattr(os, name)])"

    assert "[]" == run("-c", probe, cwd=folder).stdout.strip()
    assert "ModuleNotFoundError" in run("-c", "import fcntl", cwd=folder).stderr


def test_the_course_is_written(folder):
    warpbook(folder, "start", "mein Kürs", "--no-open")

    assert (folder / "mein Kürs" / "01_vector_add" / "01_vector_add.ipynb").is_file()


def test_answers_are_judged_and_hinted_at(folder):
    right = json.loads(warpbook(folder, "check", "vector_add.vector_add", "answer.py", "--json"))

    assert "pass" == right["status"]
    assert "outside" in warpbook(folder, "check", "vector_add.vector_add", "wrong.py")
    assert "Hint 1 of" in warpbook(folder, "hint", "vector_add.vector_add", "wrong.py")


def test_programs_kernels_and_tests_are_run(folder):
    kernel = ("--grid", "1", "--block", "32", *("--arg", "float32[16]") * 3)
    plugin = ("-m", "pytest", "-q", "-p", "autograder.programs.pytest_plugin", "--warpbook", "-p", "no:cacheprovider")

    assert "outside" in warpbook(folder, "run", "program.py", code=1)
    assert "outside" in warpbook(folder, "trace", "wrong.py:vector_add", *kernel)
    assert "registers" in warpbook(folder, "lint", "answer.py:vector_add", "--sig", ",".join(["float32[:]"] * 3))
    assert "outside" in run(*plugin, cwd=folder).stdout


def test_a_class_is_refused_in_a_sentence_and_the_doctor_says_why(folder):
    (folder / "class").mkdir(exist_ok=True)
    refused = run("-m", "autograder.cli", "grade", "--submissions", "class", "--out", "graded", cwd=folder)
    demo = run("-m", "autograder.cli", "demo", cwd=folder)

    assert "Traceback" not in refused.stderr
    assert 2 == demo.returncode and "judged on Linux" in demo.stderr, demo.stderr
    assert "namespaces" in warpbook(folder, "doctor")


def test_the_engines_command_line_starts(folder):
    done = run("-m", "minitrt.trtexec", "--help", cwd=folder)

    assert 0 == done.returncode, done.stderr


def test_a_notebooks_calls_work(folder):
    done = run("cells.py", cwd=folder)

    assert (0, "") == (done.returncode, done.stderr), done.stderr
