"""The shape that every unit's folder has, so that whoever has seen one of them knows where to look in all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.contract import Exercise

REQUIRED = ("__init__.py", "values.py", "slips.py", "naive.py", "hints.md", "work.json", "answers/__init__.py")


def faults(folder: Path, exercises: Iterable[Exercise]) -> list[str]:
    """What a unit's folder lacks or has too much of, one line each; [] for a whole one.

    folder: autograder/exercises/uNN_topic; exercises: the unit's.
    """
    found = [f"{folder.name}/{name} is missing" for name in REQUIRED if not (folder / name).is_file()]
    functions = {exercise.function for exercise in exercises}
    answers = {path.stem for path in (folder / "answers").glob("*.py")} - {"__init__"}
    found += [f"{folder.name}/answers/{name}.py answers no exercise" for name in sorted(answers - functions)]
    found += [f"{folder.name}/answers/{name}.py is missing" for name in sorted(functions - answers)]
    known = {folder / "answers", *(folder / name for name in REQUIRED)}
    known |= {path.parent for path in folder.glob("*/__init__.py")}  # one exercise's parts, in a folder of their own
    strangers = [path for path in folder.iterdir() if path not in known and path.suffix != ".py"]
    strangers += [path for path in (folder / "answers").glob("*") if path.suffix != ".py"]
    found += [
        f"{folder.name}/{path.relative_to(folder)} belongs to no part of a unit"
        for path in sorted(strangers)
        if path.name != "__pycache__"
    ]
    return found
