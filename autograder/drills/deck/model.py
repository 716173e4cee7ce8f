"""One drill card, as its file says it. What a kind of card asks and how it is marked is in `kinds`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

LANGUAGES = ("en", "zh")
CHOICES_OF_LANGUAGE = (*LANGUAGES, "both")
OF_THE_COURSE_ZH = {"the course's catalogue of wrong answers, ": "本课程的错误答案集，", "the course, ": "本课程，"}


@dataclass(frozen=True)
class Card:
    """A card. text: by language, the fields a learner reads; data: what both languages share (kernels, formulas).

    topic: the line of the topic list that it belongs to, as in "B7"; also: other lines that it exercises.
    """

    id: str  # "b7.stride", and never another: schedules and Anki know the card by it
    kind: str  # a key of `kinds.KINDS`
    topic: str
    text: Mapping[str, Mapping[str, Any]]
    data: Mapping[str, Any]
    source: str
    also: tuple[str, ...] = ()
    file: str = ""

    @property
    def topics(self) -> tuple[str, ...]:
        """Its own line first."""
        return (self.topic, *self.also)

    def source_in(self, language: str) -> str:
        """Where its facts come from. Titles of documents stay as they are, and the course has a name in each."""
        source = self.source
        for english, chinese in OF_THE_COURSE_ZH.items() if language == "zh" else ():
            source = source.replace(english, chinese)
        return source

    def says(self, name: str, language: str, default: str = "") -> str:
        """A field of the text; of both languages, one under the other."""
        if language in LANGUAGES:
            return self.text[language].get(name, default)
        return "\n".join(self.text[each].get(name, default) for each in LANGUAGES)

    def says_each(self, name: str, language: str) -> list[str]:
        """A list of the text; of both languages, pairs one under the other."""
        if language in LANGUAGES:
            return list(self.text[language][name])
        return ["\n".join(pair) for pair in zip(*(self.text[each][name] for each in LANGUAGES), strict=True)]


@dataclass(frozen=True)
class Question:
    """A card with its values drawn, ready to be put to a learner.

    entry: what the answer is: "number", "numbers", "order", "choice" (a letter), "place" (a line and a class), "code"
    or "ticks".
    code: source to show beside the question; reveal: what a learner ticks, once the answer has been given.
    """

    card: Card
    language: str
    ask: str
    entry: str
    code: str = ""
    code_language: str = "python"
    first_line: int = 1  # what the first line of the code is called, where lines are numbered
    choices: tuple[str, ...] = ()
    unit: str = ""
    reveal: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def code_with_numbers(self) -> str:
        """The code, its lines numbered where one of them has to be named."""
        if self.entry != "place":
            return self.code
        lines = self.code.rstrip("\n").split("\n")
        width = len(str(self.first_line + len(lines)))
        return "\n".join(f"{self.first_line + number:>{width}}  {line}" for number, line in enumerate(lines))


@dataclass(frozen=True)
class Mark:
    """How an answer did. score: 0 to 1; truth: the right answer; why: what makes it right; verdict: of a check."""

    score: float
    truth: str
    why: str = ""
    verdict: str = ""
    weak: str = ""  # what a weak answer says
    then: str = ""  # what an interviewer asks next
    reply: str = ""  # and what to say to that
    read: str = ""  # what an answer was taken to mean, where it was written otherwise than it is shown
    unsure: bool = False  # not a form that is known: whoever answered says whether it is the same
    by_learner: bool = False  # the score is what whoever answered says

    @property
    def right(self) -> bool:
        return self.score >= 0.999

    def settled(self, same: bool) -> Mark:
        """The mark of an unknown form, once it was compared with the accepted one."""
        return replace(self, score=float(same), unsure=False, by_learner=True)


class CardError(ValueError):
    """A card that cannot be used. file, card and field say where; each is "" where it is unknown."""

    def __init__(self, file: str, card: str, where: str, problem: str):
        self.file, self.card, self.field = file, card, where
        place = ", ".join(
            part for part in (file, f"card {card}" if card else "", f"field {where}" if where else "") if part
        )
        super().__init__(f"{place}: {problem}")


class AnswerError(ValueError):
    """An answer that cannot be read; the message says how to write one. Nothing is marked.

    reason: the sentence of `faces/words.yaml` that says why; values: what else that sentence names.
    """

    def __init__(self, example: str, reason: str = "unreadable", **values: str):
        self.example, self.reason, self.values = example, reason, values
        super().__init__(example)
