"""`pytest --warpbook`: a project's own tests are a race check, without a GPU."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

TESTS = """\
import numpy as np
import pytest
from numba import cuda, float32

@cuda.jit
def reverse(x, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    out[t] = tile[63 - t]

@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

@pytest.fixture
def filled():
    x = np.zeros(100, np.float32)
    add_one[1, 128](x)
    return x

@pytest.fixture
def racing():
    reverse[1, 64](np.zeros(64, np.float32), np.zeros(64, np.float32))

def test_reverse():
    x = np.arange(64, dtype=np.float32)
    out = np.zeros_like(x)
    reverse[1, 64](x, out)
    assert out[0] == 63

def test_add_one(filled):
    assert (filled == 1).all()

def test_fails_by_itself():
    reverse[1, 64](np.zeros(64, np.float32), np.zeros(64, np.float32))
    assert 1 == 2

def test_set_up_races(racing):
    pass

def test_expected_that_the_launch_is_refused():
    with pytest.raises(Exception, match="2048 threads"):
        add_one[1, 2048](np.zeros(64))

@pytest.mark.xfail(strict=True)
def test_expected_to_race():
    reverse[1, 64](np.zeros(64, np.float32), np.zeros(64, np.float32))
"""


def pytest_run(folder: Path, *options: str, **variables: str) -> subprocess.CompletedProcess:
    (folder / "test_kernels.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:warpbook"]
    command += ["-p", "autograder.programs.pytest_plugin", *options, "test_kernels.py"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", **variables}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


def test_a_test_that_launches_a_race_fails_with_its_lines_and_one_that_does_not_passes(tmp_path):
    done = pytest_run(tmp_path, "--warpbook")

    assert 1 == done.returncode
    assert "2 failed, 2 passed, 1 xfailed, 1 error" in done.stdout, done.stdout
    first = done.stdout.partition("test_fails_by_itself")[0]
    assert "test_kernels.py:9  race" in first and "10: out[t] = tile[63 - t]" in first
    assert "assert 1 == 2" in done.stdout and "Captured warpbook call" in done.stdout
    assert "warpbook: 1 finding in 6 launches of 2 kernels" in done.stdout


def test_what_a_test_expects_fails_neither_it_nor_the_run(tmp_path):
    done = pytest_run(tmp_path, "--warpbook", "-k", "expected")

    assert 0 == done.returncode and "1 passed, 4 deselected, 1 xfailed" in done.stdout, done.stdout
    assert "The test expected the error that it raises." in done.stdout


@pytest.mark.skipif(find_spec("xdist") is None, reason="needs pytest-xdist")
def test_workers_of_xdist_tell_what_they_find_through_one_report_and_in_every_form(tmp_path):
    files = ("--warpbook-sarif", "o.sarif", "--warpbook-html", "o.html", "--junitxml", "o.xml")
    done = pytest_run(tmp_path, "-n", "2", *files, WARPBOOK_SIMT="1")

    last = done.stdout.splitlines()[-1]
    assert 1 == done.returncode and "2 failed, 2 passed, 1 xfailed" in last and "1 error" in last, done.stdout
    assert "warpbook: 1 finding in 6 launches of 2 kernels" in done.stdout
    results = json.loads((tmp_path / "o.sarif").read_text())["runs"][0]["results"]
    assert ["race", "error"] == [results[0]["ruleId"], results[0]["level"]]
    assert "tile[63 - t]" in (tmp_path / "o.html").read_text()
    assert "test_kernels.py:9  race" in (tmp_path / "o.xml").read_text()


@pytest.mark.skipif(find_spec("xdist") is None, reason="needs pytest-xdist")
def test_what_a_worker_expected_fails_no_run(tmp_path):
    done = pytest_run(tmp_path, "--warpbook", "-n", "1", "-k", "expected")

    assert 0 == done.returncode and "1 passed, 1 xfailed" in done.stdout, done.stdout
    assert "The test expected the error that it raises." in done.stdout


def test_a_report_that_cannot_be_written_is_told_before_a_test_runs(tmp_path):
    done = pytest_run(tmp_path, "--warpbook", "--warpbook-html", "nowhere/o.html")
    assert 4 == done.returncode and "nowhere/o.html cannot be written: there is no such folder" in done.stderr


@pytest.mark.release
def test_without_the_option_nothing_is_judged(tmp_path):
    done = pytest_run(tmp_path, "-k", "nothing_of_that_name", WARPBOOK_SIMT="0")
    assert "warpbook" not in done.stdout


@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs numba, which has a simulator")
def test_numbas_simulator_is_not_loaded_where_pytest_itself_imports_numba_first(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = ignore::numba.core.errors.NumbaWarning\n")
    done = pytest_run(tmp_path, "--warpbook", "-k", "test_reverse", NUMBA_ENABLE_CUDASIM="1")
    assert 1 == done.returncode and "test_kernels.py:9  race" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs numba, which has a simulator")
def test_a_simulator_that_another_plugin_has_loaded_is_told_in_one_sentence(tmp_path):
    (tmp_path / "simulates.py").write_text("import numba.cuda\n")
    done = pytest_run(
        tmp_path, "-p", "simulates", "--warpbook", NUMBA_ENABLE_CUDASIM="1", PYTHONPATH=f"{ROOT}:{tmp_path}"
    )
    assert 4 == done.returncode and "Traceback" not in done.stderr, done.stderr
    assert "Unset NUMBA_ENABLE_CUDASIM: the interpreter takes its place." in done.stderr
