"""The course as static files that run in a browser: JupyterLite, Pyodide, and kernels in the interpreter.

    python -m tools.build_lite [--solved] [--unit NAME ...] [--wheels FOLDER] [--output FOLDER]
    python -m http.server --directory build/lite 8000

Everything lies in the output folder: no other server is asked for anything. The notebooks are those of course/, as they
are. numba has no build for a browser, so a wheel of that name holds the stand-in of `simt.cuda_api`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

from autograder import exercises
from tools.parts import pure_wheel, pyodide
from tools.parts.units import ROOT, units_of

BUILD = ROOT / "build"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
OUTPUT = BUILD / "lite"
PINNED = (
    "jupyterlite-core==0.6.4",
    "jupyterlite-pyodide-kernel==0.6.1",
    "jupyter-server>=2.4,<3",
    "jupyterlab-widgets==3.0.15",
)
WIDGETS = "ipywidgets==8.1.7"  # what jupyterlab-widgets above shows
COMM = "comm==0.2.2"  # the one package that the kernel asks an index for
UNITS = tuple(unit.id for unit in units_of(ROOT / "solutions") if exercises.of_unit(unit.id))  # 00 times the compiler
OF_CLASSES = "results/class-"  # begins the names of large files that no notebook shows
SETTINGS = ROOT / "autograder" / "machine" / "start" / "lab_settings" / "labconfig" / "default_setting_overrides.json"
STAND_IN = '''"""numba has no build for browsers: this package is a stand-in, whose kernels run in an interpreter."""

import sys

from simt.cuda_api import stand_in

stand_in.install()
stand_in.fill(sys.modules[__name__])
'''
CONFIGURATION = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "Warpbook",
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": {"disablePyPIFallback": True}},
    },
}


def added_wheels(folder: Path) -> dict[str, dict]:
    """Write the wheels of Warpbook and of the stand-ins, and fetch ipywidgets. Returns entries for Pyodide's lock file.

    Pyodide loads what a cell imports before it runs the cell, so the entries say who imports what.
    """
    ours = pure_wheel.files_of(ROOT / "simt", ROOT / "autograder") | figures()
    warpbook = pure_wheel.write(folder, "warpbook", VERSION, ours)
    modules = {f"{package}/__init__.py": STAND_IN.encode() for package in ("numba", "numba_cuda_mlir")}
    numba = pure_wheel.write(folder, "numba_stand_in", "0", modules)
    download(folder, WIDGETS)
    needs = ["numpy", "matplotlib", "ipython", "ipywidgets"]
    return {
        "ipywidgets": _entry("ipywidgets", next(folder.glob("ipywidgets-*.whl")), ["ipywidgets"], ["ipython"]),
        "warpbook": _entry("warpbook", warpbook, ["simt", "autograder"], needs),
        "numba-stand-in": _entry("numba-stand-in", numba, ["numba", "numba_cuda_mlir"], ["warpbook"]),
    }


def figures() -> dict[str, bytes]:
    """What a named GPU measured, which notebooks show where there is none, beside the packages as in the project."""
    files = pure_wheel.files_of(ROOT / "benchmarks" / "results")
    return {f"benchmarks/{path}": data for path, data in files.items() if not path.startswith(OF_CLASSES)}


def _entry(name: str, wheel: Path, imports: list[str], depends: list[str]) -> dict:
    return {
        "name": name,
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": imports,
        "depends": depends,
        "unvendored_tests": False,
    }


def download(folder: Path, requirement: str) -> None:
    """Fetch one wheel with pip."""
    command = [jupyterlite(), "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, requirement]
    subprocess.run(command, check=True)


def prepare(source: Path, runtime: Path, solved: bool, units: Sequence[str] = UNITS) -> None:
    """Lay out what `jupyter lite build` reads. runtime: an assembled Pyodide; solved: take the solved notebooks."""
    shutil.rmtree(source, ignore_errors=True)
    served = source / "static" / "pyodide"
    shutil.copytree(runtime, served, ignore=shutil.ignore_patterns(pyodide.COMPLETE))
    lock = json.loads((served / "pyodide-lock.json").read_text())
    lock["packages"] |= added_wheels(served)
    (served / "pyodide-lock.json").write_text(json.dumps(lock))
    download(source / "pypi", COMM)
    (source / "jupyter-lite.json").write_text(json.dumps(CONFIGURATION, indent=2))
    shutil.copy(SETTINGS, source / "overrides.json")
    for unit in units:
        notebook = ROOT / ("solutions" if solved else "course") / unit / f"{unit}.ipynb"
        target = source / "files" / unit / notebook.name
        target.parent.mkdir(parents=True)
        shutil.copy(notebook, target)


def jupyterlite() -> Path:
    """The Python of a virtual environment that has PINNED, made on first use: they need nothing of Warpbook."""
    folder = BUILD / "lite-venv"
    python, stamp = folder / "bin" / "python", folder / "pinned.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(PINNED):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PINNED], check=True)
        stamp.write_text("\n".join(PINNED))
    return python


def build(output: Path, solved: bool = False, wheels: Path | None = None, units: Sequence[str] = UNITS) -> Path:
    """Build the site. Returns its folder. Raises as `pyodide.assemble` does."""
    runtime = pyodide.assemble(BUILD / f"pyodide-{pyodide.VERSION}", wheels)
    source = BUILD / "lite-source"
    prepare(source, runtime, solved, units)
    shutil.rmtree(output, ignore_errors=True)
    command = [jupyterlite(), "-m", "jupyter", "lite", "build", "--lite-dir", source, "--output-dir", output]
    command += ["--contents", source / "files", "--apps", "lab"]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"jupyter lite build failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return output


def main(options: list[str] | None = None) -> int:
    """Build, and say how to look at it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--solved", action="store_true", help="take the solved notebooks")
    parser.add_argument("--unit", action="append", choices=UNITS, help="only this unit; repeatable; default: all")
    parser.add_argument("--wheels", type=Path, help="folder of an unpacked Pyodide release")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the site goes (default: build/lite)")
    arguments = parser.parse_args(options)
    try:
        output = build(arguments.output.resolve(), arguments.solved, arguments.wheels, arguments.unit or UNITS)
    except pyodide.MissingWheels as error:
        print(error, file=sys.stderr)
        return 1
    megabytes = sum(path.stat().st_size for path in output.rglob("*") if path.is_file()) / 1e6
    print(f"{output}: {megabytes:.0f} MB. Serve it: python -m http.server --directory {output} 8000")
    return 0


if __name__ == "__main__":
    sys.exit(main())
