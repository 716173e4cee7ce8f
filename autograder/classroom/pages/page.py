"""What the feedback pages and the gradebook page share: words for a status, and a page that needs no network."""

from __future__ import annotations

from html import escape
from typing import Any

from autograder.classroom.pages import highlight
from autograder.outcome import COSTLY, STATUSES, Look, Outcome
from autograder.words import without_orders

YOURS, OURS = "yours", "ours"  # whose doing it is that an answer has not all points
NEEDS_REVIEW = Look("needs review", "?", "#b91c1c")  # no points, and not for the student to mend

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --paper: #fff; --ink: #1b1b1b; --link: #0b4fa8 }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --ink: #e8e8e8; --link: #9db8ff } }
@media print { :root { --paper: #fff; --ink: #000; --link: #000 } }
body { background: var(--paper); color: var(--ink) } a { color: var(--link) }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; margin: 1rem 0 } caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .7rem; text-align: left; vertical-align: top }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.words { min-width: 16rem }
thead th { position: sticky; top: 0; z-index: 2; background: var(--paper) }
.scroll tr > :first-child { position: sticky; left: 0; z-index: 1; background: var(--paper) }
.scroll thead tr > :first-child { z-index: 3 } .scroll { overflow: auto; max-height: 85vh }
.bar { display: inline-flex; width: 10rem; gap: 1px; color: white; font: .75rem/1.4 sans-serif; text-align: center }
.bar span { overflow: hidden } th button { all: unset; cursor: pointer }
th button:focus-visible { outline: 2px solid } tbody tr:hover { background: var(--soft) }
.quiet { opacity: .75; font-size: .9em } code, pre { font-size: .92em }
@media print { :root { color-scheme: light } body { max-width: none; margin: 0; font-size: 12px }
h2 { break-after: avoid } table, pre, figure { break-inside: avoid } .scroll { max-height: none; overflow: visible } }
nav a { margin-right: 1rem } section { margin-bottom: 2rem }
"""


def page(title: str, body: str, script: str = "") -> str:
    """A whole HTML document. title is escaped; body and script are trusted, but for signs that a browser would obey.
    The page may load nothing from anywhere.
    """
    title, body = without_orders(title), without_orders(body)
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    if script:
        policy += "; script-src 'unsafe-inline'"
        body += f"<script>{script}</script>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{highlight.STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def look(entry: dict[str, Any]) -> Look:
    """How an exercise's entry is shown: as its status is everywhere, but for what the instructor must look at."""
    if entry["costly"]:
        return COSTLY
    return NEEDS_REVIEW if needs_review(entry) else STATUSES[entry["status"]].look


def look_of(outcome: Outcome) -> Look:
    """The same for an outcome that no entry is made of yet."""
    return NEEDS_REVIEW if fault_of(outcome.status) == OURS else outcome.shown_as


def badge(entry: dict[str, Any]) -> str:
    """The sign and the word for an entry's status, as HTML."""
    shown = look(entry)
    return f'<span style="color:{shown.colour}" aria-hidden="true">{shown.mark}</span> {shown.words}'


def speed_words(entry: dict[str, Any]) -> str:
    """The speed column of an entry, as text; a dash where the exercise has no speed points."""
    speed = entry["speed"]
    if not entry["max_speed_points"]:
        return "–"
    if speed_review(entry):
        return NEEDS_REVIEW.words
    return f"{speed['points']:g} of {speed['max_points']:g}" if speed and speed["graded"] else "not graded here"


def fault_of(status: str) -> str:
    """Whose doing a status is: OURS where machine or judge failed, YOURS for anything else but a right answer."""
    return "" if status == "Passed" else OURS if status == "NotCheckable" else YOURS


def needs_review(entry: dict[str, Any]) -> bool:
    """Whether an exercise has 0 points for a reason that does not lie with the student."""
    return fault_of(entry["status"]) == OURS


def speed_review(entry: dict[str, Any]) -> str:
    """Why the time of a right answer is not believed, so that its speed points wait for an instructor; "" if it is."""
    return entry["speed"].get("review", "") if entry["speed"] else ""


def to_review(entry: dict[str, Any]) -> dict[str, str]:
    """What of an exercise an instructor has to look at, and why: its id, or that of its speed points."""
    found = {entry["id"]: entry["says"]} if needs_review(entry) else {}
    timed = speed_review(entry)
    return found | ({f"{entry['id']}, speed": f"The time is not believed: {timed}."} if timed else {})


def points_words(points: float, max_points: float) -> str:
    """``7.5 of 10``."""
    return f"{points:g} of {max_points:g}"


def totals_words(found: dict[str, Any]) -> str:
    """The points of a submission, and its speed points where a GPU timed any answer: ``15 of 15 + 1.5 of 2``."""
    words = points_words(found["points"], found["max_points"])
    speed = points_words(found["speed_points"], found["max_speed_points"])
    return f"{words} + {speed}" if found["max_speed_points"] else words
