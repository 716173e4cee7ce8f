"""What travels between the grading process and its workers: one question and one outcome, as JSON bytes.

Nothing is pickled by us, so a worker on another machine can be sent text and can send back text only.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from autograder import outcome as outcomes
from autograder.answer.program import Program
from autograder.outcome import BudgetResult, CaseResult, Cause, Outcome, Speed


@dataclass(frozen=True)
class Task:
    """One program to judge. host: it may run in a jail only; trusted: the instructor allows it to run without one.

    secret: of the grading run, from which the values of the cases are drawn.
    """

    exercise: str
    program: Program
    host: bool = False
    trusted: bool = False
    secret: str = ""

    @property
    def key(self) -> str:
        """Equal for equal questions: the same text handed in twice is judged once."""
        text = "\0".join([self.exercise, self.program.fingerprint, str(self.host), str(self.trusted), self.secret])
        return hashlib.sha256(text.encode()).hexdigest()

    def to_bytes(self) -> bytes:
        return json.dumps({**vars(self), "program": self.program.to_json()}).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Task:
        document = json.loads(content)
        return cls(**{**document, "program": Program.from_json(document["program"])})


def outcome_to_bytes(outcome: Outcome) -> bytes:
    """An outcome with every part, as JSON."""
    return json.dumps(outcome.to_json()["warpbook"], allow_nan=False).encode()


def outcome_from_bytes(content: bytes) -> Outcome:
    """The outcome that `outcome_to_bytes` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    parts: dict[str, Any] = json.loads(content)
    kind = {name: getattr(outcomes, name) for name in STATUSES}[parts.pop("status")]
    parts.pop("misconception")
    parts["causes"] = tuple(_cause(cause) for cause in parts["causes"])
    parts["cases"] = tuple(CaseResult(**case) for case in parts["cases"])
    parts["budgets"] = tuple(BudgetResult(**budget) for budget in parts["budgets"])
    parts["notes"] = tuple(parts["notes"])
    parts["speed"] = Speed(**parts["speed"]) if parts["speed"] else None
    return kind(**parts)


STATUSES = ("Passed", "NotAttempted", "Wrong", "Crashed", "TimedOut", "NotCheckable")


def _cause(parts: dict[str, Any]) -> Cause:
    threads = tuple(tuple(thread) for thread in parts["threads"])
    return Cause(**{**parts, "lines": tuple(parts["lines"]), "threads": threads})
