"""The gradebook of a class: a CSV for spreadsheets and one HTML page that needs nothing but a browser."""

from __future__ import annotations

import csv
import io
import math
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from autograder.classroom import whole_files
from autograder.classroom.alike import look_alike
from autograder.classroom.pages import feedback, page, statistics
from autograder.classroom.pages.tables import FIND, SORT, student_row, table, td, th
from autograder.report.prose import prose

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a cell that starts so for a formula
COLUMNS = (
    "student", "unit", "notebook", "exercise", "points", "max_points", "status", "misconception", "speed_points",
    "max_speed_points", "speed", "points_here", "max_points_here", "received", "sha256",
)  # fmt: skip
HERE = (
    '<p class="quiet">Of what could be graded here: points and speed points, without the speed of exercises that no '
    "GPU timed and without answers in need of review. nbgrader's own maximum counts both.</p>"
)


def csv_text(verdicts: Sequence[dict[str, Any]]) -> str:
    """One row per student and exercise, every text cell quoted and safe to open in a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(COLUMNS)
    timed = timed_exercises(verdicts)
    for verdict in verdicts:
        for entry in verdict["exercises"]:
            speed = entry["speed"] or {"points": 0.0}
            graded = "" if not entry["max_speed_points"] else "graded" if entry["id"] in timed else "not graded here"
            row = [verdict["student"], verdict["unit"], verdict["notebook"], entry["id"]]
            row += [entry["points"], entry["max_points"], page.look(entry).words, entry["misconception"]]
            row += [speed["points"], entry["max_speed_points"], graded, *here(entry, timed)]
            row += [verdict["received"], verdict["sha256"]]
            writer.writerow([safe_cell(value) for value in row])
    return out.getvalue()


def timed_exercises(verdicts: Iterable[dict[str, Any]]) -> frozenset[str]:
    """Ids of the exercises whose speed could be graded: a GPU has timed, or was there to time, somebody's answer."""
    entries = [entry for verdict in verdicts for entry in verdict["exercises"]]
    return frozenset(entry["id"] for entry in entries if entry["speed"] and entry["speed"]["could_be_graded"])


def here(entry: dict[str, Any], timed: Collection[str]) -> tuple[float, float]:
    """Points and speed points of an exercise, and the most of them that could be graded where it was judged."""
    if page.needs_review(entry):
        return 0.0, 0.0
    earned = entry["points"] + (entry["speed"]["points"] if entry["speed"] else 0.0)
    clocked = entry["id"] in timed and not page.speed_review(entry)
    possible = entry["max_points"] + (entry["max_speed_points"] if clocked else 0.0)
    return round(earned, 2), round(possible, 2)


def safe_cell(value: Any) -> Any:
    """Text that no spreadsheet takes for a formula: a ' goes before = + - @, wide ones too, and control characters."""
    if isinstance(value, str) and unicodedata.normalize("NFKC", value).lstrip(" ").startswith(FORMULA):
        return f"'{value}"
    return value


def write_gradebook(folder: Path, verdicts: Sequence[dict[str, Any]], title: str = "Gradebook") -> tuple[Path, Path]:
    """Write gradebook.csv and gradebook.html into a folder, beside feedback/. Returns both paths."""
    csv_file = whole_files.write(folder / "gradebook.csv", csv_text(verdicts))
    return csv_file, whole_files.write(folder / "gradebook.html", gradebook_page(verdicts, title))


def gradebook_page(verdicts: Sequence[dict[str, Any]], title: str = "Gradebook") -> str:
    """Totals, then how the class did, then a table per unit with a row per student."""
    units = sorted({verdict["unit"] for verdict in verdicts})
    parts = [f"<h1>{escape(title)}</h1>", _review(verdicts), _notes(verdicts), _totals(verdicts, units), HERE]
    parts.append(statistics.section(verdicts))
    parts += [_unit_table(unit, [verdict for verdict in verdicts if verdict["unit"] == unit]) for unit in units]
    return page.page(title, "".join(parts), SORT)


