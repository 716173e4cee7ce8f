"""How strong a learner is in each topic, and what the course raised."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from autograder.drills.learning.store import Notice, Review

HALF_LIFE_DAYS = 14
WEIGHT = {"failed": 1.0, "hint": 0.5, "missed": 0.5, "passed": -0.5}
MOST_RAISED = 3.0
PRIOR = 2.0  # answers that a topic counts as having had, half of them right, before the first one
BASE_TARGET, HIGHEST_TARGET = 0.9, 0.97


@dataclass(frozen=True)
class Strength:
    """One topic. score: 0 to 1, recent answers counting most; answers: how many; raised: by the course, 0 to 3."""

    score: float
    answers: int
    raised: float

    @property
    def weight(self) -> float:
        """How much more often its cards should come: 1 for a strong topic that nothing raised."""
        return 1.0 + 2.0 * (1.0 - self.score) + self.raised

    @property
    def target(self) -> float:
        """The recall below which its cards are due: 0.90, and up to 0.97 for what is weak or raised."""
        weak = max(0.0, 0.75 - self.score) if self.answers else 0.0
        return min(HIGHEST_TARGET, BASE_TARGET + 0.1 * weak + 0.02 * self.raised)


UNKNOWN = Strength(0.5, 0, 0.0)


def strengths(reviews: Iterable[Review], notices: Iterable[Notice], at: datetime) -> dict[str, Strength]:
    """By topic; a topic without answers and notices is missing (see UNKNOWN)."""
    right: dict[str, float] = defaultdict(float)
    total: dict[str, float] = defaultdict(float)
    count: dict[str, int] = defaultdict(int)
    for review in reviews:
        fading = _fading(review.at, at)
        right[review.topic] += fading * review.score
        total[review.topic] += fading
        count[review.topic] += 1
    raised: dict[str, float] = defaultdict(float)
    for notice in notices:
        for topic in notice.topics:
            raised[topic] = max(0.0, raised[topic] + WEIGHT[notice.what] * _fading(notice.at, at))
    return {
        topic: Strength(
            (right[topic] + PRIOR / 2) / (total[topic] + PRIOR), count[topic], min(MOST_RAISED, raised[topic])
        )
        for topic in {*total, *raised}
    }


def _fading(then: datetime, at: datetime) -> float:
    """1 now, a half after two weeks."""
    days = max(0.0, (at - then).total_seconds() / 86400)
    return math.exp(-math.log(2) * days / HALF_LIFE_DAYS)
