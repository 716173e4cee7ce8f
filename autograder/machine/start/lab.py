"""Open JupyterLab on a folder of notebooks, as learners need it: without nbgrader's buttons, with line numbers."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

SETTINGS = Path(__file__).with_name("lab_settings")
FIRST = "00_start_here"
MISSING = 'JupyterLab is not installed. Run: python -m pip install "warpbook[lab]", then repeat.'


def is_installed() -> bool:
    """Whether JupyterLab can be opened in this environment."""
    return importlib.util.find_spec("jupyterlab") is not None


def open_lab(folder: Path, flags: tuple[str, ...] = ()) -> int:
    """Run JupyterLab in the foreground until the learner ends it. flags: as `jupyter lab` takes them."""
    paths = [str(SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    environment = {**os.environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, paths))}
    page = f"/lab/tree/{FIRST}/{FIRST}.ipynb"
    command = [sys.executable, "-m", "jupyterlab", f"--notebook-dir={folder}", f"--LabApp.default_url={page}"]
    if hasattr(os, "getuid") and os.getuid() == 0:
        command.append("--allow-root")  # JupyterLab asks for it, as in a container
    return subprocess.run([*command, "--log-level=WARN", *flags], env=environment).returncode
