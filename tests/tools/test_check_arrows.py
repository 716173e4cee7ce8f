"""The arrows that must never exist: the repository has none, and each rule catches the import it forbids."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.check_arrows import violations
from tools.parts.units import ROOT

FORBIDDEN = [
    ("simt/memory/access.py", "import numba"),
    ("simt/memory/access.py", "from numba import cuda"),
    ("simt/analyses/races/__init__.py", "import autograder.outcome"),
    ("simt/memory/access.py", "import minitrt"),
    ("simt/memory/access.py", "def draw():\n    import matplotlib.pyplot"),
    ("simt/figures.py", "import matplotlib.pyplot"),
    ("simt/memory/access.py", "from simt.analyses import races"),
    ("simt/memory/access.py", "from ..analyses import races"),
    ("simt/memory/access.py", "from simt import analyses"),
    ("minitrt/kernels/gemm.py", "from ..graph import Graph"),
    ("minitrt/runtime/engine.py", "import minitrt.passes.fuse"),
    ("minitrt/builder.py", "import autograder"),
    ("autograder/judge.py", "from solutions import anything"),
    ("autograder/judge.py", "import importlib\nimportlib.import_module('tests.zoo')"),
    ("autograder/judge.py", "def later():\n    from tools.parts import units"),
    ("autograder/classroom/wire.py", "import pickle"),
    ("autograder/classroom/reading/gate.py", "from autograder import judge"),
    ("autograder/classroom/reading/gate.py", "def later():\n    from autograder.running import run_simt"),
    ("autograder/classroom/jail/inside/recorder.py", "from autograder.compare import compare"),
    ("autograder/classroom/jail/inside/recorder.py", "from autograder.classroom.pages import verdict"),
    ("autograder/classroom/jail/host_functions.py", "from autograder.classroom.jail.inside import plans"),
    ("autograder/classroom/jail/interpreter.py", "import simt.run"),
    ("autograder/classroom/pages/feedback.py", "from autograder.classroom.jail import visit"),
    ("autograder/classroom/for_nbgrader/export.py", "import autograder.worker"),
]
ALLOWED = [
    ("simt/figures.py", "def draw():\n    import matplotlib.pyplot"),
    ("simt/tracing.py", "from simt.analyses import races"),
    ("simt/analyses/races/__init__.py", "from simt.analyses import coalescing"),
    ("simt/memory/access.py", "import numpy"),
    ("simt/memory/access.py", "from ..events import Access"),
    ("autograder/lint/typing_words.py", "import numba"),
    ("autograder/judge.py", "import testscenarios"),
    ("autograder/classroom/reading/answers.py", "from autograder.answer.program import Program"),
    ("autograder/classroom/jail/inside/interpreting.py", "from autograder.running import run_simt"),
    ("autograder/classroom/jail/interpreter.py", "from autograder.running.trial import try_cases"),
]


def write(root: Path, path: str, source: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(source + "\n")


def test_no_forbidden_import_exists():
    assert [] == violations(ROOT)


@pytest.mark.parametrize(("path", "source"), FORBIDDEN)
def test_a_forbidden_import_is_reported_with_its_line_and_the_way_out(tmp_path, path, source):
    write(tmp_path, path, source)
    line = source.count("\n") + 1

    found = violations(tmp_path)

    assert 1 == len(found)
    assert found[0].startswith(f"{path}:{line}: ")
    assert found[0].count(". ") == 1, "what is wrong, then what to do"


@pytest.mark.parametrize(("path", "source"), ALLOWED)
def test_an_import_that_no_rule_forbids_passes(tmp_path, path, source):
    write(tmp_path, path, source)

    assert [] == violations(tmp_path)
