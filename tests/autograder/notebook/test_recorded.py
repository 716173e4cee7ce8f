"""Figures on record are shown as a table, whole or one part of a file; a notebook names what is there, or absent."""

from __future__ import annotations

import ast
import json

import pytest

from autograder.notebook import recorded
from tools.parts.units import ROOT, units_of

NAMED = [
    (unit.id, tuple(argument.value for argument in call.args))
    for unit in units_of(ROOT / "solutions")
    for call in ast.walk(ast.parse((ROOT / "solutions" / unit.id / f"{unit.id}.py").read_text()))
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "recorded"
]


def test_one_part_of_a_file_is_shown_without_the_others(tmp_path, monkeypatch, capsys):
    tables = {name: {"columns": ["what", "time"], "rows": [[name, "1 ms"]]} for name in ("widths", "ways")}
    (tmp_path / "kept.json").write_text(json.dumps({"device": "a GPU", "date": "2026-01-02", "parts": tables}))
    monkeypatch.setattr(recorded, "results_file", lambda name: tmp_path / f"{name}.json")

    assert tables["ways"] == recorded.recorded("kept", "ways")
    shown = capsys.readouterr().out
    assert "a GPU, 2026-01-02" in shown and "ways" in shown and "widths" not in shown


@pytest.mark.parametrize(
    ("unit", "names"), NAMED, ids=lambda value: "-".join(value) if isinstance(value, tuple) else value
)
def test_what_a_notebook_names_is_on_record_or_said_to_be_absent(unit, names, capsys):
    document = recorded.recorded(*names)
    shown = capsys.readouterr().out
    assert document["rows"] if document else "With a GPU: python benchmarks/bench_" in shown
