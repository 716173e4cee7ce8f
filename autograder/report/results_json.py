"""An Outcome as JSON: Exercism's results.json (version 3), with every part under "warpbook"."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from autograder.outcome import Outcome

EXERCISM_STATUS = {"Passed": "pass", "Wrong": "fail", "NotAttempted": "fail", "TimedOut": "fail"}
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
    parts = {"status": outcome.status, "misconception": outcome.misconception, **asdict(outcome)}
    return json_ready(
        {
            "version": 3,
            "status": EXERCISM_STATUS.get(outcome.status, "error"),
            "message": str(outcome),
            "tests": tests,
            "warpbook": parts,
        }
    )


def json_ready(value: Any) -> Any:
    """JSON has no NaN or infinity: they become their names. NumPy scalars become Python's."""
    if isinstance(value, dict):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
