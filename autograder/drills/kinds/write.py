"""Write it cold: a function against the clock, judged by the same check as the course's exercises."""

from __future__ import annotations

import random

from autograder.drills.deck.course import Piece, Program, judge
from autograder.drills.deck.model import AnswerError, Card, Mark, Question
from autograder.drills.deck.verdicts import told
from autograder.drills.tasks import find_task

SECONDS = 360
TEXT = {"ask": str, "why": str}
DATA = {"task": str, "solution": str, "wrong": str, "fails_by": str, "minutes": int}
OPTIONAL = {"hazards": list}
HEADER = (
    "import math\nimport numpy as np\nfrom numba import cuda, float32, float64, int8, int16, int32, int64, uint32\n"
)


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The task, its signature, and the launch that it gets."""
    outline = find_task(card.data["task"]).outline_in(language)
    return Question(card, language, card.says("ask", language), "code", code=outline)


def program_of(card: Card, source: str) -> Program:
    """What a learner typed as a program, its lines counted as typed, after the imports that every task has."""
    function = find_task(card.data["task"]).exercise.function
    return Program(source.strip("\n") + "\n", function, "drill.py", setup=(Piece(HEADER, "imports.py"),))


def check(card: Card, source: str, isolate: bool = True):
    """The check's outcome. isolate: in a process of its own, since what a learner typed may hang."""
    exercise = find_task(card.data["task"]).exercise
    return judge.check(exercise, program_of(card, source), device="auto" if isolate else "simt", isolate=isolate)


def mark(question: Question, answer: str) -> Mark:
    """answer: the source of the function. What the check gives, over what it could give, is the score."""
    if not answer.strip():
        raise AnswerError(question.code)
    outcome = check(question.card, answer)
    share = outcome.points / outcome.max_points if outcome.max_points else 0.0
    why = question.card.says("why", question.language)
    return Mark(1.0 if outcome.passed else min(share, 0.5), question.card.data["solution"], why, verdict=told(outcome))


def solve(question: Question) -> str:
    """The card's own solution."""
    return question.card.data["solution"]
