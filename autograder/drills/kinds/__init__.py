"""The kinds of cards, one module each: which fields it has, how it is put, how an answer is marked.

A kind is a module with `TEXT` (fields in both languages), `DATA` (fields that languages share), `SECONDS` (what an
answer takes), `pose(card, language, rng) -> Question` and `mark(question, answer) -> Mark`.
"""

from __future__ import annotations

from types import ModuleType

from autograder.drills.deck.model import Mark
from autograder.drills.kinds import bug, count, envelope, pick, rank, say, touch, translate, write
from autograder.drills.kinds.giving_up import gives_up, unanswered

KINDS: dict[str, ModuleType] = {
    "say": say,
    "pick": pick,
    "count": count,
    "rank": rank,
    "touch": touch,
    "bug": bug,
    "write": write,
    "translate": translate,
    "envelope": envelope,
}


def pose(card, language: str, rng):
    """The card as a question, its values drawn from `rng` (random.Random)."""
    return KINDS[card.kind].pose(card, language, rng)


def mark(question, answer: str):
    """Mark an answer; "I don't know" is one, and earns nothing.

    Raises: AnswerError where it cannot be read, saying how to write one.
    """
    kind = KINDS[question.card.kind]
    if gives_up(answer):
        return unanswered(
            Mark(0.0, kind.solve(question)) if kind is write else kind.mark(question, kind.solve(question))
        )
    return kind.mark(question, answer)


def solve(question) -> str:
    """An answer that is right, as a learner would type it."""
    return KINDS[question.card.kind].solve(question)


def tolerance_of(card) -> float:
    """How far off a number counts as right, relative to it; 0 where it is asked for exactly, or is no number."""
    return card.data.get("tolerance", getattr(KINDS[card.kind], "TOLERANCE", 0.0))
