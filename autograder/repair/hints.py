"""The ladder of hints for a verdict: of its misconception, or to the one line that an edit repairs."""

from __future__ import annotations

from autograder.contract import Exercise, Hint
from autograder.exercises.hints import ladder_for
from autograder.outcome import Outcome
from autograder.repair import words


def ladder_of(exercise: Exercise, outcome: Outcome | None) -> Hint:
    """What q.hint goes up, step by step; where nothing was found, how to begin."""
    if outcome is not None and outcome.causes and outcome.causes[0].edit:
        cause = outcome.causes[0]
        return Hint(f"{cause.misconception} {cause.lines[0]}", words.ladder_for(cause))
    return ladder_for(exercise, outcome.misconception if outcome else "")
