"""Programs in a process where numba is installed and has no CUDA target, as on macOS once numba's own one is gone."""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent
WAYS = ("absent", "raises")  # how importing numba.cuda fails: there is none, or it ends with an error of its own


def environment(way: str) -> dict[str, str]:
    """What makes a Python such a process, and all that it starts. way: one of WAYS."""
    path = os.pathsep.join([str(HERE), str(HERE.parent.parent)])
    return {**os.environ, "PYTHONPATH": path, "NO_CUDA_TARGET": way, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
