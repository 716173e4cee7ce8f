"""Programs in a process that has what Windows has: no POSIX modules, no fork, no process groups, few signals."""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent


def environment() -> dict[str, str]:
    """What makes a Python such a process, and all that it starts."""
    path = os.pathsep.join([str(HERE), str(HERE.parent.parent)])
    return {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
