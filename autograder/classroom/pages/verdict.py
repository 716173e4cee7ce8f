"""What the judge found in one submission, as one JSON file: the only thing grades and feedback are made from."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograder import plain_data
from autograder.classroom import whole_files
from autograder.classroom.course import Unit, check_cell, race_cell
from autograder.classroom.pages import highlight, page
from autograder.classroom.pages.shape import SCHEMA, problem
from autograder.classroom.reading.answers import Answer
from autograder.classroom.receive import Received
from autograder.outcome import Cause, NotAttempted, NotCheckable, Outcome, Speed, Wrong
from autograder.report.html import render_html
from autograder.report.without_a_notebook import without_commands
from autograder.words import without_orders

MOST_MET = 12  # misconceptions of one exercise, that a work log is quoted with
NOT_TAKEN = "not_taken"  # the misconception of an answer that the judge does not read


class VerdictError(LookupError):
    """There is no verdict that fits a submission; nothing may be graded from it."""


class NotInLedger(VerdictError):
    """A verdict file is not the one that was written: it was changed since, or nobody judged it."""


def clamp(points: Any, max_points: float) -> float:
    """A finite float in [0, max_points], rounded to cents; 0.0 for anything that is no number."""
    try:
        number = float(points)
    except (TypeError, ValueError):
        return 0.0
    return round(min(max(number, 0.0), float(max_points)), 2) if math.isfinite(number) else 0.0


def refused_outcome(answer: Answer) -> Outcome:
    """The outcome of an answer that was not taken in, in a learner's terms."""
    exercise = answer.exercise
    lines = (answer.line,) if answer.line else ()
    cause = Cause(
        kind=NOT_TAKEN,
        misconception="" if answer.remedy else NOT_TAKEN,
        says=answer.refused if answer.remedy else f"In class this cell is read and not run. It holds {answer.refused}.",
        remedy=answer.remedy
        or answer.mend
        or "Keep it to imports of numba, numpy and math, constants, and functions under @cuda.jit.",
        lines=lines,
    )
    return Wrong(
        exercise=exercise.id,
        points=0.0,
        max_points=exercise.points,
        headline=f"{exercise.function}: not judged as it stands",
        causes=(cause,),
        source=answer.text,
    )


def not_checkable(answer: Answer, reason: str, remedy: str) -> Outcome:
    """The outcome where this machine cannot judge: no points, and what the instructor can do about it."""
    exercise = answer.exercise
    headline = f"{exercise.function}: cannot be judged on this machine"
    return NotCheckable(
        exercise.id, 0.0, exercise.points, headline, observed=reason, next_step=remedy, source=answer.text
    )


def document(
    submission: Received,
    unit: Unit,
    judged: Iterable[tuple[Answer, Outcome]],
    secret: str = "",
    told: Mapping[str, dict[str, Any]] = MappingProxyType({}),
) -> dict[str, Any]:
    """The verdict on a whole submission. `judged` holds every exercise of the unit; none for a refused file.

    secret: what the values of the cases were drawn from, kept so that the verdict can be repeated; told: by exercise,
    how its judgement came about, as the ledger has it.
    """
    judged = list(judged)
    entries = [{**_entry(answer, outcome), "judged": told.get(answer.exercise.id)} for answer, outcome in judged]
    if submission.refused:
        entries = [{**_nothing(exercise, submission.refused), "judged": None} for exercise in unit.exercises]
    timed = any(entry["speed"] and entry["speed"]["could_be_graded"] for entry in entries)
    return {
        "schema": SCHEMA,
        "student": submission.student,
        "unit": submission.unit,
        "notebook": submission.notebook,
        "sha256": submission.sha256,
        "received": submission.received,
        "handed_in": submission.handed_in,
        "refused": submission.refused,
        "trouble": _deleted([answer for answer, _ in judged if not answer.has_check]),
        "seed": secret,
        "review": [entry["id"] for entry in entries if entry["status"] == "NotCheckable"],
        "points": round(math.fsum(entry["points"] for entry in entries), 2),
        "max_points": unit.max_points,
        "speed_points": round(math.fsum(entry["speed"]["points"] for entry in entries if entry["speed"]), 2),
        "max_speed_points": math.fsum(entry["max_speed_points"] for entry in entries if timed),
        "exercises": entries,
        "cells": {name: cell for entry in entries for name, cell in entry.pop("cells").items()},
        "work_log": _work_log(submission, {exercise.id for exercise in unit.exercises}),
    }


def _work_log(submission: Received, ids: Collection[str]) -> list[dict[str, Any]]:
    """What a work log that was handed in says of the unit's exercises."""
    own = (one for one in submission.work_log if one.exercise in ids)
    return [plain_data.to_json(replace(one, misconceptions=one.misconceptions[:MOST_MET])) for one in own]


def _deleted(answers: list[Answer]) -> str:
    """What an instructor has to know about answers whose points are gone with a cell; "" for none."""
    cells = " and ".join(f"`{check_cell(answer.exercise)}`" for answer in answers)
    if not cells:
        return ""
    return (
        f"{cells}, which a student may not delete, carried points: 0 there, right or not. Restored, they count again."
    )


