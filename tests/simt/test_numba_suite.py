"""numba-cuda's own tests: a quick part of them, and the record of all: complete, current, and quoted as it was."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.simt.run_numba_suite import known_failures, surprises

ROOT = Path(__file__).resolve().parent.parent.parent
QUICK = ("test_sync", "test_warp_ops", "test_record_dtype", "test_tuple", "test_slicing", "test_enums")
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


def test_a_quick_part_of_the_suite_passes():
    if find_spec("numba") is None or any(map(_is_missing, ("numba.cuda.tests", "filecheck", "ml_dtypes"))):
        pytest.skip("needs numba-cuda's own tests, and filecheck and ml_dtypes, which they import")
    script = ROOT / "tests" / "simt" / "run_numba_suite.py"
    done = subprocess.run([sys.executable, script, *QUICK], capture_output=True, text=True, timeout=PATIENCE_S)
    assert 0 == done.returncode, done.stdout + done.stderr
    assert 50 < int(re.search(r"(\d+) passed", done.stdout)[1]), done.stdout
    assert done.stdout.strip().endswith("0 did not pass")


def _is_missing(module: str) -> bool:
    try:
        return find_spec(module) is None
    except ModuleNotFoundError:
        return True
