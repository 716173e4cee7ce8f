"""What travels between the grading process and its workers: one question and one reply, as JSON bytes.

Nothing is pickled by us, so a worker on another machine can be sent text and can send back text only.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from autograder import plain_data
from autograder.answer.program import Program
from autograder.exercises import own
from autograder.outcome import Outcome


@dataclass(frozen=True)
class Task:
    """One program to judge. host: it is ordinary Python; trusted: the instructor allows it to run without a jail.

    secret: of the grading run, from which the values of the cases are drawn. fix: judge nothing, but say what a GPU
    will be given. fixed: that, as text; drawn: a seed that was drawn after it had been written down, for the values on
    the GPU. The last three are no part of the question.
    """

    exercise: str
    program: Program
    host: bool = False
    trusted: bool = False
    secret: str = ""
    fix: bool = False
    fixed: str = ""
    drawn: str = ""

    @property
    def key(self) -> str:
        """Equal for equal questions: the same text handed in twice is judged once."""
        text = "\0".join([self.exercise, self.program.fingerprint, str(self.host), str(self.trusted), self.secret])
        return hashlib.sha256(text.encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document that `from_json` reads back."""
        return plain_data.to_json(self)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Task:
        """The task that `to_json` wrote. Raises TypeError for anything else."""
        return plain_data.from_json(cls, document)

    def to_bytes(self) -> bytes:
        """The task, with the folders of exercises of one's own that are known here."""
        return json.dumps({**self.to_json(), "own": [str(folder) for folder in own.folders()]}).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Task:
        """The task that `to_bytes` wrote; its exercise may be of a folder that is not known here."""
        return cls.from_json({name: value for name, value in json.loads(content).items() if name != "own"})


def own_folders(content: bytes) -> list[str]:
    """The folders that came along with a task."""
    return [str(folder) for folder in json.loads(content)["own"]]


@dataclass(frozen=True)
class Reply:
    """What a worker concluded, and with which versions and on which device it did."""

    outcome: Outcome
    by: dict[str, str] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """The reply with every part, as JSON."""
        return json.dumps({"outcome": self.outcome.to_json(), "by": self.by}, allow_nan=False).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Reply:
        """The reply that `to_bytes` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        document = json.loads(content)
        return cls(Outcome.from_json(document["outcome"]), {str(k): str(v) for k, v in dict(document["by"]).items()})
