"""Causes with the line that an edit repairs: of a wrong output without one, and of a remedy that does not help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from autograder.contract import NOT_ABOVE_0, TINY, Case
from autograder.outcome import Cause
from autograder.repair import remedies, words
from autograder.repair.edits import Edit
from autograder.repair.mechanical import can_be_carried_out
from autograder.repair.parts_left_out import in_view_of_parts
from autograder.repair.search import edits_for, likeliest, longer_edits_for, repairs
from autograder.repair.trials import Trials
from autograder.running import run_simt
from autograder.running.buffers import WithOtherNumbers
from autograder.running.evidence import REMEMBERS, has_elements
from autograder.running.session import Session

STEPS, STEPS_FOR_A_REMEDY = 33_000, 20_000  # of the interpreter, for a whole search: a second each
LONGER_FOR = ("never_read", "order_dependent")  # misconceptions that several lines explain
STEPS_FOR_ADVICE = 12_000  # where a finding's remedy is no text to type
STEPS_FOR_LONGER = 6_000  # besides, for edits of several lines, where no single one repairs everything
AFRESH = (
    "Called for the first time it is right, and after other calls it is not: something of an earlier call is left, in "
    "a global, in a default argument or in a graph."
)
MOST_CASES, MOST_RIGHT = 8, 40  # that were wrong, and right: on which a repair has to hold, as far as there is work
LIMITERS = ("border", "too_much", "exception", "condition", "conversion", "beginning_value")  # that lift a limit
MOST_CORNERS = 2  # of those that are wrong, where nothing smaller is
MOST_LINES = 400  # of an answer: in a longer one the search would look at a small part


def in_view_of_repairs(session: Session, cause: Cause) -> Cause:
    """A wrong output that is told without a line, with the line that an edit repairs; other causes as they are."""
    named = cause.is_slip or cause.lines or cause.misconception == "wrong_return"
    if cause.kind != "wrong_output" or named:
        return cause
    with _trials(session, STEPS) as (trials, wrong, right):
        remembers = session.exercise.kind == "host" and cause.misconception == "wrong_formula"
        if wrong and remembers and _passes_afresh(trials, wrong):
            return replace(cause, misconception=REMEMBERS.misconception, says=AFRESH, remedy=REMEMBERS.remedy)
        nothing = cause.misconception == "wrong_formula" and not cause.remedy
        knows = not nothing and cause.misconception not in LONGER_FOR  # more than several lines would tell
        betrayed = words.BETRAYED.get(cause.misconception, ())
        best, others = likeliest(_search(trials, wrong, right, not knows, betrayed)) if wrong else (None, [])
        if best is None and wrong and session.untraced and session.exercise.kind == "host":
            trials.steps_left = STEPS_FOR_LONGER
            return in_view_of_parts(trials, cause, wrong, right)
        return words.told(cause, best, [best.line, *others], session.program.first_line) if best else cause


def in_view_of_remedies(session: Session, cause: Cause) -> Cause:
    """The first cause of a verdict, whose remedy is carried out before it is told, where it can be."""
    asked = can_be_carried_out(cause, session.program)
    if not asked and not remedies.is_advice(cause, session.program):
        return cause
    with _trials(session, STEPS_FOR_A_REMEDY if asked else STEPS_FOR_ADVICE) as (trials, wrong, right):
        if not wrong or not _measured(trials, wrong, traced=True):
            return cause
        return remedies.tried(cause, trials, wrong, right) if asked else remedies.found(cause, trials, wrong, right)


@contextmanager
def _trials(session: Session, steps: int) -> Iterator[tuple[Trials, list[Case], list[Case]]]:
    """Where edits of an answer are tried, and the cases that are wrong and right; none where nothing may be tried.

    In a class another process has the answer, and nothing is tried there: no answer holds the others up.
    """
    status = {result.name: result.status for result in session.trial.cases}
    cases = [case for case in session.tried if has_elements(case) or status[case.name] == "wrong"]
    wrong = [case for case in cases if status[case.name] in ("wrong", "crashed", "timed_out")]
    small = [case for case in cases if case.trace or session.untraced]
    wrong = [case for case in wrong if case in small][:MOST_CASES] or wrong[:MOST_CORNERS]
    called_again = [one.case for one in session.failures if isinstance(one.case, WithOtherNumbers)]
    wrong = [*called_again, *(case for case in wrong if case not in [one.plain for one in called_again])]
    right = [case for case in small if status[case.name] == "right"]
    right += [case for case in small if session.trial.ended and status[case.name] == "not_run"]
    right = right[:MOST_RIGHT]
    long = session.program.source.count("\n") > MOST_LINES
    nowhere = session.runner is not run_simt.run or long
    with session.program.set_up() as setup:
        trials = Trials(session.exercise, session.program, setup, session.secret, steps)
        yield trials, [] if nowhere else wrong, right


def _search(
    trials: Trials, wrong: Sequence[Case], right: Sequence[Case], longer: bool, betrayed: Sequence[str]
) -> list[Edit]:
    """The single edits that repair an answer; none where the answer as it is already passes in this setting.

    Where corners alone are wrong, a limit is looked for, or the solution's own line: what makes up for one elsewhere is
    no cause. Next to 0 a number that is compared with is a limit, and with another launch the width of a block. Where
    only the long cases are wrong, a limit is looked for first. longer: whether several lines may change, too; betrayed:
    the kinds of edits that the output speaks of, which come before all others.
    """
    if not _measured(trials, wrong):
        return []
    limits = all(case.corner for case in wrong)
    kinds = {*LIMITERS}
    kinds |= {"width", "step"} if all(case.launch for case in wrong) else set()
    kinds |= {"number"} if all(case.values in (TINY, NOT_ABOVE_0) for case in wrong) else set()
    every = edits_for(trials.exercise, trials.program)
    every = [replace(one, meant=one.meant or one.kind in betrayed) for one in every] if betrayed else every
    every.sort(key=lambda one: (not one.meant, one.kind not in betrayed))
    edits = [one for one in every if one.meant or one.kind in kinds or not limits]
    if not any(case.trace for case in wrong):
        edits.sort(key=lambda one: (not one.meant, one.kind not in kinds))
    if (found := repairs(trials, wrong, right, edits)) or not longer:
        return found
    trials.steps_left = max(trials.steps_left, STEPS_FOR_LONGER)
    return repairs(trials, wrong, right, longer_edits_for(trials.exercise, trials.program))[:1]


def _passes_afresh(trials: Trials, wrong: Sequence[Case]) -> bool:
    """Whether the very same text is right where nothing of it was called before."""
    answer = trials.loaded(trials.program.source)
    return answer is not None and trials.passes_once(answer, wrong[0])


def _measured(trials: Trials, wrong: Sequence[Case], traced: bool = False) -> bool:
    """Whether the answer as it is fails here, too; how many steps it takes is known afterwards."""
    answer = trials.loaded(trials.program.source)
    if answer is None:
        return False
    trials.measure(answer, wrong[0])
    return not trials.passes(answer, wrong[:1], traced)
