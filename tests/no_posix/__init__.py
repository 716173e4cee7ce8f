"""Programs in a process that has what Windows has: no POSIX modules, no fork, no process groups, few signals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(*arguments: str, cwd: Path, answers: str = "") -> subprocess.CompletedProcess:
    """Run Python with these arguments. answers: what somebody types."""
    path = os.pathsep.join([str(HERE), str(HERE.parent.parent)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, input=answers, capture_output=True, text=True)
