"""What travels between the grading process and its workers: one question and one outcome, as JSON bytes.

Nothing is pickled by us, so a worker on another machine can be sent text and can send back text only.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from autograder import plain_data
from autograder.answer.program import Program
from autograder.outcome import Outcome


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
        return json.dumps(plain_data.to_json(self)).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Task:
        return plain_data.from_json(cls, json.loads(content))


def outcome_to_bytes(outcome: Outcome) -> bytes:
    """An outcome with every part, as JSON."""
    return json.dumps(outcome.to_json(), allow_nan=False).encode()


def outcome_from_bytes(content: bytes) -> Outcome:
    """The outcome that `outcome_to_bytes` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    return Outcome.from_json(json.loads(content))
