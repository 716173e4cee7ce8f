"""Every tool says what it does when asked, and does nothing else."""

from __future__ import annotations

import importlib

import pytest

from tools.parts.units import ROOT

TOOLS = sorted(path.stem for path in (ROOT / "tools").glob("*.py") if path.stem != "__init__")


def contents() -> dict[str, tuple[int, int]]:
    """When each file that a tool might write was written, and its size."""
    places = ("README.md", "docs", "solutions", "course", "autograder/exercises", "tests/golden", "build")
    files = [path for place in places for path in (ROOT / place, *(ROOT / place).rglob("*")) if path.is_file()]
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
