"""JupyterLab on a folder, shown as learners see it, and a Chromium to look at it: for tests and for screenshots."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.parts.units import ROOT

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
CHROMIUM_FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
""".split()
LEARNER = ROOT / "autograder" / "machine" / "start" / "lab_settings"  # what `make lab` shows JupyterLab with
START_S = 120
TOKEN = "a-server-for-this-run"


@dataclass(frozen=True)
class Lab:
    """A running server. address: as in http://127.0.0.1:8888; folder: what it serves."""

    address: str
    folder: Path

    def url(self, path: str) -> str:
        """The address of a page, with the token that lets the browser in."""
        return f"{self.address}/{path}?token={TOKEN}"


@contextmanager
def running_lab(folder: Path, scratch: Path) -> Iterator[Lab]:
    """A server on a folder, with settings and a runtime directory of its own. Raises RuntimeError."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Lab(f"http://127.0.0.1:{port}", folder)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "JUPYTER_CONFIG_PATH": str(LEARNER),
        "JUPYTERLAB_SETTINGS_DIR": str(scratch / "settings"),
        "JUPYTER_CONFIG_DIR": str(scratch / "config"),
        "JUPYTER_DATA_DIR": str(scratch / "data"),
        "JUPYTER_RUNTIME_DIR": str(scratch / "runtime"),
        "IPYTHONDIR": str(scratch / "ipython"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    command += [f"--ServerApp.port={port}", f"--IdentityProvider.token={TOKEN}", f"--notebook-dir={folder}"]
    log = scratch / "jupyter.log"
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
        try:
            _wait_until_up(server, process, log)
            yield server
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_until_up(server: Lab, process: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(server.url("api/status"), timeout=5).close()
            return
        except OSError:
            time.sleep(0.3)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


@contextmanager
def browser_page(profile: Path, width: int = 1400, height: int = 1000) -> Iterator:
    """A page of Chromium with a profile of its own; width, height: CSS pixels."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=CHROMIUM,
            args=CHROMIUM_FLAGS,
            viewport={"width": width, "height": height},
        )
        page = context.pages[0]
        page.add_locator_handler(page.locator("dialog.jp-Dialog").first, _answer)
        yield page
        context.close()


def _answer(dialog) -> None:
    """Say yes to what a slow machine makes JupyterLab ask, such as to try a lost connection again, and print it."""
    print(f"JupyterLab asked: {dialog.inner_text()!r}")
    dialog.locator(".jp-Dialog-button.jp-mod-accept").click()
