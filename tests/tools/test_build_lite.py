"""The parts of the browser's site that need no network: wheels, what depends on what, and whose bytes are kept."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile

import pytest

from autograder.notebook import levels, roof
from autograder.notebook.races_on_record import RECORDED_ON
from tests.no_numba import run
from tools import build_lite
from tools.parts import pure_wheel, pyodide
from tools.parts.quoted_figures import calls
from tools.parts.units import ROOT

WITHOUT_FIGURES: list[str] = []  # units measured nowhere yet, as their cells say; to be taken out with a recording


def test_a_wheel_has_the_same_bytes_whenever_it_is_written(tmp_path):
    first = pure_wheel.write(tmp_path, "small", "1", {"small/__init__.py": b"x = 1\n"}).read_bytes()
    assert first == pure_wheel.write(tmp_path, "small", "1", {"small/__init__.py": b"x = 1\n"}).read_bytes()


def test_pip_takes_a_wheel_and_finds_its_record_right(tmp_path):
    wheel = pure_wheel.write(tmp_path, "small", "1", {"small/__init__.py": b"x = 1\n"})
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--target",
        tmp_path / "to",
    ]
    subprocess.run([*command, wheel], check=True)
    assert "x = 1\n" == (tmp_path / "to" / "small" / "__init__.py").read_text()


def test_the_wheel_of_the_course_has_its_code_and_its_data_and_no_caches():
    names = set(pure_wheel.files_of(ROOT / "simt", ROOT / "autograder"))
    assert {"simt/run.py", "autograder/exercises/u01_vector_add/hints.md"} <= names
    assert not any("__pycache__" in name for name in names)


def test_a_browser_has_the_figures_that_notebooks_show_without_a_gpu(tmp_path, monkeypatch):
    monkeypatch.setattr(
        build_lite, "download", lambda folder, what: (folder / f"{what.partition('==')[0]}-1.whl").touch()
    )
    build_lite.added_wheels(tmp_path)
    site = tmp_path / "site"
    zipfile.ZipFile(next(tmp_path.glob("warpbook-*.whl"))).extractall(site)
    cells = [
        "".join(cell["source"])
        for unit in build_lite.UNITS
        for cell in json.loads((ROOT / "course" / unit / f"{unit}.ipynb").read_text())["cells"]
        if cell["cell_type"] == "code"
    ]
    shown = {name for source in cells for name, _ in calls(source)} | {RECORDED_ON, levels.RECORD, roof.PROFILE}
    shown |= {name for source in cells for name in re.findall(r'document_of\("([\w-]+)"', source)}
    asks = "import sys\nfrom autograder.notebook.recorded import document_of, results_file\n"
    asks += "print(results_file('stopwatches'), *(name for name in sys.argv[1:] if not document_of(name)))"

    ran = subprocess.run(
        [sys.executable, "-c", asks, *shown],
        cwd=tmp_path,
        env={"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )

    assert len(shown) > 8
    stopwatches = str(site / "benchmarks" / "results" / "stopwatches.json")
    assert [stopwatches, *WITHOUT_FIGURES] == ran.stdout.split(), ran.stderr


def lock_file(folder, **depends) -> dict:
    """The packages of a lock file, with the digests of what `folder` holds."""
    packages = {}
    for name, needs in depends.items():
        file_name = f"{name}-1-py3-none-any.whl"
        (folder / file_name).write_bytes(name.encode())
        digest = hashlib.sha256(name.encode()).hexdigest()
        packages[name] = {"name": name, "file_name": file_name, "sha256": digest, "depends": needs}
    return packages


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    """A folder of wheels and a runtime whose lock file names them: numpy needs blas, and other is not asked for."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    packages = lock_file(wheels, numpy=["blas"], blas=[], other=[])
    monkeypatch.setattr(pyodide, "ROOTS", ("NumPy",))
    lock = json.dumps({"packages": packages})
    monkeypatch.setattr(pyodide, "_unpack_runtime", lambda folder, _: (folder / "pyodide-lock.json").write_text(lock))
    return wheels


def test_what_is_needed_is_taken_and_nothing_else(runtime, tmp_path):
    folder = pyodide.assemble(tmp_path / "runtime", runtime)
    assert {"numpy-1-py3-none-any.whl", "blas-1-py3-none-any.whl"} == {path.name for path in folder.glob("*.whl")}


def test_a_file_with_other_bytes_than_the_lock_file_says_is_refused(runtime, tmp_path):
    (runtime / "blas-1-py3-none-any.whl").write_bytes(b"something else")
    with pytest.raises(pyodide.MissingWheels, match="no source has these very bytes") as error:
        pyodide.assemble(tmp_path / "runtime", runtime)
    assert ["blas-1-py3-none-any.whl"] == error.value.names
    assert not list((tmp_path / "runtime").glob("blas*"))


def test_importing_numba_loads_the_stand_in_and_with_it_the_course(tmp_path, monkeypatch):
    def fetched(folder, requirement) -> None:
        pure_wheel.write(folder, *requirement.split("=="), {})

    monkeypatch.setattr(build_lite, "download", fetched)
    entries = build_lite.added_wheels(tmp_path)
    providers = {name: entry["name"] for entry in entries.values() for name in entry["imports"]}
    assert "numba-stand-in" == providers["numba"] == providers["numba_cuda_mlir"]
    assert ["warpbook"] == entries["numba-stand-in"]["depends"]
    for entry in entries.values():
        assert entry["sha256"] == hashlib.sha256((tmp_path / entry["file_name"]).read_bytes()).hexdigest()


@pytest.mark.parametrize("package", ["numba", "numba_cuda_mlir"])
def test_the_package_of_the_stand_in_has_every_name(package, tmp_path):
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(build_lite.STAND_IN)
    printed = run(f"""
        import sitecustomize, sys
        sitecustomize.HIDDEN.clear()
        sys.path.insert(0, {str(tmp_path)!r})
        import {package}
        from {package} import cuda, float32, types
        import {package}.cuda as again
        from simt import cuda_api
        print({package}.__file__.startswith({str(tmp_path)!r}), cuda is again, cuda_api.is_stand_in(cuda))
    """)
    assert "True True True" == printed
