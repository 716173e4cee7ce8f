"""Grades as learning management systems take them: grades.csv to read, canvas.csv and moodle.csv to upload."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from autograder.classroom import whole_files
from autograder.classroom.class_file import ClassRules
from autograder.classroom.pages import grades
from autograder.classroom.pages.gradebook import safe_cell
from autograder.classroom.pages.grades import Grade

By = dict[str, dict[str, Grade]]  # student -> unit -> grade


def write(folder: Path, verdicts: Sequence[dict[str, Any]], rules: ClassRules) -> list[Path]:
    """Write the three files into a folder. Returns their paths."""
    by = grades.of_class(verdicts, rules)
    units = list(rules.units) or sorted({verdict["unit"] for verdict in verdicts})
    texts = {"grades.csv": _own, "canvas.csv": _canvas, "moodle.csv": _moodle}
    return [whole_files.write(folder / name, _csv(rows(by, units, rules))) for name, rows in texts.items()]


def _own(by: By, units: list[str], rules: ClassRules) -> Iterable[list[Any]]:
    """Points after what lateness cost, the days of it, and the weighted share in per cent."""
    yield ["student", "name", *(f"{unit}{part}" for unit in units for part in ("", " of", " late days")), "per cent"]
    for student, own in by.items():
        row: list[Any] = [student, rules.student(student).name]
        for unit in units:
            grade = own.get(unit)
            row += [grade.points, grade.possible, grade.late_days] if grade else ["", "", ""]
        share = grades.share(own, rules)
        yield [*row, "" if share is None else round(100 * share, 2)]


def _canvas(by: By, units: list[str], rules: ClassRules) -> Iterable[list[Any]]:
    """Canvas finds a student by one of its four names, and an assignment by the heading of its column."""
    most = {unit: max((own[unit].possible for own in by.values() if unit in own), default=0.0) for unit in units}
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *units]
    yield ["    Points Possible", "", "", "", "", *most.values()]
    for student, own in by.items():
        who = rules.student(student)
        yield [who.name or student, who.id, "", student, who.section, *_points(own, units)]


def _moodle(by: By, units: list[str], rules: ClassRules) -> Iterable[list[Any]]:
    """Moodle asks when it takes the file in which column names the student, and which grade each other one is."""
    yield ["Username", "ID number", "Email address", *units]
    for student, own in by.items():
        who = rules.student(student)
        yield [student, who.id, who.email, *_points(own, units)]


def _points(own: dict[str, Grade], units: list[str]) -> list[Any]:
    """A unit that does not count yet stays empty, which both systems leave as it is."""
    return [own[unit].points if unit in own else "" for unit in units]


def _csv(rows: Iterable[list[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([safe_cell(value) for value in row] for row in rows)
    return out.getvalue()
