"""`warpbook start [DIR]`: write the course, look at the machine, open JupyterLab; each step says that it is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.machine import driver, namesake
from autograder.machine.check import BROKEN
from autograder.machine.command_arguments import UsageError
from autograder.machine.start import lab
from autograder.machine.start.folder import StartError, lines, write_course
from simt import compilers

DEFAULT = "warpbook-course"


def add_arguments(start) -> None:
    """The options of `warpbook start`."""
    start.add_argument("folder", nargs="?", default=DEFAULT, metavar="DIR", help=f"default: {DEFAULT}")
    start.add_argument("--no-open", action="store_true", help="write the notebooks only; do not open JupyterLab")


def run(arguments) -> tuple[dict[str, Any], str] | tuple[dict[str, Any], str, int]:
    """Write, look, open. Raises UsageError. Ends with JupyterLab's own exit code."""
    folder = Path(arguments.folder).expanduser()
    try:
        written = write_course(folder)
    except StartError as error:
        raise UsageError(str(error)) from error
    told = [f"{folder}: {line}" for line in lines(written)] or [f"{folder}: every unit is as it was"]
    told += [*_about_the_name(), *_about_the_gpu()]
    document = {
        "folder": str(folder.resolve()),
        "units": [{"unit": each.unit, "state": each.state, "copy": str(each.copy or "")} for each in written],
    }
    opens = not arguments.no_open and not arguments.json
    if not opens or not lab.is_installed():
        return document, "\n".join(told + ([lab.MISSING] if opens else []))
    print("\n".join([*told, "Opening JupyterLab on 00_start_here. Ctrl+C twice ends it."]), flush=True)
    return document, "", lab.open_lab(folder)


def _about_the_name() -> Iterator[str]:
    """What to do where another project's package keeps notebooks from importing ours; nothing elsewhere."""
    found = namesake.check()
    if found.status == BROKEN:
        yield f"{found.says}. To mend it: {found.mend}"


def _about_the_gpu() -> Iterator[str]:
    """What to install for the GPU that is there; nothing where nothing is missing."""
    extra, why = driver.detect()
    if extra != "none" and not compilers.in_use():
        yield f'{why}. To compile for a GPU and use one: python -m pip install "warpbook[{extra}]"'
