"""Runs the interpreter's tests in WebAssembly, where an index has 32 bits: ``python tests/simt/run_in_pyodide.py``.

Node runs Pyodide with the NumPy that was built for it. Needs node and npm; further arguments go to pytest, in place of
tests/simt. Tests that start processes or ask numba itself are skipped there, and counted. Exits as pytest does.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tools.parts import pyodide
from tools.parts.units import ROOT

PACKAGES = ROOT / "build" / "pyodide-packages"
PURE = (
    "pytest>=8.2,<10",
    "pluggy",
    "iniconfig",
    "packaging",
    "pygments",
    "hypothesis<6.140",
    "sortedcontainers",
    "attrs",
)


def packages_for_tests() -> Path:
    """A folder with pytest and hypothesis, pure Python for the Python of Pyodide; made on first use."""
    if not PACKAGES.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--platform=any", "--python-version=3.12", "--implementation=py", "--target", str(PACKAGES)]
        subprocess.run([*command, *PURE], check=True)
    return PACKAGES


def main(arguments: list[str]) -> int:
    """Run pytest there. Returns its exit code, 2 where node is missing."""
    node = shutil.which("node")
    if node is None:
        print("Pyodide outside a browser needs node 18 or newer, and there is none in PATH.", file=sys.stderr)
        return 2
    runtime = pyodide.assemble(ROOT / "build" / f"pyodide-{pyodide.VERSION}")
    command = [node, Path(__file__).with_name("pyodide.mjs"), runtime, ROOT, packages_for_tests()]
    return subprocess.run([*command, *(arguments or ["-q", "tests/simt"])]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
