"""Without a GPU, GPU tests are skipped and the last lines say how many; nobody takes a skip for a pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tools.parts.units import ROOT

TESTS = """
import pytest

@pytest.mark.gpu
def test_first(): assert False

@pytest.mark.gpu
@pytest.mark.parametrize("n", [1, 2])
def test_second(n): assert False

def test_without_gpu(): pass
"""
SETTINGS = "[pytest]\nmarkers =\n    gpu: needs a GPU\n    slow: slow\n    browser: browser\n"


def run_pytest(folder, gpus: int) -> subprocess.CompletedProcess:
    """Run the project's conftest.py over three GPU tests and one other."""
    shutil.copy(ROOT / "conftest.py", folder)
    (folder / "test_some.py").write_text(TESTS)
    (folder / "pytest.ini").write_text(SETTINGS)
    environment = os.environ | {"WARPBOOK_TEST_GPUS": str(gpus), "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    command = [sys.executable, "-m", "pytest", "-q"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_gpu_tests_are_skipped_and_counted_without_a_gpu(tmp_path):
    done = run_pytest(tmp_path, gpus=0)

    assert 0 == done.returncode, done.stdout
    assert "1 passed, 3 skipped" in done.stdout
    assert "3 GPU tests skipped: no NVIDIA GPU here. Where there is one, run: make test-gpu" in done.stdout


def test_gpu_tests_run_with_a_gpu(tmp_path):
    done = run_pytest(tmp_path, gpus=1)

    assert "3 failed, 1 passed" in done.stdout
    assert "GPU tests skipped" not in done.stdout
