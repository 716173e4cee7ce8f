"""``warpbook run SCRIPT.py [ARGS]``: any numba.cuda program under the interpreter, and what was found in it.

Exit code 0: the program ended well and nothing was found. 1: findings. 2: bad usage. 3: the program itself failed,
with an exception or a code of its own, which the last lines name; findings are told all the same.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Sequence

FINDINGS, BAD_USAGE, PROGRAM_FAILED = 1, 2, 3
EPILOG = (
    "Exit code: 0 nothing was found; 1 findings; 2 bad usage; 3 the program itself failed (its own code is told). "
    "A comment silences findings of its line: # warpbook: ok race - why this is right"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes; options stand before the program, everything after it is the program's own."""
    parser.epilog = EPILOG
    parser.add_argument("--counters", action="store_true", help="count requests, sectors and branches by kernel, too")
    parser.add_argument(
        "--blocks", type=_positive, metavar="N", help="judge about the first N blocks of each launch only; default: all"
    )
    parser.add_argument(
        "--sample",
        type=_positive,
        metavar="N",
        help="run about N blocks of each launch and no others, for a program of a GPU's size: its results do not count",
    )
    parser.add_argument("script", metavar="SCRIPT.py", help="the program; --json sends what it prints to stderr")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="of the program")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} blocks cannot be judged; give 1 or more")
    return number


def run(
    script: str, arguments: Sequence[str], counters: bool, blocks: int | None, as_json: bool, sample: int | None = None
) -> int:
    """Run a program and print what was found. Returns the exit code. Raises: ScriptError."""
    from autograder import backend
    from autograder.programs.script import run_script
    from autograder.programs.still_running import StillRunning
    from simt.programs.session import Session
    from simt.programs.wording import document_of, not_run, text_of

    backend.force_interpreter()
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        with Session(counters, blocks, sample) as session, StillRunning(session, sys.stderr):
            own = run_script(script, arguments)
    code = PROGRAM_FAILED if own else FINDINGS if session.findings else 0
    if as_json:
        document = {"script": script, "script_exit_code": own, "exit_code": code, **document_of(session, counters)}
        print(json.dumps(document, indent=2, allow_nan=False), file=out)
        return code
    print(text_of(session, counters), file=out)
    if own:
        why = ", which may come of the blocks that did not run" if not_run(session) else ""
        print(f"\nwarpbook: the program itself ended with code {own}{why}.", file=out)
    return code
