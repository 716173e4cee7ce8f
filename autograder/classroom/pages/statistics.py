"""How the class did: units by their points, exercises by their verdicts, and what most people get wrong."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from autograder.classroom.pages import page
from autograder.classroom.pages.tables import table, td, th
from autograder.diagnosis.misconceptions import title_of
from autograder.outcome import COSTLY, STATUSES, Look

MISCONCEPTIONS_SHOWN = 8
OF_AN_EXERCISE = 3
BINS = 10  # of a unit's points, a tenth of the most each
ORDER = [  # of the parts of a bar
    STATUSES["Passed"].look,
    COSTLY,
    *(STATUSES[name].look for name in ("Wrong", "Crashed", "TimedOut", "NotAttempted")),
    page.NEEDS_REVIEW,
]


@dataclass(frozen=True)
class Figures:
    """One exercise over all who handed the unit in. looks: how many verdicts have each look; common: misconceptions."""

    unit: str
    exercise: str
    title: str
    n: int
    right: int
    mean_share: float  # of its points
    looks: dict[Look, int]
    common: tuple[tuple[str, int], ...]


def figures(verdicts: Sequence[dict[str, Any]]) -> list[Figures]:
    """One record an exercise, in the order of units and exercises. What needs review is in `looks` only."""
    by_exercise: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for verdict in sorted(verdicts, key=lambda found: found["unit"]):
        for entry in verdict["exercises"]:
            by_exercise.setdefault((verdict["unit"], entry["id"]), []).append(entry)
    return [_figures(unit, entries) for (unit, _), entries in by_exercise.items()]


def _figures(unit: str, entries: list[dict[str, Any]]) -> Figures:
    judged = [entry for entry in entries if not page.needs_review(entry)]
    wrong = Counter(entry["misconception"] for entry in judged if entry["misconception"] and _loses_points(entry))
    shares = [entry["points"] / entry["max_points"] for entry in judged if entry["max_points"]]
    return Figures(
        unit,
        entries[0]["id"],
        entries[0]["title"],
        n=len(judged),
        right=sum(entry["status"] == "Passed" for entry in judged),
        mean_share=statistics.fmean(shares) if shares else 0.0,
        looks=dict(Counter(map(page.look, entries))),
        common=tuple(sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[:OF_AN_EXERCISE]),
    )


def _loses_points(entry: dict[str, Any]) -> bool:
    return entry["points"] < entry["max_points"]


def section(verdicts: Sequence[dict[str, Any]]) -> str:
    """The figures as HTML; "" where nobody handed anything in."""
    if not verdicts:
        return ""
    tables = [_units(verdicts), _exercises(verdicts), _misconceptions(verdicts)]
    return f'<section id="class"><h2>The class</h2>{"".join(tables)}</section>'


def _units(verdicts: Sequence[dict[str, Any]]) -> str:
    head = [th("Unit"), *(th(name, number=True) for name in ("Handed in", "Mean", "Median", "Least", "Most", "Of"))]
    rows = []
    for unit in sorted({verdict["unit"] for verdict in verdicts}):
        own = [verdict for verdict in verdicts if verdict["unit"] == unit]
        points = [verdict["points"] for verdict in own]
        numbers = [len(points), statistics.fmean(points), statistics.median(points), min(points), max(points)]
        cells = [td(escape(unit), unit)]
        cells += [td(f"{round(number, 2):g}", number, number=True) for number in (*numbers, own[0]["max_points"])]
        rows.append(f"<tr>{''.join(cells)}{td(_histogram(own), numbers[1])}</tr>")
    return table("Points per unit", [*head, th("How they are spread")], rows)


def _histogram(verdicts: list[dict[str, Any]]) -> str:
    """How many have how many points, as a row of columns; in words for who cannot see it."""
    counts = [0] * BINS
    for verdict in verdicts:
        share = verdict["points"] / verdict["max_points"] if verdict["max_points"] else 0.0
        counts[min(int(share * BINS), BINS - 1)] += 1
    columns = "".join(
        f'<rect x="{11 * n}" y="{24 - round(24 * count / max(counts))}" width="10" '
        f'height="{round(24 * count / max(counts))}" fill="currentColor"></rect>'
        for n, count in enumerate(counts)
    )
    words = ", ".join(f"{count} from {n * 100 // BINS} %" for n, count in enumerate(counts) if count)
    return f'<svg role="img" aria-label="{words}" width="{11 * BINS}" height="24"><title>{words}</title>{columns}</svg>'


def _exercises(verdicts: Sequence[dict[str, Any]]) -> str:
    head = [th("Exercise"), th("Right", number=True), th("Mean points", number=True), th("Verdicts")]
    rows = []
    for one in figures(verdicts):
        share = one.right / one.n if one.n else 0.0
        common = "; ".join(f"{title_of(name)} ({count})" for name, count in one.common)
        cells = [
            td(f'<span title="{escape(one.title)}">{escape(one.exercise)}</span>', f"{one.unit} {one.exercise}"),
            td(f"{one.right} of {one.n}, {share:.0%}", share, number=True),
            td(f"{one.mean_share:.0%}", one.mean_share, number=True),
            td(_bar(one.looks), share),
            td(escape(common) or "–", common, words=True),
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return table("Per exercise: what most people find hard", [*head, th("Commonest misconceptions")], rows)


def _bar(looks: dict[Look, int]) -> str:
    """The verdicts on one exercise as parts of one bar, each with its sign, its words and its number."""
    shown = [(look, looks[look]) for look in ORDER if look in looks]
    parts = "".join(
        f'<span style="flex:{count};background:{look.colour}" title="{count} {look.words}">{look.mark}</span>'
        for look, count in shown
    )
    words = ", ".join(f"{count} {look.words}" for look, count in shown)
    return f'<span class="bar" role="img" aria-label="{words}">{parts}</span>'


def _misconceptions(verdicts: Sequence[dict[str, Any]]) -> str:
    """What to talk about in the next lesson: the mistakes found most, with how many students made each."""
    students: dict[str, set[str]] = {}
    answers: Counter[str] = Counter()
    for verdict in verdicts:
        for entry in verdict["exercises"]:
            if entry["misconception"] and _loses_points(entry):
                students.setdefault(entry["misconception"], set()).add(verdict["student"])
                answers[entry["misconception"]] += 1
    order = sorted(answers, key=lambda name: (-len(students[name]), -answers[name], name))[:MISCONCEPTIONS_SHOWN]
    rows = []
    for name in order:
        cells = [td(escape(title_of(name)), name)]
        cells += [td(str(count), count, number=True) for count in (len(students[name]), answers[name])]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    head = [th("Misconception"), th("Students", number=True), th("Answers", number=True)]
    return table("What to talk about next: most frequent misconceptions", head, rows) if rows else ""


def summary_lines(verdicts: Sequence[dict[str, Any]]) -> list[str]:
    """The three exercises that the class finds hardest, for a terminal."""
    hard = sorted((one for one in figures(verdicts) if one.n), key=lambda one: (one.right / one.n, one.exercise))[:3]
    lines = []
    for one in hard:
        why = f": {title_of(one.common[0][0])} ({one.common[0][1]})" if one.common else ""
        lines.append(f"  {one.exercise}  {one.right} of {one.n} right{why}")
    return ["Hardest for the class:", *lines] if lines and hard[0].right < hard[0].n else []
