"""Without a GPU, GPU tests are skipped and the last lines say how many; nobody takes a skip for a pass. So do they of
tests that only a release runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tools.parts.units import ROOT

TESTS = """
import pytest

@pytest.mark.gpu
def test_first(): assert False

@pytest.mark.gpu
@pytest.mark.parametrize("n", [1, 2])
def test_second(n): assert False

def test_without_gpu(): pass

@pytest.mark.gpu
@pytest.mark.release
def test_with_a_gpu_for_a_release(): assert False

@pytest.mark.release
@pytest.mark.parametrize("n", [1, 2])
def test_for_a_release(n): pass
"""
SETTINGS = "[pytest]\nmarkers =\n    gpu: needs a GPU\n    slow: slow\n    browser: browser\n    release: release\n"


def run_pytest(folder, gpus: int, *flags: str) -> subprocess.CompletedProcess:
    """Run the project's conftest.py over four GPU tests and three others."""
    shutil.copy(ROOT / "conftest.py", folder)
    (folder / "test_some.py").write_text(TESTS)
    (folder / "pytest.ini").write_text(SETTINGS)
    environment = os.environ | {"WARPBOOK_TEST_GPUS": str(gpus), "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    command = [sys.executable, "-m", "pytest", "-q", *flags]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_gpu_tests_are_skipped_and_counted_without_a_gpu(tmp_path):
    done = run_pytest(tmp_path, gpus=0)

    assert 0 == done.returncode, done.stdout
    assert "1 passed, 4 skipped" in done.stdout
    assert "4 GPU tests skipped: no NVIDIA GPU here. Where there is one, run: make test-gpu" in done.stdout


def test_gpu_tests_run_with_a_gpu(tmp_path):
    done = run_pytest(tmp_path, gpus=1)

    assert "3 failed, 1 passed" in done.stdout
    assert "GPU tests skipped" not in done.stdout


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_only_a_release_runs_is_left_out_and_counted_whoever_collects(tmp_path, workers):
    done = run_pytest(tmp_path, 0, "-n", workers)

    assert "1 passed, 4 skipped" in done.stdout
    assert "2 tests for a release only: make test-release" in done.stdout


def test_what_nobody_asked_for_is_not_counted(tmp_path):
    assert "for a release only" not in run_pytest(tmp_path, 0, "-k", "without").stdout


def test_a_release_runs_them(tmp_path):
    done = run_pytest(tmp_path, 0, "--release")

    assert "3 passed, 4 skipped" in done.stdout
    assert "for a release only" not in done.stdout