def _review(verdicts: Sequence[dict[str, Any]]) -> str:
    """The answers with 0 points for a reason that lies with the judge or its machine; "" where there are none."""
    open_ = [(v, *item) for v in verdicts for entry in v["exercises"] for item in page.to_review(entry).items()]
    if not open_:
        return ""
    items = "".join(
        f'<li><a href="{_link(v)}">{escape(v["student"])}, {escape(what)}</a>: {prose(why)}</li>'
        for v, what, why in open_
    )
    head = f"<b>{len(open_)} not judged and in need of review.</b> Their 0 points are no verdict. Grade with --resume."
    return f'<div role="alert"><p>{head}</p><ul>{items}</ul></div>'


def _notes(verdicts: Sequence[dict[str, Any]]) -> str:
    """What another tool will not take, and names that look alike; "" where there is nothing to say."""
    notes = [
        f"{verdict['student']}, {verdict['unit']}: {verdict['trouble']}" for verdict in verdicts if verdict["trouble"]
    ]
    notes += [look_alike.in_words(group) for group in look_alike.groups(verdict["student"] for verdict in verdicts)]
    return f"<ul>{''.join(f'<li>{prose(note)}</li>' for note in notes)}</ul>" if notes else ""


def _totals(verdicts: Sequence[dict[str, Any]], units: list[str]) -> str:
    """One row per student over all units."""
    numbers = (*units, "Total", "Speed", "Of what could be graded here")
    head = [th("Student"), *(th(name, number=True) for name in numbers)]
    timed = timed_exercises(verdicts)
    rows = []
    for student in sorted({verdict["student"] for verdict in verdicts}):
        own = {verdict["unit"]: verdict for verdict in verdicts if verdict["student"] == student}
        cells = [td(escape(student), student)]
        cells += [_points_cell(own.get(unit)) for unit in units]
        earned = math.fsum(verdict["points"] for verdict in own.values())
        possible = math.fsum(verdict["max_points"] for verdict in own.values())
        cells.append(td(f"<b>{page.points_words(round(earned, 2), possible)}</b>", earned, number=True))
        entries = [entry for verdict in own.values() for entry in verdict["exercises"]]
        speed = math.fsum(entry["speed"]["points"] for entry in entries if entry["speed"])
        cells.append(td(escape(_speed_total(entries, timed)), speed, number=True))
        gained, possible = (
            math.fsum(column) for column in zip(*(here(entry, timed) for entry in entries), strict=True)
        )
        cells.append(td(page.points_words(round(gained, 2), round(possible, 2)), gained, number=True))
        rows.append(student_row(student, cells))
    return FIND + table("All units. Click a heading to sort.", head, rows)


def _points_cell(verdict: dict[str, Any] | None) -> str:
    if verdict is None:
        return td("–", -1, number=True)
    words = page.points_words(verdict["points"], verdict["max_points"])
    return td(f'<a href="{_link(verdict)}">{words}</a>', verdict["points"], number=True)


def _speed_total(entries: Iterable[dict[str, Any]], timed: Collection[str]) -> str:
    """Speed points of what could be timed; an answer that is not right has 0 of them."""
    entries = [entry for entry in entries if entry["id"] in timed]
    if not entries:
        return "not graded here"
    earned = math.fsum(entry["speed"]["points"] for entry in entries if entry["speed"])
    return page.points_words(round(earned, 2), math.fsum(entry["max_speed_points"] for entry in entries))


def _unit_table(unit: str, verdicts: list[dict[str, Any]]) -> str:
    """Points and status per exercise, a row per student."""
    entries = verdicts[0]["exercises"]
    head = [
        th("Student"),
        *(th(entry["function"], title=entry["title"]) for entry in entries),
        th("Points", number=True),
        th("Feedback"),
    ]
    rows = []
    for verdict in verdicts:
        cells = [td(escape(verdict["student"]), verdict["student"])]
        cells += [td(f"{page.badge(entry)}<br>{entry['points']:g}", entry["points"]) for entry in verdict["exercises"]]
        cells.append(_points_cell(verdict))
        refused = ' <span class="quiet">file not taken in</span>' if verdict["refused"] else ""
        cells.append(td(f'<a href="{_link(verdict)}">read</a>{refused}', 0))
        rows.append(student_row(verdict["student"], cells))
    return f"<section><h2>{escape(unit)}</h2>{table('Per exercise', head, rows)}</section>"


def _link(verdict: dict[str, Any]) -> str:
    from urllib.parse import quote

    return escape(quote(f"feedback/{feedback.file_name(verdict)}"))
