"""A verdict's remedy carried out as it says, where it says what to type: what `make check-remedies` judges again."""

from __future__ import annotations

from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.outcome import Cause
from autograder.repair import mechanical, words
from autograder.repair.edits import Edit
from autograder.repair.search import edits_for, longer_edits_for


def followed(exercise: Exercise, program: Program, cause: Cause) -> Edit | None:
    """What the last hint shows, or what the remedy says to type, as an edit of the answer; None for advice."""
    if cause.edit:
        edits = [*edits_for(exercise, program), *longer_edits_for(exercise, program)]
        return next((one for one in edits if words.shown(one, program.first_line) == cause.edit), None)
    if not mechanical.can_be_carried_out(cause, program):
        return None
    return next(iter(mechanical.edits_asked(cause, program)), None)


def names_nothing(cause: Cause) -> bool:
    """Whether a cause says no more than that the formula is another one."""
    another_formula = cause.kind == "wrong_output" and cause.misconception == "wrong_formula"
    return another_formula and not (cause.is_slip or cause.lines or cause.compared)
