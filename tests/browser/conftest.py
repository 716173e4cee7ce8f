"""A JupyterLab of its own and Debian's Chromium, for tests that use the course as a learner does."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.parts.lab_server import CHROMIUM, Lab, browser_page, running_lab
from tools.parts.units import ROOT


def why_no_browser() -> str:
    """What is missing for these tests, and how to get it; "" when nothing is."""
    if importlib.util.find_spec("playwright") is None:
        return "Playwright is not installed: python tools/set_up.py --dev"
    if not Path(CHROMIUM).exists():
        return "Chromium is not installed: apt-get install chromium"
    return ""


def pytest_collection_modifyitems(items):
    """Skip the browser tests, visibly, where they cannot run."""
    reason = why_no_browser()
    for item in items:
        if reason and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def course_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts of the repository that a course server needs, copied, so that a test may change them."""
    folder = tmp_path_factory.mktemp("served") / "warpbook"
    for name in ("course", "solutions"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return folder


@pytest.fixture(scope="session")
def lab(course_copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab on the copy, as learners see it: one for all the tests."""
    with running_lab(course_copy, tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def page(tmp_path: Path):
    """A page of Chromium with a profile of its own."""
    with browser_page(tmp_path / "profile") as shown:
        yield shown
