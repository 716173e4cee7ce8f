"""Write it cold: a function against the clock, judged by the same check as the course's exercises.

It may be written in `numba.cuda` or in CUDA C++, which is translated first.
"""

from __future__ import annotations

import random
import re
from dataclasses import fields
from functools import cache
from pathlib import Path

from autograder.drills import cpp, replies
from autograder.drills.deck.course import Piece, Program, judge
from autograder.drills.deck.model import AnswerError, Card, Mark, Question
from autograder.drills.deck.verdicts import said_in, told
from autograder.drills.deck.yaml_file import content_of
from autograder.drills.tasks import find_task
from autograder.outcome import Outcome, Passed

SECONDS = 360
TEXT = {"ask": str, "why": str}
DATA = {"task": str, "solution": str, "wrong": str, "fails_by": str, "minutes": int}
OPTIONAL = {"hazards": list, "single": bool}
DOUBLE = re.compile(r"\bdouble\b")
HEADER = (
    "import math\nimport numpy as np\nfrom numba import cuda, float32, float64, int8, int16, int32, int64, uint32\n"
)


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The task, its signature, and the launch that it gets."""
    return Question(card, language, card.says("ask", language), "code", code=outline_of(card, language))


def outline_of(card: Card, language: str) -> str:
    """The first lines that a learner is given, and the kernel's first line for who writes C++."""
    task = find_task(card.data["task"])
    return f"{task.outline_in(language)}# CUDA C++: {cpp.signature(task.name, task.exercise.arguments)}\n"


def program_of(card: Card, source: str) -> Program:
    """What a learner typed as a program, its lines counted as typed, after the imports that every task has.

    Of an answer in C++, its translation. Raises: AnswerError for C++ that is left out, with its line.
    """
    return _python(card, source) if not cpp.is_cpp(source) else _translated(card, source)[0]


def _python(card: Card, source: str, *setup: Piece) -> Program:
    function = find_task(card.data["task"]).exercise.function
    return Program(source.strip("\n") + "\n", function, "drill.py", setup=(Piece(HEADER, "imports.py"), *setup))


def _translated(card: Card, source: str) -> tuple[Program, cpp.Translated]:
    exercise = find_task(card.data["task"]).exercise
    try:
        found = cpp.translate(source, exercise.function, exercise.arguments)
    except cpp.CppError as error:
        raise AnswerError(error.what, "left_out", line=str(error.line)) from error
    return _python(card, found.source, Piece(cpp.HELPERS, "helpers.py")), found


def check(card: Card, source: str, isolate: bool = True):
    """The check's outcome. isolate: in a process of its own, since what a learner typed may hang.

    Raises: AnswerError for C++ that is left out, with its line.
    """
    exercise = find_task(card.data["task"]).exercise
    device = "auto" if isolate else "simt"
    if not cpp.is_cpp(source):
        return judge.check(exercise, _python(card, source), device=device, isolate=isolate)
    program, found = _translated(card, source)
    outcome = cpp.in_cpp(judge.check(exercise, program, device=device, isolate=isolate), found, source)
    return outcome if card.data.get("single") else _with_doubles(outcome, source)


def _with_doubles(outcome: Outcome, source: str) -> Outcome:
    """A right answer whose `double` is asked for by that word is right, and hears what it costs."""
    meant = all(cause.kind == "float64_arithmetic" and "because `" not in cause.says for cause in outcome.causes)
    if outcome.passed or not outcome.causes or not meant or not DOUBLE.search(source):
        return outcome
    heard = tuple(cause.says for cause in outcome.causes)
    headline = f"{outcome.headline.partition(':')[0]}: right"
    right = {each.name: getattr(outcome, each.name) for each in fields(outcome)}
    right |= {"points": outcome.max_points, "headline": headline, "causes": (), "notes": (*outcome.notes, *heard)}
    return Passed(**right)


def mark(question: Question, answer: str) -> Mark:
    """answer: the source of the function. What the check gives, over what it could give, is the score."""
    if not answer.strip():
        raise AnswerError(question.code)
    outcome = check(question.card, answer)
    share = outcome.points / outcome.max_points if outcome.max_points else 0.0
    why = question.card.says("why", question.language)
    score, verdict = 1.0 if outcome.passed else min(share, 0.5), said_in(question.language, told(outcome))
    return Mark(score, solution_like(question.card, answer), why, verdict=verdict)


def solution_like(card: Card, source: str) -> str:
    """A right answer in the language of `source`: the card's own, or the first that is kept for C++."""
    return _in_cpp()[card.id]["right"][0] if cpp.is_cpp(source) else card.data["solution"]


@cache
def _in_cpp() -> dict:
    return content_of(Path(replies.__file__).with_name("in_cpp.yaml"))


def solve(question: Question) -> str:
    """The card's own solution."""
    return question.card.data["solution"]
