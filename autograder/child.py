"""The other end of `autograder.worker`: reads a request per line, judges, writes a reply per line.

Replies go to a descriptor of their own; whatever the learner's code prints goes nowhere near it.
"""

from __future__ import annotations

import json
import os
import sys

from autograder import backend
from autograder.answer.program import ProgramError
from autograder.running import now
from autograder.running.examine import run_stage
from autograder.running.job import Job
from autograder.verdict import words_of_failure


def answer(request: dict) -> dict:
    """One reply: an examination as JSON, "not_loaded" with the learner's mistake, or "raised" with ours."""
    try:
        examination = run_stage(request["stage"], Job.from_json(request["job"]))
    except ProgramError as error:
        return {"not_loaded": str(error)}
    except Exception as error:  # what the learner's code raises is handled where it runs
        return {"raised": words_of_failure(error)}
    spent = bool(examination.trial.ended)  # a hung thread or a broken CUDA context stays behind
    return {"examination": examination.to_json(), "spent": spent}


def main() -> None:
    """Serve until standard input ends."""
    replies = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    backend.prepare()  # before it says that it is ready: loading numba takes longer than some answers may
    replies.write('{"ready": true}\n')
    replies.flush()

    def send(document: dict) -> None:
        replies.write(json.dumps(document, default=str) + "\n")
        replies.flush()

    for line in sys.stdin:
        with now.heard_by(lambda text: send({"now": text})):
            reply = answer(json.loads(line))
        send(reply)


if __name__ == "__main__":
    main()
