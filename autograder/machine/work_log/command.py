"""`warpbook log`: what the learner did, exercise by exercise, drawn from what checks wrote; or a copy to hand in."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.machine.command_arguments import UsageError
from autograder.machine.work_log import entries, summed
from autograder.words import count_text


def add_arguments(log) -> None:
    """The options of `warpbook log`."""
    log.add_argument("--unit", help="only this unit, as in 06_reductions")
    log.add_argument("--to", metavar="FILE", help="write the checks to a new file, to hand in beside a notebook")


def run(arguments) -> tuple[dict[str, Any], str]:
    """The log. Raises UsageError where it cannot be read, or the copy not written."""
    try:
        path = entries.file_of()
        content = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UsageError(f"The work log cannot be read: {error}. WARPBOOK_DATA names another folder.") from error
    except ImportError as error:
        message = 'No data folder is known: set WARPBOOK_DATA, or install "warpbook[lab]".'
        raise UsageError(message) from error
    found, unread = entries.read(content)
    if arguments.unit:
        ids = _ids_of(arguments.unit)
        found = [entry for entry in found if entry.exercise in ids]
    if arguments.to:
        return _copied(found, Path(arguments.to))
    told = summed.efforts(found)
    text = f"{summed.as_text(told, unread)}\n{path}; {entries.SWITCH}=off writes no more of it."
    return {"file": str(path), "unread": unread, "exercises": [asdict(one) for one in told]}, text


def _ids_of(unit: str) -> set[str]:
    from autograder import exercises

    units = exercises.units()
    if unit not in units:
        raise UsageError(f"--unit: there is no unit {unit!r}. Units: {', '.join(units)}.")
    return {one.id for one in units[unit]}


def _copied(found: list[entries.Entry], target: Path) -> tuple[dict[str, Any], str]:
    """Write the checks to a new file."""
    try:
        with open(target, "x", encoding="utf-8") as file:
            file.write(entries.written(found))
    except FileExistsError as error:
        raise UsageError(f"--to: {target} is there already. Name a new file.") from error
    except OSError as error:
        raise UsageError(f"--to: {target} cannot be written: {error.strerror}.") from error
    return {"file": str(target), "checks": len(found)}, f"Wrote {count_text(len(found), 'check')} to {target}."
