"""Reading submissions in a process of its own, with limits on time and memory: one of them never stops a class.

The process opens the file, parses it and takes answers out of it. It runs nothing of it. Where it hangs, dies or needs
too much, another takes over, and that one submission is for somebody to look at.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import typing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, make_dataclass
from pathlib import Path
from typing import Any

from autograder import plain_data
from autograder.classroom.course import Unit
from autograder.classroom.messages import conversation, frames
from autograder.classroom.reading.answers import Answer
from autograder.classroom.reading.inbox import HandedIn
from autograder.classroom.receive import Received
from autograder.machine.work_log.summed import Effort

PROJECT = Path(__file__).resolve().parents[3]
READ_S = 30.0  # of a processor, for a submission; one of 10 MB takes about a second
PATIENCE_S = (
    600.0  # by the clock, for the process to start or to read: a busy machine and a cold disk are nobody's fault
)
TOO_LONG = f"Reading this notebook took more than {READ_S:g} s of a processor, so it was given up."
_ANSWER = typing.get_type_hints(Answer)
AnswerAsRead = make_dataclass(  # what travels of an Answer: all but the exercise, which is ours
    "AnswerAsRead", [(field.name, _ANSWER[field.name]) for field in fields(Answer) if field.name != "exercise"]
)


@dataclass(frozen=True)
class Reading:
    """A submission as it was read. review: why it could not be, where that is for a person to look at; else ""."""

    submission: Received
    unit: Unit
    answers: tuple[Answer, ...] = ()
    review: str = ""


def read_all(handed_in: Sequence[HandedIn], unit_of: Callable[[str], Unit], n_readers: int = 2) -> Iterator[Reading]:
    """Read submissions, a few at a time. Yields one for each, in their order, whatever they are."""
    own = threading.local()
    readers: list[Reader] = []

    def read(one: HandedIn) -> Reading:
        if not hasattr(own, "reader"):
            own.reader = Reader()
            readers.append(own.reader)
        return own.reader.read(one, unit_of(one.unit))

    try:
        with ThreadPoolExecutor(n_readers) as pool:
            yield from pool.map(read, handed_in)
    finally:
        for reader in readers:
            reader.close()


class Reader:
    """One reading process, replaced where a submission takes it down."""

    def __init__(self):
        self._process: subprocess.Popen | None = None
        self._channel: socket.socket | None = None
        self._computed_s = 0.0  # by the process, before it was given what it reads now

    def read(self, one: HandedIn, unit: Unit) -> Reading:
        """What a submission holds. Never raises for what a student can cause."""
        request: dict[str, Any] = {
            "root": str(one.root.absolute()),  # that process is at work elsewhere
            "student": one.student,
            "unit": one.unit,
            "filename": one.filename,
        }
        request |= {"misnamed": one.misnamed, "asks": _as_asked(unit)}
        try:
            self._start()
            self._computed_s, _ = conversation.tree_at_work(self._process.pid)
            frames.send(self._channel, request, seconds=PATIENCE_S, meanwhile=self._watch)
            reply, _ = frames.receive(self._channel, PATIENCE_S, self._watch)
            if "failed" in reply:
                return self._unread(one, unit, f"Reading this notebook failed ({str(reply['failed'])[:300]}).")
            return _reading(unit, one, reply)
        except frames.TooLate:
            why = TOO_LONG
        except conversation.JailError:
            why = "Reading this notebook needed too much memory, so it was given up."
        except (frames.Closed, frames.FrameError, TypeError, KeyError) as error:
            why = f"Reading this notebook ended the process that read it ({type(error).__name__})."
        self.close()
        return self._unread(one, unit, why)

    def _unread(self, one: HandedIn, unit: Unit, why: str) -> Reading:
        """A submission that nobody could read: every exercise of it waits for somebody to look."""
        answers = tuple(Answer(exercise, review=why) for exercise in unit.exercises)
        return Reading(one.unread(), unit, answers, why)

    def _start(self) -> None:
        """A process that is ready. Raises frames.Closed or frames.TooLate where none can be had."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._channel, theirs = socket.socketpair()
        command = [sys.executable, "-m", "autograder.classroom.reading.child"]
        with theirs:
            self._process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=PROJECT
            )
        frames.receive(self._channel, PATIENCE_S)

    def _watch(self) -> None:
        """Raises JailError or frames.TooLate where reading took more than it may."""
        conversation.need_little(self._process.pid)
        if conversation.tree_at_work(self._process.pid)[0] - self._computed_s >= READ_S:
            raise frames.TooLate

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._channel.close()
            self._process = None


def _as_asked(unit: Unit) -> dict[str, Any]:
    """What reading needs to know of a unit."""
    asked = [{"function": each.function, "kind": each.kind, "uses": list(each.uses)} for each in unit.exercises]
    setup = plain_data.to_json(unit.setup)
    return {"id": unit.id, "exercises": asked, "setup": setup, "solutions": dict(unit.solutions)}


def _reading(unit: Unit, one: HandedIn, reply: dict[str, Any]) -> Reading:
    """A reading out of the process's reply. Raises TypeError or KeyError for what is none."""
    taken = plain_data.from_json(_Taken, reply["taken"])
    submission = Received(**vars(taken), path=one.path)
    if submission.refused:
        return Reading(submission, unit)
    said: list[Any] = [plain_data.from_json(AnswerAsRead, answer) for answer in reply["answers"]]
    if len(said) != len(unit.exercises):
        raise TypeError("there are not as many answers as exercises")
    answers = [Answer(exercise, **vars(each)) for exercise, each in zip(unit.exercises, said, strict=True)]
    return Reading(submission, unit, tuple(answers))


@dataclass(frozen=True)
class _Taken:
    """What travels of a Received: all but its content."""

    student: str
    unit: str
    notebook: str
    sha256: str
    received: str
    size_bytes: int
    refused: str
    handed_in: str
    work_log: tuple[Effort, ...]
