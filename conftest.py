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

from autograder.answer import address_grammar
from autograder.machine.scratch import NAME, ScratchFolder

address_grammar.hide()  # four seconds a worker

NEEDS_GPU = "needs an NVIDIA GPU"
ALL_THAT_IT_LEAVES = (
    "data",
    "pytest-of-*",
    "warpbook-timing-*.lock",
    "warpbook-timed-*",
)  # in the temporary folder of the tests' own
OURS = ("warpbook*", "tmp*")  # names of what this project makes there; a library may leave what it likes
SCRATCH: pytest.StashKey[ScratchFolder] = pytest.StashKey()
KEPT: pytest.StashKey[int] = pytest.StashKey()  # how many tests only a release runs
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
    """Ask before workers start; and let no test write into the temporary folder or the learner's data of the user."""
    if not NAME.fullmatch(
        Path(tempfile.gettempdir()).name
    ):  # a worker of pytest-xdist and a run in a test inherit both
        config.stash[SCRATCH] = ScratchFolder("tests")
        data = Path(config.stash[SCRATCH].name, "data")
        data.mkdir()
        os.environ["TMPDIR"], tempfile.tempdir = config.stash[SCRATCH].name, None
        os.environ.setdefault("WARPBOOK_DATA", str(data))
    gpu_count()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """After all else: name what the tests left in the temporary folder, which fails them, and remove it.

    What a failed test wrote into its `tmp_path` stays until the next run, which sweeps it.
    """
    yield
    scratch = session.config.stash.get(SCRATCH, None)
    if scratch is None:
        return
    ours = [path for path in Path(scratch.name).iterdir() if any(map(path.match, OURS))]
    left = [path.name for path in ours if not any(map(path.match, ALL_THAT_IT_LEAVES))]
    if left:
        print(f"Left in the temporary folder: {', '.join(sorted(left))}.")
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
    if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        scratch.cleanup()
    else:
        print(f"What the tests wrote lies in {scratch.name} until the next run.")
        scratch.keep()


@pytest.hookimpl(trylast=True)  # of what -k and -m have chosen
def pytest_collection_modifyitems(config, items):
    """Skip GPU tests without a GPU, and leave out without --release those that only a release runs: skipped ones would
    take a worker and who listens to it three thousandths of a second each. What takes long comes first, so that no
    worker is left alone with it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    tried, kept = [], []
    for item in items:
        without_gpu = item.get_closest_marker("gpu") and not gpu_count()
        if without_gpu:
            item.add_marker(pytest.mark.skip(reason=NEEDS_GPU))
        for_a_release = item.get_closest_marker("release") and not config.getoption("--release")
        (kept if for_a_release and not without_gpu else tried).append(item)
    items[:] = tried
    config.stash[KEPT] = len(kept)
    if kept:
        config.hook.pytest_deselected(items=kept)
    if hasattr(config, "workeroutput"):
        config.workeroutput["kept"] = len(kept)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Workers of pytest-xdist collect the same tests each, and only they do: the last one says how many it left out."""
    node.config.stash[KEPT] = getattr(node, "workeroutput", {}).get("kept", node.config.stash.get(KEPT, 0))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item):
    """A test that closes this process's standard input, as reading from file number 0 does, fails by name: else another
    one fails later, which starts a program."""
    try:
        os.fstat(0)
    except OSError:
        os.open(os.devnull, os.O_RDONLY)
        pytest.fail(f"{item.nodeid} closed file number 0, the standard input.", pytrace=False)


def pytest_collection_finish():
    """Keep the garbage collector from looking, again and again, through what lives as long as the tests do."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_terminal_summary(terminalreporter):
    """Say how many tests were skipped for want of a GPU or a browser, or left out since only a release runs them."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    without_gpu = sum("GPU" in reason for reason in skipped)
    kept = terminalreporter.config.stash.get(KEPT, 0)
    if without_gpu:
        terminalreporter.write_line(
            f"{_tests(without_gpu, 'GPU ')} skipped: no NVIDIA GPU here. Where there is one, run: make test-gpu",
            yellow=True,
        )
    if kept:
        terminalreporter.write_line(f"{_tests(kept)} for a release only: make test-release", yellow=True)
    others = len(skipped) - without_gpu
    if others:
        terminalreporter.write_line(f"{_tests(others)} skipped for the reasons listed below.", yellow=True)


def _tests(count: int, kind: str = "") -> str:
    """ "1 GPU test", "3 GPU tests"."""
    return f"{count} {kind}test{'' if count == 1 else 's'}"
