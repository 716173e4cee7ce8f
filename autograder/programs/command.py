"""``warpbook run SCRIPT.py [ARGS]``: any numba.cuda program under the interpreter, and what was found in it.

Exit code 0: the program ended well and nothing was found. 1: findings. 2: bad usage. 3: the program itself failed,
with an exception or a code of its own, which the last lines name; findings are told all the same.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simt.programs.session import Session

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
    parser.add_argument("--sarif", metavar="FILE", help="also write what was found as SARIF, for code hosts")
    parser.add_argument("--html", metavar="FILE", help="also write what was found as a page, with the source around it")
    parser.add_argument(
        "-m", action="store_true", dest="module", help="SCRIPT.py is the name of a module, as after python -m"
    )
    parser.add_argument(
        "script", metavar="SCRIPT.py", help="the program, or a notebook; --json sends what it prints to stderr"
    )
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="of the program")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} blocks cannot be judged; give 1 or more")
    return number


def check_files(*paths: str | None) -> None:
    """Raises: ScriptError for a file in a folder that does not exist, before the program runs."""
    from autograder.programs.script import ScriptError

    for path in filter(None, paths):
        if not Path(path).resolve().parent.is_dir():
            raise ScriptError(f"{path} cannot be written: there is no such folder. Name a file in one that exists.")


def write_files(session: Session, sarif: str | None, html: str | None, by: str = "warpbook run") -> None:
    """What was found, as files. One that cannot be written is told on stderr, after all else was printed."""
    from simt.programs.page import page_of
    from simt.programs.sarif import sarif_of

    texts = {sarif: lambda: json.dumps(sarif_of(session), indent=2), html: lambda: page_of(session)}
    for path, text in texts.items():
        try:
            if path:
                Path(path).write_text(text(), encoding="utf-8")
        except OSError as error:
            print(f"{by}: {path} was not written: {error.strerror}", file=sys.stderr)


def _runner(script: str, module: bool) -> Callable[[str, Sequence[str]], int]:
    """What runs a program of this name."""
    from autograder.programs.notebook import run_notebook
    from autograder.programs.script import run_module, run_script

    return run_module if module else run_notebook if script.endswith(".ipynb") else run_script


def run(
    script: str,
    arguments: Sequence[str],
    counters: bool,
    blocks: int | None,
    as_json: bool,
    sample: int | None = None,
    sarif: str | None = None,
    html: str | None = None,
    module: bool = False,
) -> int:
    """Run a program and print what was found. Returns the exit code. Raises: ScriptError."""
    from autograder import backend
    from autograder.machine.listeners import say
    from autograder.programs.registers import note_registers
    from autograder.programs.still_running import StillRunning
    from autograder.programs.switch import handed_down
    from simt.programs.session import Session
    from simt.programs.wording import document_of, not_run, text_of

    check_files(sarif, html)
    backend.force_interpreter()
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        with Session(counters, blocks, sample) as session, handed_down(session), StillRunning(session, sys.stderr):
            own = _runner(script, module)(script, arguments)
    if session.in_child:  # forked by the program, and come to its end: the parent tells what was found
        return own
    note_registers(session)
    code = PROGRAM_FAILED if own else FINDINGS if session.findings else 0
    if as_json:
        document = {"script": script, "script_exit_code": own, "exit_code": code, **document_of(session, counters)}
        say(json.dumps(document, indent=2, allow_nan=False))
    else:
        say(text_of(session, counters))
    if own and not as_json:
        why = ", which may come of the blocks that did not run" if not_run(session) else ""
        say(f"\nwarpbook: the program itself ended with code {own}{why}.")
    write_files(session, sarif, html)
    return code
