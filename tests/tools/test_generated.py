"""One list of everything generated: each file on it exists, each command too, and code hosts know what to fold."""

from __future__ import annotations

import importlib.util
import re
import subprocess

import pytest

from tools import generated
from tools.parts.units import ROOT

KINDS = re.compile(r"\.(json|svg|txt|ipynb)$")  # of files that people rarely write by hand
AUTHORED = {
    "tests/simt/numba_suite/kernel_tests.txt": "which of numba's tests are about kernels",
    "tests/simt/numba_suite/known_failures.txt": "why a test of numba's does not pass",
    "tests/minitrt/lists/": "which of onnx's own tests are taken",
    "tools/templates/": "what a new unit starts from",
    "benchmarks/results/drills-h200.json": "figures of a GPU that cards quote",
    "autograder/machine/start/lab_settings/": "what JupyterLab shows a learner",
}


def tracked() -> list[str]:
    """The files of the repository."""
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")


@pytest.mark.parametrize("each", generated.ALL, ids=lambda each: each.name)
def test_every_file_on_the_list_exists_and_so_does_its_command(each):
    assert [] == [pattern for pattern in each.files if not list(ROOT.glob(pattern))]
    assert [] == [name for name in {each.write[0], *each.check[:1]} if importlib.util.find_spec(name) is None]


def test_every_file_that_looks_generated_is_on_the_list():
    listed = {path.relative_to(ROOT).as_posix() for each in generated.ALL for p in each.files for path in ROOT.glob(p)}
    looks = {path for path in tracked() if KINDS.search(path)}

    assert [] == sorted(path for path in looks - listed if not path.startswith(tuple(AUTHORED)))


def test_code_hosts_fold_what_is_generated_and_nothing_else():
    attributes = (ROOT / ".gitattributes").read_text()
    marked = re.findall(r"^([^#\s]+) linguist-generated$", attributes, flags=re.MULTILINE)

    assert [pattern for each in generated.ALL if each.whole for pattern in each.files] == marked


def test_every_tool_that_can_check_is_on_the_list():
    can_check = {path.stem for path in (ROOT / "tools").glob("*.py") if '"--check"' in path.read_text()}
    listed = {each.check[0].removeprefix("tools.") for each in generated.ALL if each.check}

    assert set() == can_check - listed - {"generated"}


def test_nothing_that_needs_a_gpu_is_written_unasked():
    assert [] == [each.name for each in generated.chosen([], check=False) if each.needs]
    assert ["races"] == [each.name for each in generated.chosen(["races"], check=False)]


def test_a_name_that_is_none_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match=r"named readmee\. There are: .*readme"):
        generated.chosen(["readmee"], check=True)
