"""`warpbook demo`: what it is given, and that it ends with 1 where a claim does not hold."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from autograder.machine.command_arguments import UsageError, needs_lab

DEFAULT = "warpbook-demo"
SHOWN = ("01_vector_add", "04_shared_memory")  # one with host functions, one with speed; all take ten times as long


def add_arguments(demo) -> None:
    """The options of `warpbook demo`."""
    demo.add_argument("--out", default=DEFAULT, metavar="DIR", help=f"folder to make anew; default: {DEFAULT}")
    demo.add_argument("--unit", action="append", help=f"this unit, or all; repeatable; default: {' and '.join(SHOWN)}")


@needs_lab
def run(arguments) -> tuple[dict[str, Any], str, int]:
    """Judge the class. Raises UsageError where it cannot run."""
    print("A class of invented students: loading the judge and nbgrader ...", flush=True)  # they take seconds to load
    from autograder.classroom.demo import sample_class

    named, started = arguments.unit or list(SHOWN), time.monotonic()
    try:
        claims = sample_class.run(Path(arguments.out).resolve(), None if "all" in named else named)
    except sample_class.DemoError as error:
        raise UsageError(str(error)) from error
    document = {"out": arguments.out, "claims": [{"says": claim.says, "holds": claim.holds} for claim in claims]}
    return document, f"Took {time.monotonic() - started:.0f} s.", int(not all(claim.holds for claim in claims))
