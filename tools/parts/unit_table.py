"""The table of units: what each is about, its exercises and their points, from the contracts."""

from __future__ import annotations

from pathlib import Path

from autograder.exercises import of_unit
from tools.parts.units import Unit, units_of

HEADING = "| unit | what it is about | exercises | points |\n|---|---|---|---|"


def row(unit: Unit, exercises: tuple) -> str:
    """One unit's line: a link to the released notebook, its rungs, and what they are worth."""
    link = f"[{unit.id}](course/{unit.id}/{unit.id}.ipynb)"
    if not exercises:
        return f"| {link} | {unit.title} | ungraded | |"
    rungs = ", ".join(f"`{exercise.function}`" for exercise in exercises)
    right = sum(exercise.points for exercise in exercises)
    fast = sum(exercise.speed.points for exercise in exercises if exercise.speed)
    points = f"{right:g} + {fast:g} for speed" if fast else f"{right:g}"
    return f"| {link} | {unit.title} | {rungs} | {points} |"


def unit_table(root: Path, contracts=of_unit) -> str:
    """The whole table, in course order. root: the directory that holds solutions/."""
    rows = [row(unit, contracts(unit.id)) for unit in units_of(root / "solutions")]
    return "\n".join([HEADING, *rows])
