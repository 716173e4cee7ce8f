"""What a machine lent for GPU tests needs: the course's compiler, NumPy and pytest. What needs more is skipped."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2]
NEEDED = {"numpy", "numba", "numba-cuda", "pytest", "pygments"}  # pytest brings Pygments itself
IMPORTED_AS = {"scikit-learn": "sklearn", "pytest-xdist": "xdist", "pyyaml": "yaml"}
IMPORT_ALL = """
import importlib, importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
missing, modules = set(sys.argv[1].split()), sys.argv[2].split()
sys.meta_path.insert(0, Missing())
import _pytest.outcomes
for name in modules:
    try:
        importlib.import_module(name)
        print("collected", name)
    except _pytest.outcomes.Skipped as skipped:
        print("skipped", name, skipped)
    except ModuleNotFoundError as error:
        print("ERROR", name, error)
"""


def everything_else():
    """The import names of all packages that pyproject.toml names, without what a GPU test needs."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    names = {re.split(r"[\[<>=;]", one)[0].strip() for one in wanted} - NEEDED
    return sorted(IMPORTED_AS.get(name, name.replace("-", "_")) for name in names)


def gpu_modules():
    """Every test module in which a test is marked gpu, and what pytest loads for it."""
    marked = [path for path in sorted((PROJECT / "tests").rglob("test_*.py")) if "mark.gpu" in path.read_text()]
    marked.remove(Path(__file__))
    shared = {parent / "conftest.py" for path in marked for parent in path.parents if PROJECT in parent.parents}
    paths = [*sorted(filter(Path.exists, shared)), *marked]
    return [".".join(path.relative_to(PROJECT).with_suffix("").parts) for path in paths]


def test_gpu_tests_are_collected_or_skipped_with_a_reason_where_nothing_else_is_installed():
    asked = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, " ".join(everything_else()), " ".join(gpu_modules())],
        capture_output=True, text=True, cwd=PROJECT,
    )  # fmt: skip
    said = asked.stdout.splitlines()

    assert len(said) == len(gpu_modules()) > 10, asked.stderr
    assert [] == [line for line in said if line.startswith("ERROR")]
    assert any(line.startswith("skipped tests.gpu.test_classroom_on_gpu") for line in said)
