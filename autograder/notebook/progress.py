"""What this notebook session has seen: predictions, verdicts and speeds, kept in memory for `ladder` and `predict`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograder.answer.program import Program
from autograder.outcome import Outcome, Speed


@dataclass
class Record:
    """One exercise in this session."""

    outcome: Outcome | None = None  # of the last check
    speed: Speed | None = None  # of the last race
    right: tuple[Program, Outcome] | None = None  # what a check found, which a race need not check again
    draft: Outcome | None = None  # of the last check of a function by another name
    predictions: dict[str, Any] = field(default_factory=dict)  # counter, ratio or guess -> what the learner said
    hints_shown: dict[str, int] = field(default_factory=dict)  # misconception -> rungs of its ladder already shown


_records: dict[str, Record] = {}


def record(exercise_id: str) -> Record:
    """The record of an exercise, made on first use."""
    return _records.setdefault(exercise_id, Record())


def forget() -> None:
    """Start afresh; for tests."""
    _records.clear()
