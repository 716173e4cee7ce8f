"""Say it: answer in your own words, then tick the key points that you had."""

from __future__ import annotations

import random
import re

from autograder.drills.deck.model import AnswerError, Card, Mark, Question

SECONDS = 60
TEXT = {"ask": str, "points": list, "weak": str, "then": str, "reply": str}
DATA: dict[str, type] = {}
OPTIONAL = {"code": str, "written_in": str}
POINTS = (3, 5)


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The question; its points are kept back until something was said."""
    return Question(
        card,
        language,
        card.says("ask", language),
        "ticks",
        code=card.data.get("code", ""),
        code_language=card.data.get("written_in", "python"),
        reveal=tuple(card.says_each("points", language)),
    )


def mark(question: Question, answer: str) -> Mark:
    """answer: the numbers of the points that were said, as in "1 3" or "13"; "0" for none."""
    card, language = question.card, question.language
    count = len(question.reveal)
    ticked = {int(digit) for digit in re.findall(r"\d", answer)}
    if not ticked or ticked - set(range(count + 1)) or re.search(r"[^\d\s,]", answer):
        raise AnswerError(f"1-{count}, 0")
    return Mark(
        score=len(ticked - {0}) / count,
        by_learner=True,
        truth="\n".join(f"{number}. {point}" for number, point in enumerate(question.reveal, 1)),
        weak=card.says("weak", language),
        then=card.says("then", language),
        reply=card.says("reply", language),
    )


def solve(question: Question) -> str:
    """All of them."""
    return " ".join(str(number) for number in range(1, len(question.reveal) + 1))