def _entry(answer: Answer, outcome: Outcome) -> dict[str, Any]:
    exercise = answer.exercise
    shown = without_commands(replace(outcome, source=answer.text or outcome.source, first_line=1), exercise)
    points = clamp(outcome.points, exercise.points)
    notes = []
    if not answer.has_check:
        points = 0.0
        notes.append(f"The locked cell `{check_cell(exercise)}`, which carries the points, was deleted: 0 points.")
        shown = replace(shown, points=0.0)
    html, text = without_orders(render_html(shown, highlight.lines)), without_orders(str(shown))
    speed = _speed(outcome.speed, answer.has_race)
    if speed and not answer.has_race and exercise.speed:
        notes.append(f"The locked cell `{race_cell(exercise)}` with the speed points was deleted: 0 of them.")
    cells = {check_cell(exercise): {"points": points, "max_points": exercise.points, "html": html, "text": text}}
    if exercise.speed:
        said = speed["says"] if speed else "Speed is not graded here: this machine has no GPU."
        earned = speed["points"] if speed else 0.0
        cells[race_cell(exercise)] = {"points": earned, "max_points": exercise.speed.points, "html": "", "text": said}
    return {
        "id": exercise.id,
        "title": exercise.title,
        "function": exercise.function,
        "status": outcome.status,
        "fault": page.fault_of(outcome.status),
        "costly": outcome.costly,
        "points": points,
        "max_points": exercise.points,
        "headline": outcome.headline,
        "misconception": outcome.misconception,
        "says": outcome.causes[0].says if outcome.causes else outcome.observed,
        "next_step": shown.next_step,
        "notes": notes,
        "not_run": [{"line": item.line, "text": item.text, "why": item.why} for item in answer.not_run],
        "source": answer.text,
        "speed": speed,
        "max_speed_points": exercise.speed.points if exercise.speed else 0.0,
        "html": html,
        "cells": cells,
    }


def _nothing(exercise, refused: str) -> dict[str, Any]:
    """The entry of an exercise whose file was not taken in."""
    answer = Answer(exercise, refused="no submission")
    headline = f"{exercise.function}: the file was not taken in"
    outcome = NotAttempted(exercise.id, 0.0, exercise.points, headline, observed=refused)
    return _entry(answer, outcome)


def _speed(speed: Speed | None, has_race: bool) -> dict[str, Any] | None:
    """A speed as plain data; its points count only where the cell that carries them was handed in."""
    if speed is None:
        return None
    return {
        "graded": speed.graded,
        "says": speed.says,
        "points": clamp(speed.points, speed.max_points) if has_race else 0.0,
        "max_points": speed.max_points,
        "could_be_graded": speed.graded or not speed.review and "error" not in speed.details,
        "review": speed.review,
    }


def path_of(folder: Path, student: str, unit: str, notebook: str) -> Path:
    """Where a verdict is kept: ``folder/student/unit/notebook.json``."""
    return folder / student / unit / f"{notebook}.json"


def save(folder: Path, verdict: dict[str, Any]) -> Path:
    """Write a verdict in one step, so that a reader sees all of it or none. Returns its path."""
    return whole_files.write(path_of(folder, verdict["student"], verdict["unit"], verdict["notebook"]), _text(verdict))


def digest(verdict: dict[str, Any]) -> str:
    """The SHA-256 of a verdict's file."""
    return hashlib.sha256(_text(verdict).encode()).hexdigest()


def _text(verdict: dict[str, Any]) -> str:
    return json.dumps(verdict, indent=1, allow_nan=False, ensure_ascii=False)


def load(folder: Path, student: str, unit: str, notebook: str, sha256: str) -> dict[str, Any]:
    """The verdict on exactly these bytes. Raises VerdictError when there is none, or one on other bytes."""
    path = path_of(folder, student, unit, notebook)
    if not path.is_file():
        raise VerdictError(f"There is no verdict at {path}. Run `warpbook grade` first.")
    verdict = _read(path)
    if verdict["sha256"] != sha256:
        raise VerdictError(f"{path} judges other bytes than the notebook holds now. Run `warpbook grade` again.")
    return verdict


def load_all(
    folder: Path, published: Callable[[dict[str, Any]], str] | None = None
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Every verdict below a folder, ordered by student, unit and notebook; and what else is there, with the reason.

    published: as for `check_ledger`; None where the files are only looked at, and nothing counts.
    """
    found, odd = [], {}
    for path in sorted(folder.glob("*/*/*.json")):
        try:
            verdict = _read(path)
            if published is not None:
                check_ledger(path, verdict, published(verdict))
            found.append(verdict)
        except VerdictError as error:
            odd[str(path.relative_to(folder.parent))] = str(error)
    return found, odd


def check_ledger(path: Path, verdict: dict[str, Any], published: str) -> None:
    """Raise NotInLedger where a verdict's file is not what the ledger has. published: its digest there, "" for none."""
    if not published:
        why = "is in no ledger: nobody judged it here, so it counts nowhere"
    elif published != digest(verdict):
        why = "is not what the ledger has: it was changed after it was judged, so it counts nowhere"
    else:
        return
    raise NotInLedger(f"{path} {why}. `warpbook grade --resume` writes the verdict again.")


def read(path: Path) -> dict[str, Any]:
    """The verdict in one file. Raises VerdictError."""
    if not path.is_file():
        raise VerdictError(f"There is no verdict at {path}. It is <out>/verdicts/<student>/<unit>/<notebook>.json.")
    return _read(path)


def _read(path: Path) -> dict[str, Any]:
    """A verdict that is one. Raises VerdictError."""
    again = "`warpbook grade --resume` writes it again."
    try:
        verdict = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise VerdictError(f"{path} cannot be read ({error.strerror}). Move it away; then {again}") from None
    except (ValueError, RecursionError) as error:
        raise VerdictError(f"{path} is not a verdict ({error}). {again}") from None
    if wrong := problem(verdict):
        raise VerdictError(f"{path} is not a verdict ({wrong}). {again}")
    if path_of(path.parent.parent.parent, verdict["student"], verdict["unit"], verdict["notebook"]) != path:
        raise VerdictError(f"{path} is the verdict on another submission. {again}")
    return verdict
