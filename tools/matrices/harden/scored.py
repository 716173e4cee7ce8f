"""The score of an exercise: of its mutants, how many run, are wrong somewhere, and are not right for the judge.

What is made of a solution is kept in build/judged as the scores are: sixteen processes need it, and one makes it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from autograder import exercises
from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.running.buffers import make_values
from tools.check_exercises import solution_of
from tools.matrices.harden import expressions, statements
from tools.matrices.harden.asked import Stillborn, passes
from tools.matrices.harden.equivalence import told_apart
from tools.matrices.harden.sites import Mutant, mutants_of
from tools.parts.pieces import Kept

GOAL, GOAL_EACH = 0.99, 0.97
TOGETHER = 2  # mutants of an exercise that a process is given at a time
OPERATORS = (*statements.OPERATORS, *expressions.OPERATORS)


@dataclass(frozen=True)
class Hole:
    """A mutant that passes whole and is wrong somewhere."""

    mutant: str
    wrong_at: str

    def __str__(self) -> str:
        return f"{self.mutant}; wrong at {self.wrong_at}"


@dataclass(frozen=True)
class Score:
    """Of mutants: refused by the judge, equal to the original wherever it was looked, not to be run at all; holes.

    mutants: how many there are, tried or not.
    """

    exercise: str
    refused: int = 0
    equivalent: int = 0
    stillborn: int = 0
    holes: tuple[Hole, ...] = field(default=())
    mutants: int = 0

    @property
    def tried(self) -> int:
        """How many were asked about."""
        return self.refused + self.equivalent + self.stillborn + len(self.holes)

    @property
    def share(self) -> float:
        """Refused of all that are wrong somewhere; 1.0 where none is."""
        wrong = self.refused + len(self.holes)
        return self.refused / wrong if wrong else 1.0

    @classmethod
    def together(cls, scores: Iterable[Score], name: str = "all exercises") -> Score:
        """The sum of several."""
        scores = list(scores)
        counts = {
            kind: sum(getattr(one, kind) for one in scores)
            for kind in ("refused", "equivalent", "stillborn", "mutants")
        }
        return cls(name, holes=tuple(hole for one in scores for hole in one.holes), **counts)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Score:
        """The score that `score_in_json` gave."""
        return cls(**{**document, "holes": tuple(Hole(**hole) for hole in document["holes"])})

    def __str__(self) -> str:
        wrong = self.refused + len(self.holes)
        return (
            f"{self.exercise:<40} {self.share:7.1%}  {self.refused:5} of {wrong:5} refused, {len(self.holes)} holes, "
            f"{self.equivalent} equal, {self.stillborn} that do not run; tried {self.tried:,} of {self.mutants:,}"
        )


@lru_cache(64)
def mutants(name: str) -> list[Mutant]:
    """All mutants of an exercise's solution, in an order that tells nothing: the first of them are a fair sample."""
    known = Kept("mutants").of((name,))
    return [Mutant(**one) for one in (mutants_in_json(name) if known is None else known)]


def mutants_in_json(name: str) -> list[dict[str, Any]]:
    """The same, made anew and JSON-ready."""
    exercise = exercises.find(name)
    found = [asdict(one) for one in mutants_of(solution_of(exercise), exercise, OPERATORS, scalars_of(exercise))]
    random.Random(name).shuffle(found)
    return found


def scalars_of(exercise: Exercise) -> dict[str, list[float]]:
    """What the scalar arguments are in the contract's cases, by name."""
    names = [one.name for one in exercise.arguments if one.role == "scalar"]
    found: dict[str, list[float]] = {name: [] for name in names}
    for case in exercise.cases if names else ():
        if np.prod([max(size, 1) for size in case.sizes.values()], dtype=object) < 1 << 16:
            values = make_values(exercise, case)
            for name in names:
                value = np.asarray(values[name]).item()
                found[name] += [] if value in found[name] else [value]
    return found


def score_of(name: str, first: int, last: int) -> Score:
    """The score of some of an exercise's mutants, by number."""
    exercise = exercises.find(name)
    original = solution_of(exercise)
    score = Score(name)
    for mutant in mutants(name)[first:last]:
        score = _with(score, exercise, original, mutant)
    return score


def score_in_json(name: str, first: int, last: int) -> dict[str, Any]:
    """The same, JSON-ready."""
    return asdict(score_of(name, first, last))


def _with(score: Score, exercise: Exercise, original: Program, mutant: Mutant) -> Score:
    program = replace(original, source=mutant.source, context="")
    try:
        return _asked(score, exercise, original, mutant, program)
    except Exception as error:  # the judge's own failure is told, and ends no run of an hour
        failed = Hole(mutant.name, f"the judge itself, which raised {type(error).__name__}: {error}")
        return replace(score, holes=(*score.holes, failed))


def _asked(score: Score, exercise: Exercise, original: Program, mutant: Mutant, program: Program) -> Score:
    try:
        if not passes(exercise, program):
            return replace(score, refused=score.refused + 1)
    except Stillborn:
        return replace(score, stillborn=score.stillborn + 1)
    told = told_apart(exercise, original, program)
    if not told:
        return replace(score, equivalent=score.equivalent + 1)
    return replace(score, holes=(*score.holes, Hole(mutant.name, told)))
