"""The recorded run of numba-cuda's own tests: complete, current, and quoted as it was."""

from __future__ import annotations

import json
from pathlib import Path

from tests.simt.run_numba_suite import known_failures, surprises

ROOT = Path(__file__).resolve().parent.parent.parent
RECORD = json.loads((ROOT / "benchmarks" / "results" / "numba-suite.json").read_text())


def test_every_test_that_does_not_pass_is_named_with_its_reason():
    assert known_failures() == RECORD["reasons"]
    assert RECORD["not_passed"] == len(RECORD["reasons"])
    assert RECORD["tests"] == RECORD["passed"] + RECORD["failed_as_expected"] + RECORD["not_passed"]


def test_the_page_quotes_the_record():
    passed = RECORD["passed"] + RECORD["failed_as_expected"]
    page = (ROOT / "docs" / "interpreter.md").read_text()
    assert f"own {RECORD['tests']} tests that are about running kernels, {passed} pass" in page


def test_a_failure_without_a_reason_and_a_reason_without_a_failure_are_told():
    known = {"a": "cannot be", "b": "cannot be either"}
    assert [] == surprises(["a", "b", "c"], {"a": "failed", "b": "failed"}, known)
    assert ["not in known_failures.txt: c: failed"] == surprises(["a", "b", "c"], {**known, "c": "failed"}, known)
    assert ["passes, but stands in known_failures.txt: b"] == surprises(["a", "b"], {"a": "failed"}, known)
    assert [] == surprises(["a"], {"a": "failed"}, known)  # b was not asked for
