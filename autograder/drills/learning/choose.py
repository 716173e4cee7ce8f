"""Which cards a session asks: what is due, weak and raised topics first, then new ones; topics mixed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.drills.deck.model import Card
from autograder.drills.deck.topics import all_topics
from autograder.drills.kinds import KINDS
from autograder.drills.learning import memory
from autograder.drills.learning.store import Notice
from autograder.drills.learning.strength import UNKNOWN, Strength

SESSION_S = 600
MOST_NEW_S = 420  # of a session that has enough due: room for new cards is what is left, and this at the most
PLACES_AHEAD = 24.0  # lines of the course by which a new card's turn comes sooner for each unit of its topic's weight
PLACES_BETWEEN = 9.0  # lines of the course between one new card of a topic and the next
LONG_KINDS = ("write",)  # one of these a session
RAISED = 0.5  # from here on what the course saw counts more than where in the course a topic stands
LATER = 0.5  # of a topic's cards: those that draw an exercise's bugs come after most of the others


@dataclass(frozen=True)
class Known:
    """What a learner's file says at one moment. memories: FSRS's cards by card id."""

    at: datetime
    memories: Mapping[str, memory.Memory]
    strengths: Mapping[str, Strength]

    def strength(self, card: Card) -> Strength:
        return self.strengths.get(card.topic, UNKNOWN)

    def is_due(self, card: Card) -> bool:
        known = self.memories.get(card.id)
        return known is not None and memory.is_due(known, self.at, self.strength(card).target)


def reached_topics(notices: Iterable[Notice]) -> tuple[str, ...]:
    """Topics of the units up to the furthest that the course saw; all of them where it saw none.

    Somebody who only drills has no unit to reach.
    """
    units = [notice.unit for notice in notices if notice.unit]
    topics = all_topics().values()
    if not units:
        return tuple(topic.id for topic in topics)
    return tuple(topic.id for topic in topics if topic.unit <= max(units))


def choose(
    cards: Sequence[Card],
    known: Known,
    rng: random.Random,
    seconds: float = SESSION_S,
) -> list[Card]:
    """Cards for one session of about so many seconds, in the order to ask them."""
    due = sorted((card for card in cards if known.is_due(card)), key=lambda card: -_urgency(card, known))
    new = _new_order([card for card in cards if card.id not in known.memories], known, rng)
    chosen = _fill([], due, seconds, known)
    left = seconds - _seconds(chosen)
    chosen = _fill(chosen, new, _seconds(chosen) + min(left, MOST_NEW_S), known)
    return _mixed(chosen)


def _urgency(card: Card, known: Known) -> float:
    """The chance that it has been forgotten, by the topic's weight."""
    return (1.0 - memory.recall(known.memories[card.id], known.at) + 0.05) * known.strength(card).weight


def _new_order(cards: Sequence[Card], known: Known, rng: random.Random) -> list[Card]:
    """New cards: raised topics first, weak ones sooner, else as the course goes, a card of a topic at a time."""
    order = {topic: place for place, topic in enumerate(all_topics())}
    turns: dict[str, int] = {}
    placed = []
    for card in sorted(cards, key=lambda card: (order[card.topic], rng.random() + (0 if card.file else LATER))):
        turn = turns[card.topic] = turns.get(card.topic, 0) + 1
        started = sum(1 for each in known.memories if each.startswith(f"{card.topic.lower()}."))
        strength = known.strength(card)
        ahead = PLACES_AHEAD * (strength.weight - UNKNOWN.weight)
        stands = 0 if strength.raised >= RAISED else order[card.topic]
        placed.append((stands + PLACES_BETWEEN * (turn + started) - ahead, rng.random(), card))
    return [card for _, _, card in sorted(placed, key=lambda entry: entry[:2])]


def _fill(chosen: list[Card], candidates: Sequence[Card], seconds: float, known: Known) -> list[Card]:
    """As many of the candidates as the time allows; one long card at the most."""
    chosen = list(chosen)
    for card in candidates:
        is_long = card.kind in LONG_KINDS
        if is_long and any(other.kind in LONG_KINDS for other in chosen):
            continue
        if _seconds(chosen) + KINDS[card.kind].SECONDS <= seconds:
            chosen.append(card)
    return chosen


def _seconds(cards: Iterable[Card]) -> float:
    return sum(KINDS[card.kind].SECONDS for card in cards)


def _mixed(cards: Sequence[Card]) -> list[Card]:
    """The same cards with no topic twice in a row where that can be had, the long one last."""
    rest = sorted(cards, key=lambda card: card.kind in LONG_KINDS)
    mixed: list[Card] = []
    while rest:
        last = mixed[-1].topic if mixed else ""
        following = next((card for card in rest if card.topic != last), rest[0])
        rest.remove(following)
        mixed.append(following)
    return mixed
