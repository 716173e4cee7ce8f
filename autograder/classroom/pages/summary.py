"""What grading says in a terminal when it is done: a row a submission, then whatever somebody has to look at."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.alike import look_alike
from autograder.classroom.pages import page, statistics
from autograder.words import count_text, printable

if TYPE_CHECKING:
    from autograder.classroom.grade import Graded

MOST_LEFT = 30  # files and folders that are told one by one


def as_text(graded: Graded, table: Path, html: Path) -> str:
    """A table for a terminal, what somebody has to look at, and where to look next."""
    width = max((_columns(found["student"]) for found in graded.verdicts), default=0)
    lines = []
    for found in graded.verdicts:
        marks = "".join(page.look(entry).mark for entry in found["exercises"])
        points = page.totals_words(found)
        note = "  file not taken in" if found["refused"] else ""
        name = found["student"] + " " * (width - _columns(found["student"]))
        lines.append(f"{name}  {found['unit']:<20} {points:>20}  {marks}{note}")
    lines += [*_notes(graded), *_review_lines(graded.failed), *statistics.summary_lines(graded.verdicts)]
    if graded.kept:
        lines.append(f"{count_text(graded.kept, 'verdict')} kept from an earlier run.")
    lines.append(f"Gradebook: {html} and {table}; to upload: canvas.csv and moodle.csv beside them")
    return "\n".join(map(printable, lines))  # whatever a submission brought into one


def _notes(graded: Graded) -> Iterator[str]:
    """Files that count for nothing, with the reason, and what else is odd."""
    places = [(f"{found['student']}/{found['unit']}", found) for found in graded.verdicts]
    yield from (f"NOT TAKEN IN {place}: {found['refused']}" for place, found in places if found["refused"])
    left = sorted(graded.left_alone.items())
    yield from (f"left alone {place}: {why}" for place, why in left[:MOST_LEFT])
    if len(left) > MOST_LEFT:
        yield f"left alone: {len(left) - MOST_LEFT:,} more; --json lists them all"
    yield from (f"NOTE {place}: {found['trouble']}" for place, found in places if found["trouble"])
    yield from (f"NOTE {look_alike.in_words(group)}" for group in graded.alike)


def _review_lines(failed: dict[str, str]) -> list[str]:
    """What waits for somebody to look at it. Exercises of one submission with one reason are told together."""
    told: dict[tuple[str, str], list[str]] = {}
    for key, why in sorted(failed.items()):
        submission, _, what = key.partition(": ")
        told.setdefault((submission, why), []).append(what)
    return [
        f"NEEDS REVIEW {submission}: {whats[0] if len(whats) == 1 else f'{len(whats)} exercises'}: {why}"
        if whats[0]
        else f"NEEDS REVIEW {submission}: {why}"
        for (submission, why), whats in told.items()
    ]


def _columns(text: str) -> int:
    """Of a terminal: a Chinese sign takes two, one that stands on another none."""
    return sum(0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)
