"""Translate: numba.cuda to CUDA C++ and back, compared by what the code says and not by how it is written."""

from __future__ import annotations

import random
import re

from autograder.drills.deck.code_comments import code_in
from autograder.drills.deck.model import AnswerError, Card, Mark, Question
from autograder.drills.deck.verdicts import said_in
from autograder.drills.structure import StructureError, same
from autograder.drills.translated import told

SECONDS = 60
TEXT = {"ask": str, "why": str}
DATA = {"from": str, "to": str, "code": str, "accept": list, "reject": list}
OPTIONAL = {"names": list, "run": dict}
WORD = re.compile(r"\w+")
LEAST_WORDS = 3  # in code that is run
LEAST_ALIKE = 0.3  # of an accepted form's words, in an unknown one that whoever wrote it may compare


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The code to translate."""
    return Question(
        card,
        language,
        card.says("ask", language),
        "code",
        code=code_in(language, card.data["code"]),
        code_language=card.data["from"],
    )


def mark(question: Question, answer: str) -> Mark:
    """answer: code in the other language; right where it says what one of the accepted forms says.

    A form that is neither accepted nor known to be wrong is run, or compared call by call, and what it does otherwise
    is told. Where that is not known, the mark is unsure, if it is a try at all.
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
    if "".join(answer.split()) == "".join(data["code"].split()):  # the code that was asked for, said back
        return Mark(0.0, data["accept"][0], why)
    tried = any(_is_tried(answer, form, data["code"]) for form in data["accept"])
    said = told(question.card, answer) if not right and len(WORD.findall(answer)) >= LEAST_WORDS else None
    right = right or said == "" and not wrong
    verdict = said_in(question.language, said) if said else ""
    unsure = tried and not right and not wrong and not said
    return Mark(float(right), data["accept"][0], why, verdict=verdict, unsure=unsure)


def _is_tried(answer: str, form: str, asked: str) -> bool:
    """Is it a try at that form, and more than a word? It has some of its words, and one that was not asked."""
    typed, wanted, given = (set(WORD.findall(text)) for text in (answer, form, asked))
    fresh = wanted - given
    return len(typed & wanted) >= LEAST_ALIKE * len(wanted) and (not fresh or bool(typed & fresh))


def solve(question: Question) -> str:
    """The first form that counts."""
    return question.card.data["accept"][0]
