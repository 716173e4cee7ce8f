"""Text files are UTF-8 on every machine: Windows would read and write them in a code page of its own."""

from __future__ import annotations

import ast

import pytest

from tools.parts.units import ROOT

OF_A_CLASS = ("autograder/classroom/",)  # needs Linux
ENCODING_AT = {"read_text": 0, "write_text": 1}  # how many arguments may stand before the encoding


def without_encoding(source: str) -> list[int]:
    """The lines that read or write a text file and leave its encoding to the machine."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [(call, ENCODING_AT.get(getattr(call.func, "attr", ""))) for call in calls]
    return [
        call.lineno
        for call, at in named
        if at is not None and len(call.args) <= at and not any(word.arg == "encoding" for word in call.keywords)
    ]


@pytest.mark.parametrize("package", ["autograder", "simt", "minitrt"])
def test_what_a_learner_runs_names_the_encoding_of_every_text_file(package):
    files = [path for path in (ROOT / package).rglob("*.py") if not str(path.relative_to(ROOT)).startswith(OF_A_CLASS)]
    found = {path.relative_to(ROOT).as_posix(): without_encoding(path.read_text(encoding="utf-8")) for path in files}

    assert {} == {path: lines for path, lines in found.items() if lines}
    assert [1] == without_encoding("path.read_text()")
