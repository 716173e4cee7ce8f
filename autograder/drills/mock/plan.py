"""What a mock interview asks: rapid questions and what follows from two of them, a coding task and what follows from
the code, an envelope, a failing kernel."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.drills.deck.course import exercises
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import Card
from autograder.drills.mock.coding import CODING_TASKS

RAPID_KINDS = ("say", "pick", "count", "touch", "rank", "translate")
RAPID = 5
SEEDS = 1 << 31
WITHOUT_CHECK = 15 / 45  # of the whole interview, from the moment that the coding task is shown
STEPS = (
    *(("rapid", number) for number in range(RAPID)),
    ("then", 0), ("then", 1),
    ("hazards", 0), ("cost", 0), ("code", 0),
    ("own", 0), ("own", 1), ("change", 0), ("change", 1), ("bound", 0),
    ("envelope", 0), ("bug", 0),
)  # fmt: skip
CARD_STEPS = ("rapid", "envelope", "bug")
TALKED_ABOUT = 2  # of the rapid questions; each has a follow-up of its own


@dataclass(frozen=True)
class Plan:
    """Cards by their ids, each with the seed of its values."""

    rapid: tuple[tuple[str, int], ...]
    coding: tuple[str, int]
    envelope: tuple[str, int]
    bug: tuple[str, int]

    def card_of(self, step: str, number: int) -> tuple[str, int]:
        """The card of a step that asks one, and the seed of its values."""
        if step == "then":
            talked = [entry for entry in self.rapid if all_cards()[entry[0]].kind == "say"]
            return talked[number]
        return self.rapid[number] if step == "rapid" else getattr(self, step)

    def to_json(self) -> dict:
        return {"rapid": self.rapid, "coding": self.coding, "envelope": self.envelope, "bug": self.bug}

    @classmethod
    def from_json(cls, document: dict) -> Plan:
        rapid = tuple((name, seed) for name, seed in document["rapid"])
        coding, envelope, bug = (tuple(document[name]) for name in ("coding", "envelope", "bug"))
        return cls(rapid, coding, envelope, bug)


def make_plan(topics: Sequence[str], rng: random.Random, tasks: Sequence[str] = ()) -> Plan:
    """Draw the cards. Where the topics chosen have no card of a kind, one is taken from all. tasks: () for all."""
    cards = list(all_cards().values())
    chosen = [card for card in cards if not topics or card.topic in topics]

    def one(wanted) -> tuple[str, int]:
        pool = [card for card in chosen if wanted(card)] or [card for card in cards if wanted(card)]
        return rng.choice(pool).id, rng.randrange(SEEDS)

    coding = one(lambda card: card.kind == "write" and card.data["task"] in (tasks or CODING_TASKS))
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
    """Five questions of five topics where there are so many: two to be talked about, three marked by machine."""
    picked: list[Card] = []
    for kinds in (RAPID_KINDS[:1],) * TALKED_ABOUT + (RAPID_KINDS[1:],) * (RAPID - TALKED_ABOUT):
        taken = {card.topic for card in picked}
        pool = [card for card in chosen if card.kind in kinds and card not in picked]
        pool = pool or [card for card in cards if card.kind in kinds and card not in picked]
        fresh = [card for card in pool if card.topic not in taken]
        picked.append(rng.choice(fresh or pool))
    rng.shuffle(picked)
    return picked
