"""What a verdict says on a page, where nobody can type: the nudge itself in place of the command that shows it."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Exercise
from autograder.outcome import NotAttempted, Outcome, Passed

COMMAND = "q."  # how every command of a notebook begins


def without_commands(outcome: Outcome, exercise: Exercise) -> Outcome:
    """The same outcome; its next step is the first rung of the hints on what was found."""
    if COMMAND not in outcome.next_step:
        return outcome
    if isinstance(outcome, Passed):
        return replace(outcome, next_step="")
    said = "Write your answer. " if isinstance(outcome, NotAttempted) else ""
    nudge = _nudge(exercise, outcome.misconception)
    return replace(outcome, next_step=f"{said}A nudge: {nudge}" if nudge else said.strip())


def _nudge(exercise: Exercise, misconception: str) -> str:
    ladders = {hint.misconception: hint.ladder for hint in reversed(exercise.hints)}
    return next((ladders[name][0] for name in (misconception, "start") if name in ladders), "")
