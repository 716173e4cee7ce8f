"""Pick one: one statement of several is right; they come in a fresh order each time."""

from __future__ import annotations

import random
import re

from autograder.drills.deck.code_comments import code_in
from autograder.drills.deck.model import AnswerError, Card, Mark, Question
from autograder.drills.kinds.letters import named_letters, plain

SECONDS = 40
TEXT = {"ask": str, "why": str}
DATA = {"options": list}
OPTIONAL = {"code": str, "written_in": str}
LETTERS = "abcde"
ORDINAL = re.compile(r"(?:number|option|choice|no\.?|第)?\s*([1-5])\s*(?:个|项)?", re.IGNORECASE)
LEAST_QUOTED = 12  # characters of an option's beginning


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The question, its options under letters."""
    options = list(card.data["options"])
    rng.shuffle(options)
    said = tuple(" / ".join(option[each] for each in (("en", "zh") if language == "both" else (language,)))
                 for option in options)  # fmt: skip
    letters = LETTERS[: len(options)]
    listed = "\n".join(f"{letter}  {text}" for letter, text in zip(letters, said, strict=True))
    right = next(letter for letter, option in zip(letters, options, strict=True) if option.get("right"))
    return Question(
        card, language, f"{card.says('ask', language)}\n{listed}", "choice",
        code=code_in(language, card.data.get("code", "")),
        code_language=card.data.get("written_in", "python"), values={"right": right, "options": said},
    )  # fmt: skip


def mark(question: Question, answer: str) -> Mark:
    """answer: the letter of an option, or its words."""
    said, right = question.values["options"], question.values["right"]
    truth = f"{right}  {said[LETTERS.index(right)]}"
    given = _letter_of(answer, said)
    return Mark(float(given == right), truth, question.card.says("why", question.language))


def _letter_of(answer: str, said: tuple[str, ...]) -> str:
    """The option that is meant. Raises: AnswerError where none is, or several might be."""
    letters = LETTERS[: len(said)]
    given, *options = [" ".join(plain(text).lower().split()) for text in (answer, *said)]
    whole = [letter for letter, option in zip(letters, options, strict=True) if _quotes(given, letter, option)]
    if len(whole) == 1:
        return whole[0]
    if (ordinal := ORDINAL.fullmatch(given)) and int(ordinal[1]) <= len(said):
        return letters[int(ordinal[1]) - 1]
    named = set(named_letters(answer, letters))
    if len(named) != 1:
        raise AnswerError(letters[-1])
    return named.pop()


def _quotes(given: str, letter: str, option: str) -> bool:
    """Are these an option's words, or their beginning, with or without its letter before them?"""
    words = re.sub(rf"^{letter}[\s).:,-]+", "", given)
    return option in (given, words) or (len(words) >= LEAST_QUOTED and option.startswith(words))


def solve(question: Question) -> str:
    """The letter of the right option."""
    return question.values["right"]
