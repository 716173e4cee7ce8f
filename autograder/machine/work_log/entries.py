"""One check as the work log keeps it, written by the check itself and read back, whatever else the file holds."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.machine import data_folder
from autograder.outcome import STATUSES, Outcome

SWITCH = "WARPBOOK_WORK_LOG"  # "off": nothing is written
COSTLY = "Costly"  # as a status: right, and over a budget
KNOWN = frozenset({*STATUSES, COSTLY})
MOST_BYTES = 8_000_000  # of a file, that are read: some 30,000 checks
MOST_COUNTERS = 20
MOST_CHARACTERS = 200  # of a name


@dataclass(frozen=True)
class Entry:
    """One check. at: UTC. answer: a digest of the source, so that an answer checked twice is known as the same.

    counters: those that the exercise has a budget on, as they were measured.
    """

    at: datetime
    exercise: str
    status: str
    misconception: str
    points: float
    max_points: float
    counters: dict[str, float]
    answer: str

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document that `read` takes."""
        return {**asdict(self), "at": self.at.isoformat(timespec="seconds")}


def entry_of(outcome: Outcome, at: datetime | None = None) -> Entry:
    """What is kept of a verdict."""
    return Entry(
        at=at or datetime.now(UTC),
        exercise=outcome.exercise,
        status=COSTLY if outcome.costly else outcome.status,
        misconception=outcome.misconception,
        points=float(outcome.points),
        max_points=float(outcome.max_points),
        counters={budget.counter: budget.value for budget in outcome.budgets[:MOST_COUNTERS]},
        answer=hashlib.sha256(outcome.source.encode()).hexdigest()[:8],
    )


def file_of() -> Path:
    """The learner's work log, which may not be there yet. Raises ImportError where no data folder is known."""
    return data_folder.file_of("work", "jsonl")


def note(outcome: Outcome) -> None:
    """Add a verdict to the learner's log; nothing for a stub, in class, or where it is switched off.

    Never disturbs a check: what cannot be written is left out.
    """
    if os.environ.get(SWITCH, "").lower() in ("off", "0", "no") or "NBGRADER_EXECUTION" in os.environ:
        return
    if outcome.status in ("NotAttempted", "NotCheckable"):
        return
    with contextlib.suppress(OSError, ImportError, ValueError):
        path = file_of()
        path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(entry_of(outcome).to_json(), allow_nan=False) + "\n"
        with open(path, "a", encoding="utf-8") as file:
            file.write(line)  # one write of one line: two notebooks may append at once


def read(content: bytes) -> tuple[list[Entry], int]:
    """The checks that a log holds, in order of time, and how many lines are none. Raises nothing, whatever it holds."""
    lines = content[:MOST_BYTES].splitlines()
    found = [one for one in map(_entry, lines) if one is not None]
    return sorted(found, key=lambda entry: entry.at), len(lines) - len(found)


def written(entries: Iterable[Entry]) -> str:
    """Checks as a file of JSON lines."""
    return "".join(json.dumps(entry.to_json(), allow_nan=False) + "\n" for entry in entries)


def _entry(line: bytes) -> Entry | None:
    """One line; None where it is none that a check wrote."""
    try:
        told = json.loads(line)
        at = datetime.fromisoformat(told["at"]).astimezone(UTC)
        counters = {name: float(value) for name, value in told["counters"].items()}
        numbers = float(told["points"]), float(told["max_points"])
        names = [told[key] for key in ("exercise", "status", "misconception", "answer")]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    plain = all(isinstance(name, str) and len(name) <= MOST_CHARACTERS for name in (*names, *counters))
    finite = all(map(math.isfinite, (*numbers, *counters.values())))
    if not (plain and finite and names[1] in KNOWN and len(counters) <= MOST_COUNTERS):
        return None
    return Entry(at, names[0], names[1], names[2], *numbers, counters, names[3])
