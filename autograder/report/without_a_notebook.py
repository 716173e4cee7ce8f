"""What a verdict says on a page or in a terminal, where nobody can type a notebook's commands: the nudge itself in
place of the command that shows it, and after *right* the reason, which a notebook shows by itself.
"""

from __future__ import annotations

import re
from dataclasses import replace

from autograder.contract import Exercise
from autograder.outcome import NotAttempted, Outcome, Passed
from autograder.running.printed import STEPS_SHOW

COMMAND = re.compile(r"\bq\.\w+\(")  # of a notebook


def without_commands(outcome: Outcome, exercise: Exercise) -> Outcome:
    """The same outcome with the why of the exercise; its next step is the first rung of the hints on what was found."""
    facts = dict(outcome.facts)
    if isinstance(outcome, Passed) and exercise.why:
        facts["why"] = exercise.why
    if facts.get("printed"):
        facts["printed"] = str(facts["printed"]).replace(STEPS_SHOW, "", 1)
    outcome = replace(outcome, facts=facts)
    if not COMMAND.search(outcome.next_step):
        return outcome
    if isinstance(outcome, Passed):
        return replace(outcome, next_step="")
    said = "Write your answer. " if isinstance(outcome, NotAttempted) else ""
    nudge = _nudge(exercise, outcome.misconception)
    return replace(outcome, next_step=f"{said}A nudge: {nudge}" if nudge else said.strip())


def _nudge(exercise: Exercise, misconception: str) -> str:
    """The first step of the ladder on a misconception, or of the one that starts; none that is a command itself."""
    ladders = {hint.misconception: hint.ladder for hint in reversed(exercise.hints)}
    steps = (ladders[name][0] for name in (misconception, "start") if name in ladders)
    return next((step for step in steps if not COMMAND.search(step)), "")
