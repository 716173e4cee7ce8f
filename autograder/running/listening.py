"""Which untraced cases are listened to for races: those of the contract, and corners as far as the work for them goes.

To listen makes a run several times as dear. So of cases whose sizes hardly differ one is listened to; which is what
drawn sizes are beside those of the contract. Of the corners each of other sizes may be listened to, where threads share
memory: as many as `STEPS` last for, half of them for corners that are long in one axis and half for the others, each
spread over all of its kind: a barrier that only early iterations have is missed nowhere else. So the one of which a
thread has most arithmetic is listened to before any other, of those whose sizes are near the ordinary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from autograder.contract import CORNERS, PATTERNS, Case, Exercise
from autograder.running.buffers import make_values
from autograder.running.cases.more_cases import LARGEST_SHARE

STEPS = 6_000  # of the interpreter, for all corners that are listened to, where each takes several times as long


@dataclass
class Listening:
    """corners: how many there are that may race; come: how many were tried; steps: that those listened to took, each by
    the kind of corner; known: the ordinary cases that were listened to, or traced; deepest: a corner, by name."""

    corners: Counter[str] = field(default_factory=Counter)
    come: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    known: list[Case] = field(default_factory=list)
    deepest: str = ""

    @classmethod
    def to(cls, exercise: Exercise, cases: Iterable[Case], text: str) -> Listening:
        """For the cases of a trial. text: of the program."""
        corners = [case for case in cases if _of_sizes(case)] if "shared" in text else []
        small = [case for case in corners if case.corner == "value"] if exercise.cost and exercise.launch else []
        deepest = max(small, key=lambda case: _depth(exercise, case), default=None)
        return cls(Counter(case.corner for case in corners), deepest=deepest.name if deepest else "")

    def wants(self, case: Case) -> bool:
        """Whether an untraced case that begins now is listened to."""
        if not case.corner:
            return not any(_is_near(case, known) for known in self.known)
        kind = case.corner
        if not self.corners[kind] or not _of_sizes(case):
            return False
        self.come[kind] += 1
        return (
            case.name == self.deepest
            or self.steps[kind] <= STEPS / len(self.corners) * self.come[kind] / self.corners[kind]
        )

    def heard(self, case: Case, steps: float) -> None:
        """A case was listened to, or traced, for so many steps."""
        if case.corner:
            self.steps[case.corner] += int(steps)
        else:
            self.known.append(case)


def _is_near(case: Case, known: Case) -> bool:
    """Whether a case differs from another one in its sizes alone, and each is as near as a drawn one may be.

    One that goes past a number which the answer names is not near one that stops at it.
    """
    if (case.values, case.launch, case.scalars) != (known.values, known.launch, known.scalars):
        return False
    pairs = [(case.sizes[name], known.sizes[name]) for name in case.sizes]
    past = case.last and any(one > other for one, other in pairs)
    return not past and all(abs(one - other) * LARGEST_SHARE <= max(one, other) for one, other in pairs)


def _depth(exercise: Exercise, case: Case) -> float:
    """The arithmetic of a thread, in which a loop that goes round more often shows."""
    assert exercise.cost is not None and exercise.launch is not None
    values = make_values(exercise, case)
    grid, block = exercise.launched_for(case).launch(values)[:2]  # type: ignore[misc]
    return exercise.cost(values).flops / max(1.0, float(np.prod(grid) * np.prod(block)))


def _of_sizes(case: Case) -> bool:
    return case.corner in CORNERS and case.values not in PATTERNS and not case.scalars
