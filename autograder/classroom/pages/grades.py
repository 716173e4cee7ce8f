"""From verdicts to what counts: the chosen exercises, less what lateness costs, weighted over the units of a class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from autograder.classroom.class_file import ClassRules, UnitRules

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Grade:
    """What one student has for one unit. late_days: days begun after the date; handed_in: False where nothing was."""

    unit: str
    points: float
    possible: float
    late_days: int = 0
    handed_in: bool = True


def of_class(
    verdicts: Sequence[dict[str, Any]], rules: ClassRules, now: datetime | None = None
) -> dict[str, dict[str, Grade]]:
    """Grades by student and unit: of every student who handed anything in, or whom the class's file names.

    A unit that was not handed in counts 0 once its date has passed, or if it has none; before that it is left out.
    """
    now = now or datetime.now(UTC)
    units = list(rules.units) or sorted({verdict["unit"] for verdict in verdicts})
    found = {(verdict["student"], verdict["unit"]): verdict for verdict in verdicts}
    possible = {unit: most_of(verdicts, unit, rules.rules(unit)) for unit in units}
    graded: dict[str, dict[str, Grade]] = {}
    for student in sorted({verdict["student"] for verdict in verdicts} | rules.students.keys()):
        graded[student] = {}
        for unit in units:
            verdict, limit = found.get((student, unit)), _limit(rules, student, unit)
            if verdict is not None:
                graded[student][unit] = _grade(verdict, rules.rules(unit), limit, possible[unit])
            elif limit is None or now > limit:
                graded[student][unit] = Grade(unit, 0.0, possible[unit], handed_in=False)
    return graded


def share(grades: dict[str, Grade], rules: ClassRules) -> float | None:
    """The weighted share of all points, from 0 to 1; None where nothing counts yet."""
    counted = [(rules.rules(unit).weight, grade) for unit, grade in grades.items() if grade.possible]
    total = math.fsum(weight for weight, _ in counted)
    return math.fsum(weight * grade.points / grade.possible for weight, grade in counted) / total if total else None


def most_of(verdicts: Sequence[dict[str, Any]], unit: str, rules: UnitRules) -> float:
    """The points that a unit's counted exercises have; 0 where nobody handed it in."""
    none: list[dict[str, Any]] = []
    entries = next((verdict["exercises"] for verdict in verdicts if verdict["unit"] == unit), none)
    return math.fsum(entry["max_points"] for entry in _counted(entries, rules))


def _counted(entries: list[dict[str, Any]], rules: UnitRules) -> list[dict[str, Any]]:
    return [entry for entry in entries if not rules.exercises or entry["id"] in rules.exercises]


def _limit(rules: ClassRules, student: str, unit: str) -> datetime | None:
    """The end of the last day on which nothing is late; None where the unit has no date."""
    due = rules.rules(unit).due
    try:
        return None if due is None else due + rules.student(student).extra_days.get(unit, 0.0) * DAY
    except OverflowError:  # days after the last one that there is
        return datetime.max.replace(tzinfo=UTC)


def _grade(verdict: dict[str, Any], rules: UnitRules, limit: datetime | None, possible: float) -> Grade:
    points = math.fsum(entry["points"] for entry in _counted(verdict["exercises"], rules))
    late = 0
    if limit is not None and verdict["handed_in"]:
        over = datetime.fromisoformat(verdict["handed_in"]) - limit
        late = math.ceil(over / DAY) if over > timedelta(hours=rules.grace_hours) else 0
    kept = max(1.0 - late * rules.late_per_day, 0.0)
    return Grade(verdict["unit"], round(points * kept, 2), possible, late)
