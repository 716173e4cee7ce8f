"""A host function called again with other numbers: it must look at them, and leave the results of before as they are.

Where the second call is wrong, it may have kept something of the first one, or be wrong for such numbers whenever it is
called: what came out, or a call of the same text that nobody called before, tells the two apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.contract import Case
from autograder.outcome import Cause
from autograder.running import run_simt
from autograder.running.buffers import WithOtherNumbers, make_values
from autograder.running.evidence import OVERWRITES, REMEMBERS
from autograder.running.held_to import Held
from autograder.running.host_code.transfers import share_that_follows, that_tells
from autograder.running.runs import Run

if TYPE_CHECKING:
    from autograder.running.session import Session

SECOND = "The first call gets {case} right, but not the next one."


def refuted(session: Session, case: Case, held: Held, first: Run) -> bool:
    """Whether another call shows that an answer which is right on a case is wrong; the session has heard of it then."""
    if session.exercise.kind != "host" or not case.trace:
        return False
    other = WithOtherNumbers.of(case)
    values = make_values(session.exercise, other, session.secret)
    wanted = Held.to(session.exercise, other, values)
    run = session.run(values, poison=0, seed=2)
    if run.error is not None:
        return False
    if mismatches := wanted.mismatches(run.outputs):
        if held.mismatches(run.outputs) and not _right_afresh(session, other):
            says = next(iter(mismatches.values())).says
            session.record(case, "wrong", says, f"Wrong at {case.name} with other numbers: {says}.")
            session.keep(other, values, wanted, run, run, [mismatches, mismatches])
            return True
        return _told(session, case, REMEMBERS)
    if session.trial.device == "simt" and case == that_tells(session.exercise.cases):
        follows = share_that_follows(session.run(values, poison=0, seed=2, altered=True), run, wanted.expected)
        session.trial.counters.get(case.name, {}).update(follows)
    return held.mismatches(first.outputs) != {} and _told(session, case, OVERWRITES)


def _told(session: Session, case: Case, cause: Cause) -> bool:
    session.trial.causes.append(cause)
    session.record(case, "wrong", cause.says, SECOND.format(case=case.name))
    return True


def _right_afresh(session: Session, case: Case) -> bool:
    """Whether the same text is right with these numbers where nobody called it before; not known in a class."""
    if session.runner is not run_simt.run:
        return True
    from autograder.repair.trials import Trials  # which runs the answer, too

    with session.program.set_up() as setup:
        trials = Trials(session.exercise, session.program, setup, session.secret, session.steps_left)
        function = trials.loaded(session.program.source)
        return function is None or trials.passes_once(function, case)
