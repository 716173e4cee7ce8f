"""The ledger of a folder of grades: runs, receipts, judgements and verdicts, in the order in which they happened.

run      a grading run began, with the seeds that its values are drawn from
received a notebook was taken in for the first time with these bytes
fixed    what a GPU will be given of an answer was made, by its digest
drawn    a seed was drawn for the values of every answer that was fixed before and has none yet
judged   one program was judged, with all that is needed to judge it again
rejudged one was judged anew, which counts nowhere until a judged record repeats it
verdict  the verdict on a submission was written, by the digest of its file
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder.classroom.ledger import provenance
from autograder.classroom.ledger.chain import Chain
from autograder.classroom.ledger.lock import only_one
from autograder.classroom.receive import Received
from autograder.classroom.wire import Reply, Task
from autograder.contract import Exercise
from autograder.outcome import Outcome

FILE = "ledger.db"
UNREADABLE = (TypeError, KeyError, ValueError, AttributeError, OverflowError)  # a record of another version, or of none
Name = tuple[str, str, str]  # student, unit, notebook


@dataclass(frozen=True)
class Judgement:
    """One program judged. n: the record's place; deaths: of workers that had it before; seed and task repeat it."""

    n: int
    task: Task
    contract: str
    cases: tuple[str, ...]
    by: dict[str, str]
    deaths: int
    outcome: Outcome

    def told(self) -> dict[str, Any]:
        """What a verdict says of how it came about."""
        told = {"record": self.n, "task": self.task.key, "contract": self.contract, "cases": list(self.cases)}
        return {**told, "by": self.by, "deaths": self.deaths}


class Book:
    """The open ledger. It knows what was judged by the key of the task, and keeps the texts on the disk."""

    def __init__(self, chain: Chain):
        self.chain = chain
        self.seeds: dict[str, str] = {}  # by unit, of the last run that graded it
        self._judged: dict[str, int] = {}
        self._held: dict[str, int] = {}
        self._received: dict[tuple[Name, str], str] = {}
        self._verdicts: dict[Name, tuple[str, str]] = {}  # digests of the notebook and of the verdict's file
        self._fixed: dict[str, tuple[str, int]] = {}  # by task: digest, and how many seeds had been drawn by then
        self._drawn: list[str] = []
        for record in chain.records():
            self._remember(record.n, record.kind, record.body)

    def begin(self, seeds: dict[str, str], resumes: bool) -> None:
        """A run begins, or goes on. seeds: what the values are drawn from, by unit."""
        self._write("run", {"seeds": seeds, "resumes": resumes, "by": provenance.made_with()})

    def receipt(self, submission: Received) -> str:
        """When these bytes were taken in first, which is now if it was never before."""
        known = (name_of(submission), submission.sha256)
        if known not in self._received:
            named = {"student": submission.student, "unit": submission.unit, "notebook": submission.notebook}
            self._write("received", {**named, "sha256": submission.sha256, "at": submission.received})
        return self._received[known]

    def fix(self, key: str, exercise_id: str, digest: str) -> None:
        """What a GPU will be given of an answer has this digest. Written once, so that its seed stays the same."""
        if self._fixed.get(key, ("", 0))[0] != digest:
            self._write("fixed", {"task": key, "exercise": exercise_id, "machine code": digest})

    def draw(self) -> None:
        """Draw a seed for all that was fixed and has none, now that it is written down."""
        if any(n_before == len(self._drawn) for _, n_before in self._fixed.values()):
            self._write("drawn", {"seed": secrets.token_hex(32)})

    def drawn_for(self, key: str) -> str:
        """The first seed that was drawn after an answer had been fixed. Raises KeyError where none was."""
        n_before = self._fixed[key][1]
        if n_before == len(self._drawn):
            raise KeyError(key)
        return self._drawn[n_before]

    def record(self, exercise: Exercise, task: Task, reply: Reply, deaths: int = 0) -> Judgement:
        """Write down how a task was judged."""
        document = _document(exercise, task, reply, deaths)
        return _judgement(self._write("judged", document), document)

    def hold(self, exercise: Exercise, task: Task, reply: Reply, deaths: int = 0) -> None:
        """Write down how a task was judged anew, to be shown first."""
        self._write("rejudged", _document(exercise, task, reply, deaths))

    def held(self, key: str, exercise: Exercise) -> Judgement | None:
        """What a task came to when it was judged anew: by this judge, on this contract; else None."""
        found = self.judgement(self._held[key]) if key in self._held else None
        here = (provenance.contract_digest(exercise), provenance.made_with()["judge"])
        return found if found is not None and (found.contract, found.by.get("judge")) == here else None

    def adopt(self, key: str) -> None:
        """From now on a task is judged as it was when it was judged anew, if it was."""
        if key in self._held:
            self._write("judged", self.chain.record(self._held[key]).body)

    def judged(self, key: str) -> Judgement | None:
        """The last judgement on a task; None where there is none, or one of another version that cannot be read."""
        n = self._judged.get(key)
        return self.judgement(n) if n is not None else None

    def judgement(self, n: int) -> Judgement | None:
        """A judgement by its place."""
        record = self.chain.record(n)
        try:
            return _judgement(n, record.body) if record.kind in ("judged", "rejudged") else None
        except UNREADABLE:
            return None

    def publish(self, verdict: dict[str, Any], digest: str) -> None:
        """A verdict's file has this digest from now on."""
        if self.published(verdict) != digest:
            named = {key: verdict[key] for key in ("student", "unit", "notebook")}
            self._write("verdict", {**named, "sha256": verdict["sha256"], "digest": digest})

    def published(self, verdict: dict[str, Any]) -> str:
        """The digest that the file of this verdict should have; "" for one that the ledger does not know."""
        return self._verdicts.get(_name(verdict), ("", ""))[1]

    def sha256_judged(self, name: Name) -> str:
        """The digest of the notebook on which a submission's last verdict is; "" where there is none."""
        return self._verdicts.get(name, ("", ""))[0]

    def _write(self, kind: str, body: dict[str, Any]) -> int:
        record = self.chain.append(kind, body)
        self._remember(record.n, kind, body)
        return record.n

    def _remember(self, n: int, kind: str, body: dict[str, Any]) -> None:
        try:
            if kind == "run":
                self.seeds |= {_text(unit): _text(seed) for unit, seed in body["seeds"].items()}
            elif kind == "judged":
                self._judged[key := Task.from_json(body["task"]).key] = n
                self._held.pop(key, None)
            elif kind == "rejudged":
                self._held[Task.from_json(body["task"]).key] = n
            elif kind == "fixed":
                self._fixed[_text(body["task"])] = (_text(body["machine code"]), len(self._drawn))
            elif kind == "drawn":
                self._drawn.append(_text(body["seed"]))
            elif kind == "received":
                self._received[(_name(body), _text(body["sha256"]))] = _text(body["at"])
            elif kind == "verdict":
                self._verdicts[_name(body)] = (_text(body["sha256"]), _text(body["digest"]))
        except UNREADABLE:
            return  # a record of another version: it stays in the chain and says nothing here


