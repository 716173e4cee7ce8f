"""How far a learner is, as data: days, strength by topic, what is due."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from autograder.drills.deck.load import all_cards
from autograder.drills.deck.topics import all_topics
from autograder.drills.learning import memory
from autograder.drills.learning.sitting import known_of
from autograder.drills.learning.store import Store
from autograder.drills.learning.strength import UNKNOWN, Strength

HORIZONS = {"now": 0, "tomorrow": 1, "in a week": 7}


@dataclass(frozen=True)
class TopicProgress:
    """One topic. seen: cards answered at least once; cards: all there are."""

    topic: str
    strength: Strength
    seen: int
    cards: int

    @property
    def met(self) -> bool:
        """Was anything of it asked, or noticed by the course?"""
        return bool(self.seen or self.strength.answers or self.strength.raised)


@dataclass(frozen=True)
class Progress:
    """days: answers by day; due: cards due by then; topics: in the order of the course; recall: mean of cards seen."""

    today: date
    days: dict[date, int]
    due: dict[str, int]
    topics: tuple[TopicProgress, ...]
    answers: int
    recall: float

    @property
    def streak(self) -> int:
        """Days in a row with an answer, up to today or yesterday."""
        day = self.today if self.days.get(self.today) else self.today - timedelta(days=1)
        count = 0
        while self.days.get(day):
            count, day = count + 1, day - timedelta(days=1)
        return count

    def weakest(self, count: int = 3) -> list[TopicProgress]:
        """Topics with answers or notices, the weakest first."""
        known = [each for each in self.topics if each.met]
        return sorted(known, key=lambda each: -each.strength.weight)[:count]

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document."""
        return {
            "answers": self.answers,
            "streak_days": self.streak,
            "recall": round(self.recall, 3),
            "due": self.due,
            "days": {day.isoformat(): count for day, count in self.days.items()},
            "topics": [
                {
                    "topic": each.topic,
                    "strength": round(each.strength.score, 3),
                    "answers": each.strength.answers,
                    "raised": round(each.strength.raised, 3),
                    "seen": each.seen,
                    "cards": each.cards,
                }
                for each in self.topics
            ],
        }


def progress_of(store: Store, at: datetime) -> Progress:
    """Read a learner's file at a moment. Days are the learner's, in local time."""
    reviews = store.reviews()
    known = known_of(store, at)
    total = Counter(card.topic for card in all_cards().values())
    seen = Counter(all_cards()[name].topic for name in known.memories)
    recalls = [memory.recall(each, at) for each in known.memories.values()]
    topics = tuple(
        TopicProgress(topic, known.strengths.get(topic, UNKNOWN), seen[topic], total[topic]) for topic in all_topics()
    )
    return Progress(
        today=at.astimezone().date(),
        days=dict(sorted(Counter(review.at.astimezone().date() for review in reviews).items())),
        due={name: _due(known, at + timedelta(days=days)) for name, days in HORIZONS.items()},
        topics=topics,
        answers=len(reviews),
        recall=sum(recalls) / len(recalls) if recalls else 0.0,
    )


def _due(known, at: datetime) -> int:
    """Cards due by then, if nothing is answered before."""
    later = type(known)(at, known.memories, known.strengths)
    return sum(later.is_due(all_cards()[name]) for name in known.memories)
