"""What does thread t touch: the index that one thread reads or writes; the formula is held to the interpreter."""

from __future__ import annotations

import random

from autograder.drills.deck.model import Card, Mark, Question
from autograder.drills.quantities import read_numbers
from autograder.drills.values import snippet
from autograder.drills.values.draws import draw, filled, shown, worked_out

SECONDS = 45
TEXT = {"ask": str, "why": str}
DATA = {
    "draw": dict, "truth": str, "kernel": str, "launch": list, "arguments": dict, "who": dict, "measure": str,
}  # fmt: skip
OPTIONAL = {"let": dict, "where": str, "dynamic_shared_bytes": str}
NOTHING = {"en": "nothing", "zh": "什么也不访问", "both": "nothing / 什么也不访问"}


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The kernel and a thread of it."""
    values = draw(card, rng)
    values["truth"] = _indices(worked_out(card, "truth", card.data["truth"], values))
    ask = filled(card, "ask", card.says("ask", language), values)
    source = snippet.source_of(card, card.data["kernel"], values)
    return Question(card, language, ask, "numbers", code=source, values=values)


def mark(question: Question, answer: str) -> Mark:
    """answer: the index or indices in order, as in "3, 17"; "none" where the thread touches nothing."""
    truth = question.values["truth"]
    given = read_numbers(answer, len(truth), question.ask)
    values = {**question.values, "truth": truth or NOTHING[question.language]}
    why = filled(question.card, "why", question.card.says("why", question.language), values)
    return Mark(float(given == truth), shown(truth) if truth else NOTHING[question.language], why)


def solve(question: Question) -> str:
    """The formula's indices."""
    return ", ".join(map(str, question.values["truth"])) or "none"


def measured(card: Card, values) -> tuple[int, ...]:
    """What the thread touched in the interpreter."""
    ran = snippet.run(card, snippet.source_of(card, card.data["kernel"], values), values)
    return _indices(worked_out(card, "measure", card.data["measure"], ran.names))


def _indices(value) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, tuple) else (value,)
