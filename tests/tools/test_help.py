"""Every tool says what it does when asked, and does nothing else."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from tests.patience import PATIENCE_S
from tools import generated
from tools.parts.units import ROOT

TOOLS = sorted(path.stem for path in (ROOT / "tools").glob("*.py") if path.stem != "__init__")


def contents() -> dict[str, tuple[int, int]]:
    """When each file that a tool might write was written, and its size; modules that Python keeps compiled left out."""
    places = (
        "README.md",
        "docs",
        "benchmarks/results",
        "solutions",
        "course",
        "autograder/exercises",
        "tests/golden",
        "build",
    )
    found = [path for place in places for path in (ROOT / place, *(ROOT / place).rglob("*"))]
    others = ROOT / "build" / "judged"  # where tests beside this one keep what they judged
    files = [path for path in found if path.is_file() and path.parent.name != "__pycache__"]
    files = [path for path in files if others not in path.parents]
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}


@pytest.mark.parametrize("name", TOOLS)
def test_help_says_what_a_tool_does_and_writes_nothing(name, capsys):
    module = importlib.import_module(f"tools.{name}")
    before = contents()

    with pytest.raises(SystemExit) as ended:
        module.main(["--help"])

    assert 0 == ended.value.code
    assert module.__doc__.splitlines()[0].split()[0] in capsys.readouterr().out
    assert before == contents()


def test_what_is_only_imported_lies_in_parts():
    runs = 'if __name__ == "__main__":'

    assert [] == [name for name in TOOLS if runs not in (ROOT / "tools" / f"{name}.py").read_text()]
    assert [] == [path.name for path in (ROOT / "tools" / "parts").glob("*.py") if runs in path.read_text()]


def test_nothing_that_reads_a_notebook_builds_the_grammar_of_web_addresses():
    """jsonschema, which nbformat uses, takes seconds to build it at every start; who imports it first must hide it."""
    names = [*(f"tools.{name}" for name in TOOLS), "autograder.answer.quick_nbformat", "autograder.classroom.course"]
    script = (
        "import sys, importlib\nfor name in sys.argv[1:]: importlib.import_module(name)\nprint('lark' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", script, *names], cwd=ROOT, capture_output=True, text=True)

    assert ("", "False") == (ran.stderr, ran.stdout.strip())


def test_a_solution_is_shown_without_that_grammar_too():
    script = (
        "import sys\nfrom autograder import exercises\nfrom autograder.answer.reference import solution_source\n"
        "print(bool(solution_source(exercises.find('vector_add.vector_add'))), 'lark' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert ("", "True False") == (ran.stderr, ran.stdout.strip())


EVERY_COMMAND = """
import contextlib, io, runpy, sys, traceback

for name in sys.argv[1:]:
    sys.argv, said, code = [name, "--help"], io.StringIO(), None
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_module(name, run_name="__main__")
    except SystemExit as ended:
        code = ended.code
    except BaseException as error:
        code = repr(error)
    if code != 0 or "usage:" not in said.getvalue():
        print(name, code)
"""


def test_every_command_that_writes_a_generated_file_says_what_it_does_when_asked_and_does_nothing_else():
    """A benchmark that ran in place of saying what it measures would keep a machine busy for minutes."""
    before = contents()
    ran = subprocess.run(
        [sys.executable, "-c", EVERY_COMMAND, *sorted({each.write[0] for each in generated.ALL})],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )

    assert ("", 0) == (ran.stdout, ran.returncode), ran.stderr
    assert before == contents()
