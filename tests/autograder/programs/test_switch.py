"""Processes that a judged program starts anew are judged with it, and tell what they find through it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

STARTS = """\
import multiprocessing, os, subprocess, sys
import numpy as np

def far(n):
    from numba import cuda

    @cuda.jit
    def fill(x):
        x[cuda.grid(1)] = 1

    fill[1, 32](np.zeros(n))
    return os.getpid()

if __name__ == "__main__":
    way = sys.argv[1]
    if way == "subprocess":
        code = "import sys; from starts import far; print('numba' in sys.modules); far(10)"
        print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    else:
        with multiprocessing.get_context(way).Pool(1) as pool:
            print(pool.map(far, [32, 10])[0] != os.getpid())
"""


def run(folder: Path, *arguments: str, path: Path | None = None, **variables: str) -> subprocess.CompletedProcess:
    (folder / "starts.py").write_text(STARTS)
    environment = variables | {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(map(str, filter(None, [path, ROOT]))),
    }
    command = [sys.executable, "-m", "simt", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


@pytest.mark.parametrize("way", ["spawn", "subprocess", pytest.param("forkserver", marks=pytest.mark.release)])
def test_what_a_process_started_anew_launches_is_told_with_the_programs_own(tmp_path, way):
    done = run(tmp_path, "starts.py", way)

    assert 1 == done.returncode, done.stderr
    assert "x[10] at line 9, outside the array" in done.stdout and "not looked at" not in done.stdout
    assert ("False" if way == "subprocess" else "True") == done.stdout.split()[0]


def test_where_numba_is_not_installed_they_have_the_stand_in_as_well(tmp_path):
    done = run(tmp_path, "starts.py", "subprocess", path=ROOT / "tests/no_numba")
    assert 1 == done.returncode and "starts.py:9  out of bounds" in done.stdout, done.stderr


def test_a_sitecustomize_of_the_users_own_is_read_as_before(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/sitecustomize.py").write_text("import sys; sys.own = 'read'")
    (tmp_path / "asks.py").write_text(
        "import subprocess, sys\n"
        "code = 'import sys, sitecustomize; print(sys.own, sitecustomize.__file__)'\n"
        "subprocess.run([sys.executable, '-c', code], check=True)\n"
    )
    done = run(tmp_path, "asks.py", path=tmp_path / "own")
    assert f"read {tmp_path}/own/sitecustomize.py" in done.stdout, done.stderr


def test_a_module_runs_as_after_python_m_and_one_that_is_not_there_is_named(tmp_path):
    done, missing = run(tmp_path, "-m", "starts", "subprocess"), run(tmp_path, "-m", "startz")

    assert 1 == done.returncode and "starts.py:9  out of bounds" in done.stdout, done.stderr
    assert 2 == missing.returncode and "There is no module 'startz'" in missing.stderr, missing.stderr


def test_numbas_own_simulator_is_not_asked_for_whatever_the_environment_says(tmp_path):
    done = run(tmp_path, "starts.py", "subprocess", NUMBA_ENABLE_CUDASIM="1")
    assert 1 == done.returncode and "starts.py:9  out of bounds" in done.stdout, done.stderr
