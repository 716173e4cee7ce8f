"""Count it: fresh values each time; the formula's truth is held to the interpreter by a test."""

from __future__ import annotations

import random

from autograder.drills.deck.model import Card, Mark, Question
from autograder.drills.deck.units import unit_in
from autograder.drills.kinds.numbers import mark_number
from autograder.drills.values import snippet
from autograder.drills.values.draws import draw, filled, worked_out

SECONDS = 50
TEXT = {"ask": str, "why": str}
DATA = {"draw": dict, "truth": str}
OPTIONAL = {
    "let": dict, "where": str, "kernel": str, "launch": list, "arguments": dict, "measure": str, "unit": str,
    "tolerance": float, "dynamic_shared_bytes": str, "hide": bool, "held_by": str, "also_right": list,
}  # fmt: skip
TOLERANCE = 0.0


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The question with its values in it; the kernel beside it, unless the card hides what it measures with."""
    values = draw(card, rng)
    values["truth"] = worked_out(card, "truth", card.data["truth"], values)
    shows = "kernel" in card.data and not card.data.get("hide", False)
    return Question(
        card,
        language,
        filled(card, "ask", card.says("ask", language), values),
        "number",
        code=snippet.source_of(card, card.data["kernel"], values) if shows else "",
        unit=unit_in(card.data.get("unit", ""), language),
        values=values,
    )


def mark(question: Question, answer: str) -> Mark:
    """answer: one number, as people write it."""
    return mark_number(question, answer, question.card.data.get("tolerance", TOLERANCE))


def solve(question: Question) -> str:
    """The formula's value."""
    return repr(question.values["truth"])


def measured(card: Card, values) -> float:
    """What the interpreter says for the same values: `measure`, over the counters and arrays of a run."""
    ran = snippet.run(card, snippet.source_of(card, card.data["kernel"], values), values)
    return worked_out(card, "measure", card.data["measure"], ran.names)
