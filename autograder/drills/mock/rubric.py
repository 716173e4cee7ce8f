"""The score of an interview: five marks of a coding interviewer, and the sections; what to practise."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from autograder.drills.deck.load import all_cards
from autograder.drills.deck.topics import all_topics
from autograder.drills.mock.interview import Answered, Interview

POINTS = {"right": 30, "guarded": 10, "races": 10, "cost": 10, "bound": 10, "rapid": 20, "bug": 10}
UNSAFE = ("out_of_bounds", "uninitialised_read", "race", "barrier_divergence", "warp_mask")
STRONG, WEAK = 0.8, 0.6
MOST_TO_PRACTISE = 3


BY_LEARNER = 1 / 3  # of the rapid questions' points, at most, for what whoever answers marks by hand
STEPS_OF = {
    "right": ("code",), "races": ("hazards",), "cost": ("cost", "own"), "bound": ("bound", "envelope", "change"),
    "rapid": ("rapid", "then"), "bug": ("bug",), "guarded": (),
}  # fmt: skip


@dataclass(frozen=True)
class Score:
    """marks: rubric line -> 0 to 1; total: of 100; strengths, practise: topic ids, the telling ones first.

    rests_on: rubric line -> how many answers it rests on, and how many of these were marked by hand.
    """

    marks: dict[str, float]
    rests_on: dict[str, tuple[int, int]]
    strengths: tuple[str, ...]
    practise: tuple[str, ...]

    @property
    def total(self) -> float:
        return sum(POINTS[name] * mark for name, mark in self.marks.items())


def score_of(interview: Interview) -> Score:
    """Judge a finished interview."""
    answers = {line: [a for a in interview.answers if a.step.split()[0] in steps] for line, steps in STEPS_OF.items()}
    marks = {line: _mean(answers[line]) for line in POINTS}
    marks["guarded"] = _guarded(interview)
    marks["rapid"] = _rapid(answers["rapid"])
    rests_on = {line: _rests_on(answers[line]) for line in POINTS}
    rests_on["guarded"] = (min(1, len(interview.checks)), 0)
    shown = _by_topic(interview, by_hand=False)  # nobody is strong because of a tick of their own
    strengths = [topic for topic, score in shown.items() if score >= STRONG]
    weak = sorted((score, topic) for topic, score in _by_topic(interview).items() if score < WEAK)
    return Score(marks, rests_on, tuple(strengths), tuple(topic for _, topic in weak[:MOST_TO_PRACTISE]))


def _mean(answers: list[Answered]) -> float:
    return sum(answer.counted for answer in answers) / len(answers) if answers else 0.0


def _rapid(answers: list[Answered]) -> float:
    """What is marked by hand counts a third at most, however many of the questions it is."""
    by_hand = [answer for answer in answers if answer.by_learner]
    by_machine = [answer for answer in answers if not answer.by_learner]
    return BY_LEARNER * _mean(by_hand) + (1 - BY_LEARNER * bool(by_hand)) * _mean(by_machine)


def _rests_on(answers: list[Answered]) -> tuple[int, int]:
    given = [answer for answer in answers if answer.score is not None]
    return len(given), sum(answer.by_learner for answer in given)


def _guarded(interview: Interview) -> float:
    """1 where the first thing that was judged touched nothing that it may not, and nothing was unordered."""
    if not interview.checks:
        return 0.0
    first = interview.checks[0]
    return float(first["status"] in ("Passed", "Wrong") and not set(first["kinds"]) & set(UNSAFE))


def _by_topic(interview: Interview, by_hand: bool = True) -> dict[str, float]:
    """The mean score of each topic that was asked about, in the order of the course. by_hand: ticked ones, too."""
    scores: dict[str, list[float]] = defaultdict(list)
    coding = interview.coding_card.id
    for answer in interview.answers:
        if answer.score is None and not answer.seconds:  # the time ended before it was asked
            continue
        name = answer.card or (coding if answer.step.split()[0] in ("hazards", "cost", "own", "change") else "")
        if name in all_cards() and (by_hand or not answer.by_learner):
            scores[all_cards()[name].topic].append(answer.counted)
    return {topic: sum(scores[topic]) / len(scores[topic]) for topic in all_topics() if topic in scores}
