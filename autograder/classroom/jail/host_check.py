"""A class's host function, judged as in a notebook: cases, then corners, and apart from the cells that it builds on.

A record has room for so many launches and copies in all its cases together. Ordinary cases have one to themselves; the
corners of the domain come after them, in as many records as they need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from autograder import judge, verdict
from autograder.answer.program import Program
from autograder.classroom.jail import host_in_place, host_outcomes
from autograder.classroom.jail.host_functions import NOT_IN_A_RECORD, judged_on
from autograder.classroom.reading.scope import NotAllowed
from autograder.classroom.sealed.fixed import Fixed
from autograder.classroom.sealed.host_stage import SealedPlans
from autograder.classroom.sealed.serving import Seat
from autograder.contract import Case, Exercise
from autograder.diagnosis.capability import gpu_runs
from autograder.outcome import Outcome
from autograder.running.cases.corners import corner_cases, without_corners

WHY_SHARED = (
    "This answer is about memory that host and device share. A class's host functions are recorded as launches and "
    "copies, and that record does not say what is mapped or managed."
)
# counters that no recorded plan has
SHARED = frozenset({"mapped_bytes", "faulted_bytes", "prefetched_bytes", "fetched_bytes"})


def check(
    exercise: Exercise,
    program: Program,
    secret: str = "",
    known: Fixed | None = None,
    drawn: str = "",
    seat: Seat | None = None,
) -> Outcome:
    """The outcome of a host function. program: the student's cells as they are, after the unit's own setup.

    secret: of the values, as in `buffers.make_values`. known, drawn, seat: as `Sealed` has them.
    """
    outcome = _checked(exercise, program, secret, SealedPlans(fixed=known, drawn=drawn, seat=seat or Seat()))
    if outcome.facts.get(verdict.SLEPT):  # and would again
        return outcome
    again = partial(_checked, exercise, secret=secret)
    return judge.apart_from_earlier(exercise, program, outcome, again, gpu_runs(exercise))


def _checked(exercise: Exercise, program: Program, secret: str, on_gpu: SealedPlans | None = None) -> Outcome:
    """The outcome of these cells as they stand; corners are for what is right otherwise."""
    if not_recorded := why_not_recorded(exercise):
        return host_in_place.check(exercise, program, secret, not_recorded)
    outcome = judged_on(exercise, program, secret, on_gpu)
    if NOT_IN_A_RECORD in outcome.observed:
        return host_in_place.check(exercise, program, secret, outcome.observed)
    if outcome.facts.get(host_outcomes.IN_DOUBT) and not _is_right(outcome):
        return _better_in_place(exercise, program, secret, outcome)
    corners = () if without_corners(exercise) is exercise else corner_cases(exercise)
    return _at_corners(exercise, program, secret, outcome, corners) if corners and _is_right(outcome) else outcome


def _better_in_place(exercise: Exercise, program: Program, secret: str, recorded: Outcome) -> Outcome:
    """What came of a record, or of the values themselves where they say better of it."""
    try:
        found = host_in_place.judged_plain(exercise, program, secret)
    except NotAllowed:
        return recorded
    return found if found.points > recorded.points else recorded


def why_not_recorded(exercise: Exercise) -> str:
    """Why a recorded plan cannot show whether a host function is right; "" where it can."""
    return WHY_SHARED if any(budget.counter in SHARED for budget in exercise.budgets) else ""


def _is_right(outcome: Outcome) -> bool:
    """Whether it computes what it should, at whatever cost."""
    return outcome.passed or outcome.costly


def _at_corners(exercise: Exercise, program: Program, secret: str, so_far: Outcome, corners: Sequence[Case]) -> Outcome:
    """A right answer's outcome with these corners too; what fails in one is the outcome, with the cases before it."""
    found = judged_on(exercise, program, secret, cases=corners)
    if host_outcomes.is_too_long(found) and len(corners) > 1:
        half = len(corners) // 2
        for lot in (corners[:half], corners[half:]):
            so_far = _at_corners(exercise, program, secret, so_far, lot) if _is_right(so_far) else so_far
        return so_far
    if host_outcomes.is_too_long(found) and so_far.costly:  # which is told; at this size it costs more than can be told
        return so_far
    cases = (*so_far.cases, *found.cases)
    if found.passed:
        return replace(so_far, cases=cases)
    points = verdict.points_of_wrong(exercise, cases) if found.points else 0.0
    return replace(found, cases=cases, points=points, facts={**so_far.facts, **found.facts})
