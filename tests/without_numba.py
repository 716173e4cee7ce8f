"""Programs in a process where numba is not installed, whatever this machine has."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

UNREDIRECTED = """
import importlib.machinery, sys
sys.meta_path = [finder for finder in sys.meta_path if "numba" not in type(finder).__module__]  # numba-cuda redirects
"""
HIDE = (
    UNREDIRECTED
    + """
real = importlib.machinery.PathFinder.find_spec
def find_spec(name, path=None, target=None):
    hidden = name.partition(".")[0] in {"numba", "numba_cuda", "numba_cuda_mlir", "llvmlite"}
    return None if hidden else real(name, path, target)
importlib.machinery.PathFinder.find_spec = find_spec
"""
)

needs_processes = pytest.mark.skipif(sys.platform == "emscripten", reason="a browser starts no processes")


def run(program: str, hide: str = HIDE) -> str:
    """What a program prints. hide: what runs before it. Fails with its traceback when it ends with an error."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", hide + textwrap.dedent(program)], capture_output=True, text=True
    )
    assert 0 == result.returncode, result.stderr
    return result.stdout.strip()
