"""What an instructor says of a class in one file, class.toml: units with weights and dates, and who the students are.

own = ["../my_exercises"]       # folders of exercises of one's own, from where this file lies

[units.01_vector_add]
weight = 2                      # of its share of points in the grade; 1 where it is not said
due = 2026-01-31T18:00:00Z      # with its zone
late_per_day = 0.1              # of the points, for each day that begins; 1 where it is not said
grace_hours = 2
exercises = ["vector_add.vector_add", "vector_add.blend"]    # only these count

[students.ada]                  # the name of her folder
name = "Lovelace, Ada"
id = "12345"                    # in the learning management system
email = "ada@example.org"
section = "Tuesday"
extra_days = { 01_vector_add = 3 }
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.answer.mistyped import unread

NAME = "class.toml"


class ClassFileError(ValueError):
    """The file cannot be used; the message says where and what belongs there."""


@dataclass(frozen=True)
class UnitRules:
    """How a unit counts. due: None where nothing is late; exercises: () for all."""

    weight: float = 1.0
    due: datetime | None = None
    late_per_day: float = 1.0
    grace_hours: float = 0.0
    exercises: tuple[str, ...] = ()


@dataclass(frozen=True)
class Student:
    """Who a folder belongs to. extra_days: by unit, beyond its date."""

    name: str = ""
    id: str = ""
    email: str = ""
    section: str = ""
    extra_days: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ClassRules:
    """A whole class. units: those that count, in the order of the file; none named means that all count alike."""

    units: dict[str, UnitRules] = field(default_factory=dict)
    students: dict[str, Student] = field(default_factory=dict)

    def rules(self, unit: str) -> UnitRules:
        return self.units.get(unit, UnitRules(weight=0.0 if self.units else 1.0))

    def student(self, folder: str) -> Student:
        return self.students.get(folder, Student())


def own_folders(path: Path) -> list[Path]:
    """The folders of exercises that a file names. Raises: ClassFileError."""
    named = _document(path).get("own", [])
    if not isinstance(named, list) or not all(isinstance(name, str) and "\0" not in name for name in named):
        raise ClassFileError(f"{path}: own is {named!r}, but must be a list of folders, each in quotes.")
    return [path.parent / name for name in named]


def read(path: Path, known: dict[str, Collection[str]]) -> ClassRules:
    """The rules in a file. known: the units there are, with the ids of their exercises. Raises: ClassFileError."""
    document = _document(path)
    _no_more(path, "the file", document, ("own", "units", "students"))
    units = {name: _unit(path, name, _table(path, name, part), known) for name, part in _parts(path, document, "units")}
    students = {
        name: _student(path, name, _table(path, name, part)) for name, part in _parts(path, document, "students")
    }
    for folder, student in students.items():
        _no_more(path, f"students.{folder}.extra_days", student.extra_days, known)
    return ClassRules(units, students)


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ClassFileError(f"{path} cannot be read ({error}). Write it as the instructor's guide shows.") from None
    except (OSError, ValueError) as error:
        raise ClassFileError(f"{path} {unread(error)}. Pass the class's file, or leave --class out.") from None


def _parts(path: Path, document: dict[str, Any], name: str) -> list[tuple[str, Any]]:
    return list(_table(path, name, document.get(name, {})).items())


def _unit(path: Path, name: str, said: dict[str, Any], known: dict[str, Collection[str]]) -> UnitRules:
    where = f"units.{name}"
    _no_more(path, "units", {name: said}, known)
    _no_more(path, where, said, [part.name for part in fields(UnitRules)])
    numbers = {part: _number(path, f"{where}.{part}", said[part]) for part in said if part not in ("due", "exercises")}
    if not 0.0 <= numbers.get("late_per_day", 1.0) <= 1.0:
        raise ClassFileError(f"{path}: {where}.late_per_day is a share of the points, from 0 to 1.")
    due = said.get("due")
    if due is not None and (not isinstance(due, datetime) or due.tzinfo is None):
        raise ClassFileError(f"{path}: {where}.due needs day, time and zone, as in 2026-01-31T18:00:00Z.")
    chosen = said.get("exercises", [])
    if not isinstance(chosen, list) or not all(isinstance(one, str) and one in known[name] for one in chosen):
        raise ClassFileError(f"{path}: {where}.exercises is a list out of {', '.join(known[name])}.")
    return UnitRules(due=due, exercises=tuple(chosen), **numbers)


def _student(path: Path, name: str, said: dict[str, Any]) -> Student:
    where = f"students.{name}"
    _no_more(path, where, said, [part.name for part in fields(Student)])
    extra = _table(path, f"{where}.extra_days", said.get("extra_days", {}))
    days = {unit: _number(path, f"{where}.extra_days.{unit}", value) for unit, value in extra.items()}
    words = {part: value for part, value in said.items() if part != "extra_days"}
    for part, value in words.items():
        if not isinstance(value, str):
            raise ClassFileError(f"{path}: {where}.{part} is {value!r}, but must be text in quotes.")
    return Student(extra_days=days, **words)


def _table(path: Path, where: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ClassFileError(f"{path}: {where} is {value!r}, but must be a table.")
    return value


def _number(path: Path, where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
        raise ClassFileError(f"{path}: {where} is {value!r}, but must be a number from 0 on.")
    return float(value)


def _no_more(path: Path, where: str, said: Collection[str], known: Collection[str]) -> None:
    if unknown := sorted(set(said) - set(known)):
        raise ClassFileError(f"{path}: {where} has no {unknown[0]!r}. It can have {', '.join(known)}.")
