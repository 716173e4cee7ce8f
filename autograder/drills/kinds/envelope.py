"""Envelope: a bound on a named GPU from bytes and flops, within the tolerance of a back of an envelope."""

from __future__ import annotations

import random

from autograder.drills.deck.model import Card, Mark, Question
from autograder.drills.deck.units import unit_in
from autograder.drills.kinds import count
from autograder.drills.kinds.numbers import mark_number
from autograder.drills.values.draws import draw, filled, worked_out

SECONDS = 75
TEXT = count.TEXT
DATA = {**count.DATA, "unit": str}
OPTIONAL = {**count.OPTIONAL, "measure_at": dict}
TOLERANCE = 0.1


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The question, with the published figures that it is to be worked out from."""
    values = draw(card, rng)
    values["truth"] = worked_out(card, "truth", card.data["truth"], values)
    ask = filled(card, "ask", card.says("ask", language), values)
    return Question(card, language, ask, "number", unit=unit_in(card.data["unit"], language), values=values)


def mark(question: Question, answer: str) -> Mark:
    """answer: one number, in the unit that the question names or in another of its kind."""
    return mark_number(question, answer, question.card.data.get("tolerance", TOLERANCE))


solve = count.solve


def measured(card: Card, values) -> tuple[float, float]:
    """What the interpreter bounds at a size that it can run (`measure_at`), and the formula's value there."""
    small = {**values, **card.data["measure_at"]}
    return count.measured(card, small), worked_out(card, "truth", card.data["truth"], small)
