"""A JupyterLab of its own and Debian's Chromium, for tests that use the course as a learner does."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.parts.units import ROOT

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
CHROMIUM_FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
""".split()
START_S = 120
LEARNER = ROOT / "tools" / "learner_lab"  # what `make lab` shows JupyterLab with


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


@dataclass(frozen=True)
class Lab:
    """A running server. address: as in http://127.0.0.1:8888; folder: what it serves."""

    address: str
    token: str
    folder: Path

    def url(self, path: str) -> str:
        """The address of a page, with the token that lets the browser in."""
        return f"{self.address}/{path}?token={self.token}"


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
    """JupyterLab on the copy, as learners see it, with a runtime directory of its own: one for all the tests."""
    tmp_path = tmp_path_factory.mktemp("lab")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Lab(f"http://127.0.0.1:{port}", "browser-test", course_copy)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "JUPYTER_CONFIG_PATH": str(LEARNER),
        "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings"),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
        "JUPYTER_DATA_DIR": str(tmp_path / "data"),
        "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
        "IPYTHONDIR": str(tmp_path / "ipython"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    command += [f"--ServerApp.port={port}", f"--IdentityProvider.token={server.token}", f"--notebook-dir={course_copy}"]
    log = tmp_path / "jupyter.log"
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=course_copy, env=environment, stdout=output, stderr=output)
        try:
            wait_until_up(server, process, log)
            yield server
        finally:
            process.terminate()
            process.wait(timeout=30)


def wait_until_up(server: Lab, process: subprocess.Popen, log: Path) -> None:
    """Return when the server answers; fail with its own words when it ends or takes too long."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(server.url("api/status"), timeout=5).close()
            return
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


@pytest.fixture
def page(tmp_path: Path):
    """A page of Chromium with a profile of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=CHROMIUM,
            args=CHROMIUM_FLAGS,
            viewport={"width": 1400, "height": 1000},
        )
        shown = context.pages[0]
        shown.add_locator_handler(shown.locator("dialog.jp-Dialog").first, answer)
        yield shown
        context.close()


def answer(dialog) -> None:
    """Say yes to what a slow machine makes JupyterLab ask, such as to try a lost connection again, and print it."""
    print(f"JupyterLab asked: {dialog.inner_text()!r}")
    dialog.locator(".jp-Dialog-button.jp-mod-accept").click()