@contextmanager
def opened(folder: Path) -> Iterator[Book]:
    """The ledger of a folder, for one process at a time. Raises: LedgerError, lock.InUse, OSError."""
    with only_one(folder), Chain(folder / FILE) as chain:
        yield Book(chain)


def lies_in(folder: Path) -> bool:
    """Whether a class was graded into a folder: `opened` would begin a ledger there."""
    return (folder / FILE).is_file()


@contextmanager
def read(folder: Path) -> Iterator[Book]:
    """The ledger of a folder, to look into. Raises: LedgerError where there is none."""
    with Chain(folder / FILE, read_only=True) as chain:
        yield Book(chain)


def name_of(submission: Received) -> Name:
    """What a submission is known by, whatever its bytes."""
    return (submission.student, submission.unit, submission.notebook)


def _name(body: dict[str, Any]) -> Name:
    return (_text(body["student"]), _text(body["unit"]), _text(body["notebook"]))


def _judgement(n: int, body: dict[str, Any]) -> Judgement:
    """A judgement out of its record. Raises one of UNREADABLE for what is none."""
    by = {_text(name): _text(said) for name, said in body["by"].items()}
    cases = tuple(map(_text, body["cases"]))
    outcome, deaths = Outcome.from_json(body["outcome"]), body["deaths"]
    if not isinstance(deaths, int) or not 0 <= outcome.points <= outcome.max_points < math.inf:
        raise TypeError("these are no numbers of a judgement")
    return Judgement(n, Task.from_json(body["task"]), _text(body["contract"]), cases, by, deaths, outcome)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:60]!r} is no text")
    return value


def _document(exercise: Exercise, task: Task, reply: Reply, deaths: int) -> dict[str, Any]:
    """A judgement with all that repeats it."""
    return {
        # the digest of what was fixed is in a record of its own; where nothing was, there is no seed for it either
        "task": replace(task, fixed="", drawn=task.drawn if task.fixed else "").to_json(),
        "contract": provenance.contract_digest(exercise),
        "cases": provenance.case_names(exercise, task.program.source, task.secret),
        "by": reply.by,
        "deaths": deaths,
        "outcome": reply.outcome.to_json(),
    }
