"""The commands of `warpbook` about exercises of one's own. Both take the repository, whose tools do the work."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.machine.command_arguments import UsageError

Said = tuple[Any, str, int]  # as JSON, as text, and the exit code
Command = Callable[[str, Callable[[Namespace], Said], str], ArgumentParser]
PROJECT = Path(__file__).resolve().parents[2]
TOOL = "tools.own_exercises"
BAD_USAGE = 2


def add_commands(command: Command) -> None:
    """Make a subparser of each. command: (name, what runs it, one line) -> the subparser."""
    new = command("new-exercise", _new, "start an exercise of your own, in a folder outside the repository")
    new.add_argument("folder", metavar="DIR", help="of all your own exercises; made where it is missing")
    new.add_argument("name", metavar="NAME", help="of the function that learners write, as in scale_rows")
    new.add_argument("--unit", default="", help="as in 51_scaling; default: the next number and the name")
    new.add_argument("--title", default="", help="as in 'Scale rows'")

    check = command("check-exercises", _check, "build the notebooks of a folder of your own, and prove its exercises")
    check.add_argument("folder", metavar="DIR", help="as `warpbook new-exercise` had it")
    check.add_argument("--exercise", default="", metavar="ID", help="only this one")


def add_own(part: ArgumentParser) -> None:
    """Let a command know exercises of one's own."""
    part.add_argument(
        "--own", action="append", default=[], metavar="DIR", help="a folder of exercises of your own too; repeatable"
    )


def know_own(arguments: Namespace) -> None:
    """What `--own` named, and what the environment does, can be found from now on. Raises: UsageError."""
    from autograder import exercises
    from autograder.exercises.own import OwnFolderError

    try:
        for folder in getattr(arguments, "own", ()):
            exercises.add_folder(folder)
    except OwnFolderError as error:
        raise UsageError(str(error)) from error


def _new(arguments: Namespace) -> Said:
    folder = str(Path(arguments.folder).expanduser().resolve())
    named = [f"--{part}={said}" for part in ("unit", "title") if (said := getattr(arguments, part))]
    lines, code = _told("new", folder, arguments.name, *named)
    return {"folder": folder, "files": [line for line in lines if line.startswith(folder)]}, "", code


def _check(arguments: Namespace) -> Said:
    folder = str(Path(arguments.folder).expanduser().resolve())
    only = ["--exercise", arguments.exercise] if arguments.exercise else []
    lines, code = _told("check", folder, *only)
    return {"folder": folder, "as_promised": code == 0, "rows": lines}, "", code


def _told(*arguments: str) -> tuple[list[str], int]:
    """What the tool says, line by line as it comes, and its exit code. Raises: UsageError, with its reason."""
    if not (PROJECT / "tools" / "own_exercises.py").is_file():
        raise UsageError("this takes the repository, and what is installed here is the packages alone. Clone it.")
    if importlib.util.find_spec("jupytext") is None:
        raise UsageError("building notebooks takes jupytext, which is not installed. Run `pip install jupytext`.")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", TOOL, *arguments]
    lines = []
    with subprocess.Popen(
        command, cwd=PROJECT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            print(lines[-1], flush=True)
        said = process.stderr.read().strip()
    if process.returncode == BAD_USAGE:
        raise UsageError(said)
    if said:
        print(said, file=sys.stderr)
    return lines, process.returncode
