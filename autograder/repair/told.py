"""Where nothing else names the line of a wrong output, the line that one edit repairs is told."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.contract import Case
from autograder.outcome import Cause
from autograder.repair import words
from autograder.repair.edits import Edit
from autograder.repair.search import LIKELY, edits_of, repairs
from autograder.repair.trials import Trials
from autograder.running import run_simt
from autograder.running.evidence import has_elements
from autograder.running.session import Session

STEPS = 60_000  # of the interpreter, for the whole search
MOST_CASES = 8  # on which a repair has to hold
MOST_LINES = 400  # of an answer: in a longer one the search would look at a small part


def in_view_of_repairs(session: Session, cause: Cause) -> Cause:
    """A wrong output that is told without a line, with the line that an edit repairs; other causes as they are."""
    nameless = (
        cause.kind == "wrong_output" and not cause.is_slip and not cause.lines and cause.misconception != "wrong_return"
    )
    if not nameless or session.runner is not run_simt.run or session.program.source.count("\n") > MOST_LINES:
        return cause
    status = {result.name: result.status for result in session.trial.cases}
    cases = [case for case in session.tried if has_elements(case) and (case.trace or session.untraced)]
    wrong = [case for case in cases if status[case.name] == "wrong"]
    right = [case for case in cases if status[case.name] == "right"]
    if not wrong:
        return cause
    with session.program.set_up() as setup:
        trials = Trials(session.exercise, session.program, setup, session.secret, STEPS)
        found = _search(trials, wrong[:MOST_CASES], right[:MOST_CASES])
    if (best := _best(found)) is None:
        return cause
    others = sorted({edit.line for edit in found if _rank(edit) == _rank(best)} - {best.line})
    return words.told(cause, best, [best.line, *others], session.program.first_line)


def _search(trials: Trials, wrong: Sequence[Case], right: Sequence[Case]) -> list[Edit]:
    """The single edits that repair an answer; none where the answer as it is already passes in this setting."""
    answer = trials.loaded(trials.program.source)
    if answer is None:
        return []
    trials.measure(answer, [*wrong, *right])
    if trials.passes(answer, wrong[:1]):
        return []
    return repairs(trials, wrong, right, edits_of(trials.program))


def _best(found: Sequence[Edit]) -> Edit | None:
    """The likeliest of the edits, unless as likely ones are spread over many lines."""
    if not found:
        return None
    rank = min(map(_rank, found))
    likely = [edit for edit in found if _rank(edit) == rank]
    return likely[0] if len({edit.line for edit in likely}) <= 2 else None


def _rank(edit: Edit) -> int:
    return next(rank for rank, kinds in enumerate(LIKELY) if edit.kind in kinds)
