"""An Outcome as JSON: Exercism's results.json (version 3), with every part under "warpbook"."""

from __future__ import annotations

from typing import Any

from autograder.outcome import Outcome
from autograder.report.text import render_text

CASE_STATUS = {"right": "pass", "wrong": "fail"}


def to_results(outcome: Outcome) -> dict[str, Any]:
    """A document that `json.dumps(..., allow_nan=False)` accepts.

    Source: Exercism, "The test runner interface", results.json version 3.
    """
    tests = [
        {
            "name": f"{case.name} [{case.device}]",
            "status": CASE_STATUS.get(case.status, "error"),
            "message": case.detail or None,
        }
        for case in outcome.cases
        if case.status != "not_run"
    ]
    return {
        "version": 3,
        "status": outcome.exercism,
        "message": render_text(outcome),
        "tests": tests,
        "warpbook": outcome.to_json(),
    }
