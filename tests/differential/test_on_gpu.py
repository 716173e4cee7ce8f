"""Fresh programs on a GPU: the same bytes as on the interpreter."""

from __future__ import annotations

import json
import secrets

import pytest

from tests.differential.campaign import run_campaign

pytestmark = pytest.mark.gpu
FRESH, WORKERS, SECONDS = 64, 4, 300


def test_fresh_programs_leave_the_same_bytes_on_a_gpu(tmp_path):
    first, out = secrets.randbelow(2**32), tmp_path / "results.jsonl"
    counts = run_campaign(range(first, first + FRESH), "cuda", out, WORKERS, SECONDS)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    wrong = [f"seed {row['seed']}, {row['outcome']}:\n{row['report']}" for row in rows if row["outcome"] != "equal"]
    assert [] == wrong, "\n\n".join(wrong)
    assert {"equal": FRESH} == dict(counts)
