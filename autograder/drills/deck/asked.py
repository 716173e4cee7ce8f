"""What published interviews ask, beside what the deck asks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.drills.deck.model import Card
from autograder.drills.deck.yaml_file import content_of

FILE = Path(__file__).with_name("asked.yaml")
LEAST, MOST = 0.5, 2.0  # a subject's share of cards over its share of what is asked


@dataclass(frozen=True)
class Subject:
    """What is asked. sessions: percent of sessions; ours: the course teaches it anyway, so no upper end."""

    name: str
    sessions: float
    cards: tuple[str, ...]
    ours: bool

    def share_of_sessions(self, every: Iterable[Subject]) -> float:
        """Of all that is asked: a session asks several things."""
        return self.sessions / sum(each.sessions for each in every)

    def share_of_cards(self, every: Iterable[Subject]) -> float:
        """Of the cards of all subjects, a card of two counted with each."""
        return len(self.cards) / sum(len(each.cards) for each in every)

    def ratio(self, every: Iterable[Subject]) -> float:
        """1 where the deck asks it as often as interviews do."""
        return self.share_of_cards(every) / self.share_of_sessions(every)


def subjects(cards: Iterable[Card]) -> list[Subject]:
    """Every subject with the ids of its cards."""
    cards = [card for card in cards if card.file]
    return [
        Subject(
            name,
            entry["sessions"],
            tuple(
                c.id for c in cards if c.topic in entry.get("topics", ()) or re.search(entry["words"], _asks(c), re.I)
            ),
            entry.get("ours", False),
        )
        for name, entry in content_of(FILE).items()
    ]


def _asks(card: Card) -> str:
    """What a card is seen to ask: its id, its question, and what it lets choose from."""
    listed = [*card.data.get("options", ()), *card.data.get("items", ())]
    return " ".join([card.id, card.text["en"]["ask"], *(each["en"] for each in listed if "en" in each)])


def table(cards: Iterable[Card]) -> str:
    """Subjects, most asked first, as a table in Markdown."""
    found = subjects(cards)
    rows = [
        f"| {each.name} | {each.sessions:.1f} % | {len(each.cards)} | {each.share_of_sessions(found):.1%} "
        f"| {each.share_of_cards(found):.1%} |"
        for each in found
    ]
    head = [
        "| asked about | sessions | cards | share of what is asked | share of these cards |",
        "|---|--:|--:|--:|--:|",
    ]
    return "\n".join([*head, *rows])
