"""A feedback page per student and unit: every verdict with the learner's own lines, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from autograder.classroom import whole_files
from autograder.classroom.pages import highlight, page, tables
from autograder.machine.work_log.summed import LEGEND, MOST_MARKS
from autograder.report.prose import prose
from autograder.words import count_text

MOST_LISTED = 30  # statements that were left alone


def file_name(verdict: dict[str, Any]) -> str:
    """Where a verdict's page is kept below the feedback folder: ``ada/01_vector_add.html``."""
    return f"{verdict['student']}/{verdict['notebook']}.html"


def write_feedback(folder: Path, verdicts: Iterable[dict[str, Any]]) -> list[Path]:
    """Write one page per verdict below a folder. Returns their paths, in the order of the verdicts."""
    written = []
    for verdict in verdicts:
        written.append(whole_files.write(folder / file_name(verdict), feedback_page(verdict)))
    return written


def feedback_page(verdict: dict[str, Any]) -> str:
    """The page as HTML. What the student typed reaches it escaped: by the verdict's renderer, or here."""
    entries = verdict["exercises"]
    right = sum(entry["status"] == "Passed" for entry in entries)
    title = f"{verdict['unit']}: feedback for {verdict['student']}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p><b>{_points(verdict)}.</b> {right} of {count_text(len(entries), 'exercise')} right.</p>",
    ]
    if verdict["refused"]:
        parts.append(f'<p role="alert"><b>This file was not taken in.</b> {prose(verdict["refused"])}</p>')
    else:
        parts += [_next(entries), _overview(entries), *(_exercise(entry) for entry in entries)]
        parts += [_work_log(verdict["work_log"])] if verdict.get("work_log") else []
    parts.append(
        f'<p class="quiet">Judged from {escape(verdict["notebook"])}.ipynb, sha256 {escape(verdict["sha256"][:16])}…, '
        f"received {escape(verdict['received'])}. Kernels were read from the notebook; its cells were not run.</p>"
    )
    return page.page(title, "".join(parts))


def _work_log(efforts: list[dict[str, Any]]) -> str:
    """The work log that was handed in, by exercise: it is the student's own file, and no points hang on it."""
    rows = [
        f"<tr><td>{escape(one['exercise'])}</td><td>{escape(one['verdicts'][-MOST_MARKS:])}</td>"
        f'<td class="number">{one["checks"]}</td><td class="number">{one["minutes"]:.0f}</td>'
        f"<td>{escape(', '.join(one['misconceptions']))}</td></tr>"
        for one in efforts
    ]
    names = ("Exercise", "Verdicts", "Checks", "About, minutes", "Met on the way")
    return tables.table(f"Work log, as it was handed in. {LEGEND}", [f"<th>{name}</th>" for name in names], rows)


def _points(verdict: dict[str, Any]) -> str:
    """``10 of 16 points, and 1.5 of 6 speed points`` where a GPU timed answers."""
    words = f"{page.points_words(verdict['points'], verdict['max_points'])} points"
    if not verdict["max_speed_points"]:
        return words
    return f"{words}, and {page.points_words(verdict['speed_points'], verdict['max_speed_points'])} speed points"


def _next(entries: list[dict[str, Any]]) -> str:
    """The one thing to do first: the first exercise in course order that is not right."""
    first = next((entry for entry in entries if entry["status"] != "Passed"), None)
    if first is None:
        return "<p>All right. The next unit is waiting.</p>"
    where = f'<a href="#{escape(first["function"])}">{escape(first["title"])}</a>'
    if first["status"] == "NotAttempted":
        return f"<p><b>Next:</b> {where} is still to do.</p>"
    return f"<p><b>Next:</b> {where}. {prose(first['says'])}</p>"


def _overview(entries: list[dict[str, Any]]) -> str:
    rows = "".join(
        f'<tr><td><a href="#{escape(entry["function"])}">{escape(entry["title"])}</a></td><td>{page.badge(entry)}</td>'
        f'<td class="number">{page.points_words(entry["points"], entry["max_points"])}</td>'
        f"<td>{escape(page.speed_words(entry))}</td></tr>"
        for entry in entries
    )
    head = '<thead><tr><th>Exercise</th><th>Verdict</th><th class="number">Points</th><th>Speed</th></tr></thead>'
    return f'<div class="scroll"><table><caption>At a glance</caption>{head}<tbody>{rows}</tbody></table></div>'


def _exercise(entry: dict[str, Any]) -> str:
    """One exercise: its verdict card, notes, and what of the cell was left alone."""
    notes = "".join(f"<p>{prose(note)}</p>" for note in entry["notes"])
    return (
        f'<section id="{escape(entry["function"])}"><h2>{escape(entry["title"])}</h2>{entry["html"]}{notes}'
        f"{_cell(entry)}{_not_run(entry['not_run'])}</section>"
    )


def _cell(entry: dict[str, Any]) -> str:
    """The whole cell as it was handed in, folded away."""
    if not entry["source"].strip():
        return ""
    return f"<details><summary>The cell as you handed it in</summary>{highlight.cell(entry['source'])}</details>"


def _not_run(items: list[dict[str, Any]]) -> str:
    if not items:
        return ""
    lines = "".join(
        f"<li>line {item['line']}: <code>{escape(item['text'])}</code>{escape(item['why'] and ': ' + item['why'])}</li>"
        for item in items[:MOST_LISTED]
    )
    lines += f"<li>and {len(items) - MOST_LISTED} more</li>" if len(items) > MOST_LISTED else ""
    plural = "statements" if len(items) > 1 else "statement"
    return (
        f'<details class="quiet"><summary>{len(items)} {plural} of this cell the judge did not need and did not run'
        f"</summary><ul>{lines}</ul></details>"
    )
