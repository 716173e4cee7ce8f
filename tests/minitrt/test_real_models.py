"""What was recorded of published models keeps what the text promises of it."""

from __future__ import annotations

import json

import pytest

from benchmarks.real_models.published import PUBLISHED
from benchmarks.record import RESULTS

ROWS = json.loads((RESULTS / "real-models.json").read_text())["models"]


def test_every_model_has_its_row():
    assert [(model.package, model.file) for model in PUBLISHED] == [(row["package"], row["file"]) for row in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["file"].rpartition("/")[2])
def test_a_model_agrees_and_takes_no_more_seconds_and_memory_than_is_said(row):
    assert "agrees" == row["result"]
    assert row["parse_s"] + row["build_s"] <= 5 * row["ort_load_s"] + 2
    assert row["peak_mb"] <= 3 * row["mb"] + 10
