"""Translate: numba.cuda to CUDA C++ and back, matched by structure: names of locals and the order of sums are free."""

from __future__ import annotations

import random

from autograder.drills.deck.model import AnswerError, Card, Mark, Question
from autograder.drills.structure import StructureError, same

SECONDS = 60
TEXT = {"ask": str, "why": str}
DATA = {"from": str, "to": str, "code": str, "accept": list, "reject": list}
OPTIONAL = {"names": list}


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The code to translate."""
    return Question(
        card,
        language,
        card.says("ask", language),
        "code",
        code=card.data["code"],
        code_language=card.data["from"],
    )


def mark(question: Question, answer: str) -> Mark:
    """answer: code in the other language; right where its structure is that of one of the accepted forms."""
    data = question.card.data
    if not answer.strip():
        raise AnswerError("...")
    try:
        right = any(same(data["to"], answer, form, data.get("names", ())) for form in data["accept"])
    except StructureError as error:
        raise AnswerError(str(error)) from error
    return Mark(float(right), data["accept"][0], question.card.says("why", question.language))


def solve(question: Question) -> str:
    """The first form that counts."""
    return question.card.data["accept"][0]
