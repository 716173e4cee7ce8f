"""Pick one: one statement of several is right; they come in a fresh order each time."""

from __future__ import annotations

import random
import re

from autograder.drills.deck.model import AnswerError, Card, Mark, Question

SECONDS = 40
TEXT = {"ask": str, "why": str}
DATA = {"options": list}
OPTIONAL = {"code": str, "written_in": str}
LETTERS = "abcde"
LED_UP_TO = re.compile(
    r"^(?:the |my )?(?:answer|option|choice|letter|it(?: i|')s|选项?|答案是?|我选)\s*(?:is)?\s*[:：]?\s*", re.I
)
LETTER = re.compile(rf"\(?([{LETTERS}])(?:[).,:;，。、：)]|\s*[-–—]|\s*$)", re.IGNORECASE)


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
        card, language, f"{card.says('ask', language)}\n{listed}", "choice", code=card.data.get("code", ""),
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
    plain = [" ".join(text.lower().split()).rstrip(".") for text in (answer, *said)]
    if plain[0] in plain[1:]:
        return LETTERS[plain.index(plain[0], 1) - 1]
    found = LETTER.match(LED_UP_TO.sub("", answer.strip()))
    if not found or found[1].lower() not in LETTERS[: len(said)]:
        raise AnswerError(LETTERS[len(said) - 1])
    return found[1].lower()


def solve(question: Question) -> str:
    """The letter of the right option."""
    return question.values["right"]
