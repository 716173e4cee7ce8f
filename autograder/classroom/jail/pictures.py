"""The picture of what a verdict found: the jail says what the kernel touched there, and it is drawn out here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograder import worker
from autograder.answer.program import Program
from autograder.classroom.jail.visit import Visit
from autograder.classroom.messages import pictured
from autograder.contract import Exercise, Sizes
from autograder.outcome import Outcome

LOAD_S, DRAW_S = 20.0, 20.0  # a kernel that does not end is given up after 5 s
FIGURES = {  # kind and misconception of a cause ("" for any) -> the figure that shows it
    ("race", ""): "race",
    ("out_of_bounds", ""): "outside",
    ("over_budget", "bank_conflicts"): "banks",
    ("over_budget", "uncoalesced"): "sectors",
}
OF_COUNTERS = {"sectors": "sectors", "bank_conflicts": "banks"}  # part of a missed budget's counter -> the same
MOST_SVG = 200_000  # characters; the usual picture has a tenth


def with_picture(exercise: Exercise, program: Program, outcome: Outcome) -> Outcome:
    """The outcome with a picture of its first cause among its facts, where a figure shows such a cause.

    Raises: conversation.JailError, and whatever drawing trips over.
    """
    what = _figure_of(outcome)
    if not what or exercise.kind != "kernel":
        return outcome
    line = next(iter(outcome.causes[0].lines), None)
    wish = {"do": "picture", "line": line, "told": dict(_sizes_of(exercise, outcome))}
    request = {"visit": "interpret", "exercise": exercise.id, "program": program.to_json()}
    with Visit() as visit:
        visit.ask({**request, "architecture": worker.architecture_here()}, seconds=LOAD_S)
        reply, _ = visit.ask(wish, seconds=DRAW_S)
    found = pictured.unpacked(reply)
    if found is None or found[0] != what:
        return outcome
    picture = _drawn(*found)
    return replace(outcome, facts={**outcome.facts, "picture": picture}) if picture else outcome


def _figure_of(outcome: Outcome) -> str:
    """The figure that shows the first cause; "" where none does."""
    if not outcome.causes:
        return ""
    cause = outcome.causes[0]
    if cause.missed is not None:
        return next((figure for part, figure in OF_COUNTERS.items() if part in cause.missed.counter), "")
    return FIGURES.get((cause.kind, "")) or FIGURES.get((cause.kind, cause.misconception)) or ""


def _sizes_of(exercise: Exercise, outcome: Outcome) -> Sizes:
    """The sizes that the first cause was told of; {} where it names none."""
    cause = outcome.causes[0]
    limit = (cause.misconception, cause.missed.floor) if cause.missed is not None else ()
    sizes = (item.sizes for item in exercise.budgets if (item.misconception, item.floor) == limit)
    return outcome.facts.get("told_sizes") or next(sizes, {})


def _drawn(what: str, subject: Any) -> dict[str, str]:
    """A figure as a page needs it: the drawing, what it holds in a sentence, itself in words.

    Code stands between backticks where notebooks and terminals show it; a page would show the backticks.
    """
    from simt import figures

    figure = figures.drawn(what, subject)
    parts = {"svg": figure._repr_svg_(), "alt": figure.alt, "words": figure.words}
    return {name: text.replace("`", "") for name, text in parts.items()} if len(parts["svg"]) <= MOST_SVG else {}
