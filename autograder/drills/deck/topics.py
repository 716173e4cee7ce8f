"""The lines of the course that cards belong to: names, and the unit that brings each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.drills.deck.yaml_file import content_of

FILE = Path(__file__).with_name("topics.yaml")
MACHINE_KINDS_WANTED = ("A", "B", "C")  # areas whose lines are built and measured, and so are asked in three ways


@dataclass(frozen=True)
class Topic:
    """One line. unit: as in "05_warps"; "" where no unit brings it; theory: cards alone ask about it."""

    id: str
    en: str
    zh: str
    unit: str
    theory: bool = False

    @property
    def area(self) -> str:
        """The letter."""
        return self.id[0]

    def name(self, language: str) -> str:
        """In one language, or both."""
        return {"en": self.en, "zh": self.zh}.get(language, f"{self.en} / {self.zh}")


class UnknownTopicError(ValueError):
    """A topic that the list does not have; the message names those that come near."""


@cache
def all_topics() -> dict[str, Topic]:
    """By id, in the order of the course."""
    read = content_of(FILE)
    return {name: Topic(name, **entry) for name, entry in read.items()}


def chosen(words: list[str] | None) -> tuple[str, ...]:
    """Topic ids for what was typed: "B7", an area "B", a range "B5-B8", a unit "05_warps", commas between, or "all".

    Returns: ids in the order of the course; () for nothing typed. Raises: UnknownTopicError.
    """
    wanted: list[str] = []
    for word in [part for text in words or [] for part in text.replace(",", " ").split()]:
        wanted += _one(word)
    return tuple(name for name in all_topics() if name in set(wanted))


def _one(word: str) -> list[str]:
    topics = all_topics()
    upper = word.upper()
    if upper == "ALL":
        return list(topics)
    if upper in topics:
        return [upper]
    in_area = [topic.id for topic in topics.values() if topic.area == upper]
    in_unit = [topic.id for topic in topics.values() if topic.unit and topic.unit in (word, f"{word}")]
    first, dash, last = upper.partition("-")
    if dash and first in topics and last in topics:
        names = list(topics)
        return names[names.index(first) : names.index(last) + 1]
    found = in_area or in_unit
    if not found:
        areas = ", ".join(sorted({topic.area for topic in topics.values()}))
        raise UnknownTopicError(
            f"there is no topic {word!r}. Name a line (B7), an area ({areas}), a range (B5-B8) or a unit."
        )
    return found
