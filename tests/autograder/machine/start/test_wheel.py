"""The wheel holds the course, and with NumPy alone it runs programs, traces, judges and starts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from tools.parts.units import ROOT, units_of

ADDRESS = "https://code.host/you/warpbook"
ALLOWED = "numpy pytest _pytest pluggy iniconfig packaging pygments py"
BARE = f"""
import importlib.machinery, sys
real, allowed = importlib.machinery.PathFinder.find_spec, set("{ALLOWED}".split())
class Bare:  # no function, which pytest would make a method of a class of its own
    def __call__(self, name, path=None, target=None):
        found = real(name, path, target)
        foreign = found and found.origin and "site-packages" in found.origin
        return None if foreign and name.partition(".")[0] not in allowed else found
importlib.machinery.PathFinder.find_spec = Bare()
sys.meta_path = [finder for finder in sys.meta_path if "numba" not in type(finder).__module__
                 and "editable" not in type(finder).__module__]
"""
PLUGIN = ("-p", "autograder.programs.pytest_plugin", "--warpbook")
DEMO, GRADE = ("demo",), ("grade", "--submissions", ".", "--out", "graded")
PROGRAM = """
import numpy as np
from numba import cuda

@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    {guard}out[i] = a[i] + b[i]

if __name__ == "__main__":
    a = np.ones(100, np.float32)
    out = np.zeros(100, np.float32)
    add[1, 128](a, a, out)
    print(out.sum())
"""


def built(what: str, tree, folder) -> None:
    """Let setuptools make something of a tree, for a release with an address. what: a function of its backend."""
    program = f"import setuptools.build_meta as b; print(b.{what}({str(folder)!r}))"
    environment = {**os.environ, "WARPBOOK_ADDRESS": ADDRESS}
    subprocess.run([sys.executable, "-c", program], cwd=tree, check=True, capture_output=True, env=environment)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the unpacked wheel and a sitecustomize that hides everything but the standard library and NumPy.

    The wheel is built of the source archive, as package indexes and conda-forge build it.
    """
    pytest.importorskip("setuptools", minversion="77", reason="setuptools is too old: python tools/set_up.py --dev")
    folder = tmp_path_factory.mktemp("wheel")
    copy = tmp_path_factory.mktemp("tree")  # setuptools writes into the tree that it builds from
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "LICENSE-TEXT.md"):
        (copy / name).symlink_to(ROOT / name)
    for name in ("autograder", "simt", "minitrt", "course", "solutions", "benchmarks"):
        (copy / name).symlink_to(ROOT / name)
    built("build_sdist", copy, folder)
    unpacked = tmp_path_factory.mktemp("source")
    shutil.unpack_archive(next(folder.glob("*.tar.gz")), unpacked)
    built("build_wheel", next(unpacked.iterdir()), folder)
    site = folder / "site"
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(site)
    (site / "sitecustomize.py").write_text(BARE)
    return site


def run(site, *arguments: str, cwd=None) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True)


def test_the_base_needs_numpy_alone(installed):
    metadata = next(installed.glob("warpbook-*.dist-info/METADATA")).read_text()
    needs = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line]

    assert ["Requires-Dist: numpy>=2.0"] == needs


def test_a_package_index_is_told_where_the_source_is_and_its_page_leads_nowhere_else(installed):
    metadata = next(installed.glob("warpbook-*.dist-info/METADATA")).read_text()
    links = re.findall(r"\]\(([^)]+)\)", re.sub(r"```.*?```", "", metadata, flags=re.DOTALL))

    assert f"Project-URL: Source, {ADDRESS}\n" in metadata
    assert f"{ADDRESS}/raw/main/docs/screenshot.png" in links
    assert [] == [link for link in links if not link.startswith("https://")]


def test_the_wheel_holds_every_unit_released_and_solved_without_outputs(installed):
    units = {unit.id for unit in units_of(ROOT / "solutions")}
    shipped = installed / "warpbook_course"

    assert units == {path.parent.name for path in shipped.glob("course/*/*.ipynb")}
    assert units == {path.parent.name for path in shipped.glob("solutions/*/*.ipynb")}
    for path in shipped.glob("solutions/*/*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        assert [] == [cell for cell in cells if cell.get("outputs")]
    assert any(shipped.glob("benchmarks/results/*.json"))


def test_a_learner_starts_checks_and_asks_for_a_hint_with_numpy_alone(installed, tmp_path):
    started = run(installed, "-m", "autograder.cli", "start", str(tmp_path / "course"), "--no-open")
    answer = tmp_path / "answer.py"
    answer.write_text(PROGRAM.format(guard="if i < out.size:\n        ").replace("def add(", "def vector_add("))
    checked = run(installed, "-m", "autograder.cli", "check", "vector_add.vector_add", str(answer), "--json")
    hinted = run(installed, "-m", "autograder.cli", "hint", "vector_add.vector_add")

    assert 0 == started.returncode, started.stderr
    assert (tmp_path / "course" / "01_vector_add" / "01_vector_add.ipynb").is_file()
    assert "Passed" in checked.stdout, checked.stdout + checked.stderr
    assert hinted.stdout.startswith("Hint 1 of"), hinted.stderr


def test_programs_tests_and_kernels_are_judged_with_numpy_alone(installed, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM.format(guard=""))
    (tmp_path / "test_add.py").write_text(
        "import runpy\ndef test_it():\n    runpy.run_path('program.py', run_name='__main__')"
    )
    ran = run(installed, "-m", "autograder.cli", "run", "program.py", cwd=tmp_path)
    tested = run(installed, "-m", "pytest", "-q", *PLUGIN, cwd=tmp_path)
    kernel = ["--grid", "4", "--block", "32", *["--arg", "float32[100]"] * 3]
    traced = run(installed, "-m", "autograder.cli", "trace", "program.py:add", *kernel, cwd=tmp_path)

    for each in (ran, tested, traced):
        assert "outside" in each.stdout, each.stdout + each.stderr
    assert (1, 1) == (ran.returncode, tested.returncode)


def test_what_is_missing_is_told_with_the_extra_that_brings_it(installed):
    doctor = run(installed, "-m", "autograder.cli", "doctor")
    drill = run(installed, "-m", "autograder.cli", "drill")
    of_a_class = [run(installed, "-m", "autograder.cli", *each) for each in (DEMO, GRADE)]

    assert 'pip install "warpbook[lab]"' in doctor.stdout, doctor.stderr
    assert 'pip install "warpbook[drills]"' in drill.stderr
    for each in of_a_class:
        assert 2 == each.returncode and 'pip install "warpbook[lab]"' in each.stderr, each.stderr
