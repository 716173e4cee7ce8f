"""Programs in a process where numba is not installed, whatever this machine has, nor in any that it starts."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).parent


def run(program: str, warnings: str = "error") -> str:
    """What a program prints. warnings: as python -W. Fails, with its traceback, when it ends with an error."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent.parent)])}
    command = [sys.executable, "-W", warnings, "-c", textwrap.dedent(program)]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert 0 == result.returncode, result.stderr
    return result.stdout.strip()
