"""Run a function on the cases of an exercise on one device, and say what was wrong with it.

Every case runs twice, from differently poisoned outputs and with the blocks in another order, but not where a traced
run told all (`orders`); inputs are compared with what they were. The first cases that fail are kept whole, so that
`diagnose` can read them.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable

import numpy as np

from autograder.contract import Case
from autograder.running import now
from autograder.running.cases.corners import on_device
from autograder.running.conclusion import conclude
from autograder.running.job import Job
from autograder.running.listening import Listening
from autograder.running.session import Runner, Session
from autograder.running.trial_result import Trial
from simt.lanes.meter import worked_s


def try_cases(job: Job, function: Callable, runner: Runner, device: str, seconds: float) -> Trial:
    """Run every case, traced and smallest first. function: the job's, which is loaded by now.

    The trial stops where a run needs more steps than are left; cases that did not run say so. What a case does then
    is the same on every machine. seconds: of this thread, after which a run counts as hung.
    """
    exercise, deadline = job.exercise, worked_s() + seconds
    session = Session(exercise, function, runner, Trial(device), job.program, deadline, job.values_secret)
    session.listening = Listening.to(exercise, job.cases, job.program.text)
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        cases = in_order(on_device(exercise, job.cases, device))
        while cases:
            case = cases.pop(session.next_of(cases))
            if not session.trial.ended and session.steps_left > 0:  # or nothing begins
                now.says(f"case {len(job.cases) - len(cases)} of {len(job.cases)}, {case.name}")
            session.try_case(case)
        conclude(session)  # which may run the answer again
    order = {case.name: position for position, case in enumerate(job.cases)}
    session.trial.cases.sort(key=lambda result: order[result.name])
    return session.trial


def in_order(cases: Iterable[Case]) -> list[Case]:
    """Cases in the order in which they are tried."""
    return sorted(cases, key=_size)


def _size(case: Case) -> tuple[bool, bool, bool, int]:
    """Traced cases first, small before large; empty ones and those that are a test of everything last."""
    return (
        case.demanding,
        not case.trace,
        not all(case.sizes.values()),
        int(np.prod([max(size, 1) for size in case.sizes.values()], dtype=object)),
    )
