"""The score of an interview: five marks of a coding interviewer, and the sections; what to practise."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from autograder.drills.deck.load import all_cards
from autograder.drills.deck.topics import all_topics
from autograder.drills.mock.interview import Interview

POINTS = {"right": 30, "guarded": 10, "races": 10, "cost": 10, "bound": 10, "rapid": 20, "bug": 10}
UNSAFE = ("out_of_bounds", "uninitialised_read", "race", "barrier_divergence", "warp_mask")
STRONG, WEAK = 0.8, 0.6
MOST_TO_PRACTISE = 3


@dataclass(frozen=True)
class Score:
    """marks: rubric line -> 0 to 1; total: of 100; strengths, practise: topic ids, the telling ones first."""

    marks: dict[str, float]
    strengths: tuple[str, ...]
    practise: tuple[str, ...]

    @property
    def total(self) -> float:
        return sum(POINTS[name] * mark for name, mark in self.marks.items())


def score_of(interview: Interview) -> Score:
    """Judge a finished interview."""
    by_step = defaultdict(list)
    for answer in interview.answers:
        by_step[answer.step.split()[0]].append(answer.score or 0.0)

    def mean(*names: str) -> float:
        scores = [score for name in names for score in by_step[name]]
        return sum(scores) / len(scores) if scores else 0.0

    marks = {
        "right": mean("code"),
        "guarded": _guarded(interview),
        "races": mean("hazards"),
        "cost": mean("cost", "threads", "memory"),
        "bound": mean("bound", "envelope"),
        "rapid": mean("rapid"),
        "bug": mean("bug"),
    }
    by_topic = _by_topic(interview)
    strengths = [topic for topic, score in by_topic.items() if score >= STRONG]
    weak = sorted((score, topic) for topic, score in by_topic.items() if score < WEAK)
    return Score(marks, tuple(strengths), tuple(topic for _, topic in weak[:MOST_TO_PRACTISE]))


def _guarded(interview: Interview) -> float:
    """1 where the first thing that was judged touched nothing that it may not, and nothing was unordered."""
    if not interview.checks:
        return 0.0
    first = interview.checks[0]
    return float(first["status"] in ("Passed", "Wrong") and not set(first["kinds"]) & set(UNSAFE))


def _by_topic(interview: Interview) -> dict[str, float]:
    """The mean score of each topic that was asked about, in the order of the course."""
    scores: dict[str, list[float]] = defaultdict(list)
    coding = interview.coding_card.id
    for answer in interview.answers:
        name = answer.card or (coding if answer.step.split()[0] in ("hazards", "cost", "threads", "memory") else "")
        if name in all_cards():
            scores[all_cards()[name].topic].append(answer.score or 0.0)
    return {topic: sum(scores[topic]) / len(scores[topic]) for topic in all_topics() if topic in scores}
