"""Translate: numba.cuda to CUDA C++ and back, compared by what the code says and not by how it is written."""

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
    """answer: code in the other language; right where it says what one of the accepted forms says.

    A form that is neither accepted nor known to be wrong leaves the mark unsure.
    """
    data = question.card.data
    if not answer.strip():
        raise AnswerError("...")

    def is_one_of(forms: list[str]) -> bool:
        return any(same(data["to"], answer, form, data.get("names", ())) for form in forms)

    try:
        right, wrong = is_one_of(data["accept"]), is_one_of(data["reject"])
    except StructureError as error:
        raise AnswerError(str(error), "no_code") from error
    why = question.card.says("why", question.language)
    return Mark(float(right), data["accept"][0], why, unsure=not right and not wrong)


def solve(question: Question) -> str:
    """The first form that counts."""
    return question.card.data["accept"][0]
