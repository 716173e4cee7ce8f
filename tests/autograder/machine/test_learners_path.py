"""A learner's whole path, from a folder with spaces and letters of all kinds in its name, on machines that lack things.

One has what Windows has; one has numba without any CUDA target, as macOS will once numba's own one is gone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

import pytest

from tests import no_cuda_target, no_posix
from tests.patience import PATIENCE_S

WINDOWS = pytest.param(no_posix.environment, id="what Windows has")
MAC = pytest.param(partial(no_cuda_target.environment, "raises"), id="numba.cuda fails")
LATER_MAC = pytest.param(partial(no_cuda_target.environment, "absent"), id="no numba.cuda")
MACHINES = (WINDOWS, MAC)
SORRY = "the compiler is numba-cuda's"

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
q.explain()
q.step(vector_add)
doctor()
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
NET = """
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 64]) for name in "xy")
weights = numpy_helper.from_array(np.eye(64, dtype=np.float32), "weights")
nodes = [helper.make_node("MatMul", ["x", "weights"], ["h"]), helper.make_node("Relu", ["h"], ["y"])]
graph = helper.make_graph(nodes, "net", [x], [y], [weights])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), "net.onnx")
"""


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "wïth spaces, ünd 汉字"
    home.mkdir()
    (home / "answer.py").write_text(RIGHT, encoding="utf-8")
    (home / "wrong.py").write_text(WRONG, encoding="utf-8")
    (home / "program.py").write_text(WRONG + PROGRAM, encoding="utf-8")
    (home / "test_program.py").write_text("def test_it():\n    import program", encoding="utf-8")
    (home / "streams.py").write_text(STREAMS, encoding="utf-8")
    (home / "cells.py").write_text(NOTEBOOK, encoding="utf-8")
    return home


@pytest.fixture
def environment(machine, folder) -> dict[str, str]:
    """What a process there is given; its data lie beside what the learner wrote."""
    return {**machine(), "WARPBOOK_DATA": str(folder / "dätä")}


@pytest.fixture
def run(environment, folder):
    """Run Python there."""

    def python(*arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    return python


@pytest.fixture
def warpbook(run):
    """Run the command there, whose exit code and freedom from tracebacks are held. Returns what it printed."""

    def command(*arguments: str, code: int = 0) -> str:
        done = run("-m", "autograder.cli", *arguments)
        assert code == done.returncode, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    return command


@pytest.mark.parametrize("machine", [WINDOWS])
def test_what_windows_has_not_is_gone(run, folder):
    probe = "import os, signal; print([name for name in ('fork', 'killpg', 'getuid') if hasattr(os, name)])"

    assert "[]" == run("-c", probe).stdout.strip()
    assert "ModuleNotFoundError" in run("-c", "import fcntl").stderr


@pytest.mark.parametrize("machine", [MAC, LATER_MAC])
def test_numba_is_there_and_its_cuda_target_is_not(run, folder):
    pytest.importorskip("numba", reason="numba is not installed")

    assert 0 == run("-c", "import numba").returncode
    assert 0 != run("-c", "from numba import cuda").returncode


@pytest.mark.parametrize("machine", MACHINES)
def test_the_course_is_written(warpbook, folder):
    warpbook("start", "mein Kürs", "--no-open")

    assert (folder / "mein Kürs" / "01_vector_add" / "01_vector_add.ipynb").is_file()


@pytest.mark.parametrize("machine", [*MACHINES, LATER_MAC])
def test_answers_are_judged_hinted_at_and_logged(warpbook):
    right = json.loads(warpbook("check", "vector_add.vector_add", "answer.py", "--json"))

    assert "pass" == right["status"]
    assert "outside" in warpbook("check", "vector_add.vector_add", "wrong.py")
    assert "Hint 1 of" in warpbook("hint", "vector_add.vector_add", "wrong.py")
    assert "vector_add.vector_add" in warpbook("log")


@pytest.mark.parametrize("machine", MACHINES)
def test_programs_kernels_and_tests_are_run(run, warpbook, folder):
    kernel = ("--grid", "1", "--block", "32", *("--arg", "float32[16]") * 3)
    plugin = ("-m", "pytest", "-q", "-p", "autograder.programs.pytest_plugin", "--warpbook", "-p", "no:cacheprovider")

    assert "outside" in warpbook("run", "program.py", code=1)
    assert "outside" in warpbook("trace", "wrong.py:vector_add", *kernel)
    assert "outside" in run(*plugin).stdout


@pytest.mark.parametrize("machine", [WINDOWS])
def test_kernels_are_compiled(warpbook):
    pytest.importorskip("numba_cuda", reason=SORRY)

    assert "registers" in warpbook("lint", "answer.py:vector_add", "--sig", ",".join(["float32[:]"] * 3))


@pytest.mark.parametrize("machine", [WINDOWS])
def test_a_class_is_refused_in_a_sentence_and_the_doctor_says_why(run, warpbook, folder):
    (folder / "class").mkdir()
    refused = run("-m", "autograder.cli", "grade", "--submissions", "class", "--out", "graded")
    demo = run("-m", "autograder.cli", "demo")

    assert "Traceback" not in refused.stderr
    assert 2 == demo.returncode and "judged on Linux" in demo.stderr, demo.stderr
    assert "namespaces" in warpbook("doctor")


@pytest.mark.parametrize("machine", MACHINES)
def test_an_engine_is_built_and_run_from_the_command_line(run, folder):
    pytest.importorskip("onnx", reason="onnx is not installed")
    assert 0 == run("-c", NET).returncode
    done = run("-m", "minitrt.trtexec", "--onnx=net.onnx", "--iterations=1", "--duration=0")

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "PASSED" in done.stdout


@pytest.mark.parametrize("machine", MACHINES)
def test_a_notebooks_calls_work(run, folder):
    done = run("cells.py")

    assert (0, "") == (done.returncode, done.stderr), done.stderr


@pytest.mark.parametrize("machine", MACHINES)
def test_a_drill_asks_and_stops(environment, warpbook, folder):
    pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed")
    if not hasattr(pexpect, "spawn"):
        pytest.skip("pexpect types into no terminal of this system")
    command = ["-m", "autograder.cli", "drill", "--topics", "B7", "--seed", "11"]
    child = pexpect.spawn(
        sys.executable, command, timeout=PATIENCE_S, cwd=str(folder), env=environment, encoding="utf-8"
    )
    child.expect(r"> ")
    child.sendline(":q")
    child.expect("warpbook drill")
    child.expect(pexpect.EOF)

    assert "Answers: 0" in warpbook("drill", "progress")
