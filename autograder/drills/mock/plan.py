"""What a mock interview asks: rapid questions, a coding task, follow-ups by rule, an envelope, a failing kernel."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.drills.deck.course import exercises
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import Card
from autograder.drills.mock.coding import CODING_TASKS

RAPID_KINDS = ("say", "count", "touch", "rank", "translate")
RAPID = 5
SEEDS = 1 << 31
SHARES = {"rapid": 10, "coding": 20, "follow_up": 6, "envelope": 4, "bug": 5}  # minutes of 45
WITHOUT_CHECK = 15 / 45  # of the whole interview, from the moment that the coding task is shown
STEPS = (
    *(("rapid", number) for number in range(RAPID)),
    ("hazards", 0), ("cost", 0), ("code", 0),
    ("threads", 0), ("memory", 0), ("bound", 0),
    ("envelope", 0), ("bug", 0),
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """Cards by their ids, each with the seed of its values."""

    rapid: tuple[tuple[str, int], ...]
    coding: tuple[str, int]
    envelope: tuple[str, int]
    bug: tuple[str, int]

    def to_json(self) -> dict:
        return {"rapid": self.rapid, "coding": self.coding, "envelope": self.envelope, "bug": self.bug}

    @classmethod
    def from_json(cls, document: dict) -> Plan:
        rapid = tuple((name, seed) for name, seed in document["rapid"])
        coding, envelope, bug = (tuple(document[name]) for name in ("coding", "envelope", "bug"))
        return cls(rapid, coding, envelope, bug)


def make_plan(topics: Sequence[str], rng: random.Random) -> Plan:
    """Draw the cards. Where the topics chosen have no card of a kind, one is taken from all."""
    cards = list(all_cards().values())
    chosen = [card for card in cards if not topics or card.topic in topics]

    def one(wanted) -> tuple[str, int]:
        pool = [card for card in chosen if wanted(card)] or [card for card in cards if wanted(card)]
        return rng.choice(pool).id, rng.randrange(SEEDS)

    coding = one(lambda card: card.kind == "write" and card.data["task"] in CODING_TASKS)
    return Plan(
        rapid=tuple((card.id, rng.randrange(SEEDS)) for card in _rapid(chosen or cards, cards, rng)),
        coding=coding,
        envelope=one(lambda card: card.kind == "envelope"),
        bug=one(lambda card: card.kind == "bug" and _is_of_a_kernel(card)),
    )


def _is_of_a_kernel(card: Card) -> bool:
    """Exercises ask for functions of the host, too; an interview ends with a kernel."""
    return "kernel" in card.data or exercises.find(card.data["exercise"]).kind == "kernel"


def _rapid(chosen: Sequence[Card], cards: Sequence[Card], rng: random.Random) -> list[Card]:
    """Five questions of five topics where there are so many, three of them to be talked about."""
    picked: list[Card] = []
    for kinds in (("say",), ("say",), ("say",), RAPID_KINDS[1:], RAPID_KINDS[1:]):
        taken = {card.topic for card in picked}
        pool = [card for card in chosen if card.kind in kinds and card not in picked]
        pool = pool or [card for card in cards if card.kind in kinds and card not in picked]
        fresh = [card for card in pool if card.topic not in taken]
        picked.append(rng.choice(fresh or pool))
    rng.shuffle(picked)
    return picked
