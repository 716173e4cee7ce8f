"""Tests that need a GPU are skipped where there is none, and counted where everybody looks: in the last lines."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

sys.modules.setdefault("rfc3987_syntax", None)  # four seconds a worker: autograder/answer/quick_nbformat.py says why

NEEDS_GPU = "needs an NVIDIA GPU"
FOR_A_RELEASE = "for a release"
DRIVER = Path(__file__).parent / "autograder" / "machine" / "driver.py"


@cache
def gpu_count() -> int:
    """How many GPUs the driver offers, asked in a process of its own so that this one stays free to fork."""
    if "WARPBOOK_TEST_GPUS" not in os.environ:  # pytest-xdist's workers inherit the answer
        asked = subprocess.run([sys.executable, str(DRIVER), "--devices"], capture_output=True, text=True)
        os.environ["WARPBOOK_TEST_GPUS"] = asked.stdout.strip() or "0"
    return int(os.environ["WARPBOOK_TEST_GPUS"])


def pytest_addoption(parser):
    parser.addoption("--release", action="store_true", help="run tests marked release, too (make test-release)")


def pytest_configure(config):
    """Ask before workers start; and let no test write what it learns about a learner into the user's own folder."""
    os.environ.setdefault("WARPBOOK_DATA", tempfile.mkdtemp(prefix="warpbook-tests-"))
    gpu_count()


def pytest_collection_modifyitems(config, items):
    """Skip GPU tests without a GPU, and without --release those that only a release runs."""
    for item in items:
        if item.get_closest_marker("gpu") and not gpu_count():
            item.add_marker(pytest.mark.skip(reason=NEEDS_GPU))
        elif item.get_closest_marker("release") and not config.getoption("--release"):
            item.add_marker(pytest.mark.skip(reason=FOR_A_RELEASE))


def pytest_collection_finish():
    """Keep the garbage collector from looking, again and again, through what lives as long as the tests do."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_terminal_summary(terminalreporter):
    """Say how many tests were skipped for want of a GPU or a browser, or kept for a release."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    without_gpu = sum("GPU" in reason for reason in skipped)
    kept = sum(FOR_A_RELEASE in reason for reason in skipped)
    if without_gpu:
        terminalreporter.write_line(
            f"{_tests(without_gpu, 'GPU ')} skipped: no NVIDIA GPU here. Where there is one, run: make test-gpu",
            yellow=True,
        )
    if kept:
        terminalreporter.write_line(f"{_tests(kept)} for a release only: make test-release", yellow=True)
    others = len(skipped) - without_gpu - kept
    if others:
        terminalreporter.write_line(f"{_tests(others)} skipped for the reasons listed below.", yellow=True)


def _tests(count: int, kind: str = "") -> str:
    """ "1 GPU test", "3 GPU tests"."""
    return f"{count} {kind}test{'' if count == 1 else 's'}"
