"""The process that reads submissions: asked over a socket, it opens, parses and takes apart one after the other.

python -m autograder.classroom.reading.child < socket
"""

from __future__ import annotations

import os
import resource
import socket
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from autograder import plain_data
from autograder.answer.program import Piece
from autograder.classroom.course import Unit
from autograder.classroom.messages import frames
from autograder.classroom.reading.answers import failure_in_words, read_answers
from autograder.classroom.reading.inbox import HandedIn

MEMORY_BYTES = 2 << 30  # a notebook of 10 MB needs about 400 MB at most


@dataclass(frozen=True)
class Asked:
    """What reading needs to know of an exercise."""

    function: str
    kind: str
    uses: tuple[str, ...]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """A submission and its answers as a document; {"failed": why} where we did."""
    try:
        names = {name: request[name] for name in ("student", "unit", "filename", "misnamed")}
        submission = HandedIn(Path(request["root"]), **names).taken_in()
        asks = request["asks"]
        asked: Any = tuple(plain_data.from_json(Asked, each) for each in asks["exercises"])
        setup = tuple(plain_data.from_json(Piece, piece) for piece in asks["setup"])
        unit = Unit(asks["id"], Path(), asked, setup, dict(asks["solutions"]))
        taken = {
            field.name: plain_data.to_json(getattr(submission, field.name))
            for field in fields(submission)
            if field.name not in ("path", "notebook_json", "content")
        }
        answers = [] if submission.refused else read_answers(submission.notebook_json, unit)
        said = [plain_data.to_json({n: v for n, v in vars(each).items() if n != "exercise"}) for each in answers]
        return {"taken": taken, "answers": said}
    except MemoryError:
        return {"failed": "it needs too much memory"}
    except Exception as error:  # a submission that trips us up is one for a person to look at
        return {"failed": failure_in_words(error)}


def main() -> None:
    """Serve until the grading process hangs up."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    channel = socket.socket(fileno=os.dup(0))
    frames.send(channel, {"ready": True})
    while True:
        try:
            request, _ = frames.receive(channel)
            frames.send(channel, answer(request))
        except frames.Closed:
            return


if __name__ == "__main__":
    main()
