"""The shape of a verdict file, and whether a document has it: a file on a disk may hold anything.

What is read back is a plain dictionary again. Its types are checked, and that its points are numbers which add up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from autograder import plain_data
from autograder.machine.work_log.summed import Effort

SCHEMA = 5
STATUSES = ("Passed", "Wrong", "NotAttempted", "Crashed", "TimedOut", "NotCheckable")


@dataclass(frozen=True)
class NotRunEntry:
    line: int
    text: str
    why: str


@dataclass(frozen=True)
class SpeedEntry:
    graded: bool
    says: str
    points: float
    max_points: float
    could_be_graded: bool
    review: str = ""


@dataclass(frozen=True)
class JudgedEntry:
    """How a judgement came about: its record in the ledger, which has the program, and what else decides it."""

    record: int
    task: str
    contract: str
    cases: list[str]
    by: dict[str, str]
    deaths: int


@dataclass(frozen=True)
class ExerciseEntry:
    """What was found in one exercise."""

    id: str
    function: str
    title: str
    status: str
    fault: str
    costly: bool
    points: float
    max_points: float
    headline: str
    misconception: str
    says: str
    next_step: str
    notes: list[str]
    not_run: list[NotRunEntry]
    source: str
    speed: SpeedEntry | None
    max_speed_points: float
    html: str
    judged: JudgedEntry | None


@dataclass(frozen=True)
class CellEntry:
    """What nbgrader is told of one locked cell."""

    points: float
    max_points: float
    html: str
    text: str


@dataclass(frozen=True)
class Document:
    """The verdict on one submission."""

    schema: int
    student: str
    unit: str
    notebook: str
    sha256: str
    received: str
    handed_in: str
    refused: str
    trouble: str
    seed: str
    review: list[str]
    points: float
    max_points: float
    speed_points: float
    max_speed_points: float
    exercises: list[ExerciseEntry]
    cells: dict[str, CellEntry]
    work_log: tuple[Effort, ...] = ()


def problem(document: Any) -> str:
    """What is wrong with a document that should be a verdict, as a clause; "" where nothing is."""
    try:
        read = plain_data.from_json(Document, document)
    except (TypeError, ValueError, RecursionError) as error:
        return str(error)
    if read.schema != SCHEMA:
        return "it was written by another version"
    if not read.exercises:
        return "it names no exercise"
    if odd := [entry.status for entry in read.exercises if entry.status not in STATUSES]:
        return f"{odd[0][:40]!r} is no status"
    parts: list[Any] = [*read.exercises, *read.cells.values(), *(each.speed for each in read.exercises if each.speed)]
    for part in parts:
        if not 0 <= part.points <= part.max_points < math.inf:  # also where one of them is NaN
            return f"{part.points:g} of {part.max_points:g} points are none"
    total = math.fsum(entry.points for entry in read.exercises)
    if abs(total - read.points) > 0.01:
        return f"the points of its exercises are {total:g}, but it says {read.points:g}"
    speed = math.fsum(entry.speed.points for entry in read.exercises if entry.speed)
    if abs(speed - read.speed_points) > 0.01:
        return f"the speed points of its exercises are {speed:g}, but it says {read.speed_points:g}"
    return ""
