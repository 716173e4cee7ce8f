"""Asks the judge about a mutant, and no longer than until something is wrong."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass

import numpy as np

from autograder.answer.program import Program, ProgramError
from autograder.contract import Exercise
from autograder.judge import check
from autograder.running import run_simt
from autograder.running.job import Job
from autograder.running.listening import Listening
from autograder.running.session import Session
from autograder.running.trial import in_order
from autograder.running.trial_result import Trial
from simt import errors
from simt.lanes.meter import worked_s

SECONDS = 60.0  # of one mutant, a guard against a hang
STEPS = 250_000  # right answers take up to 110,000
STILLBORN = (
    errors.UnsupportedError,
    errors.KernelTypeError,
    errors.KernelNameError,
    NameError,
    TypeError,
    AttributeError,
)


class Stillborn(Exception):
    """A mutant that no case can run: it would never have been handed in."""


@dataclass
class _Brief(Session):
    """A session that keeps nothing of a failure: whether there is one is all that is asked."""

    def _keep(self, *_failing) -> None:
        """Nothing."""

    def _record_error(self, case, error) -> None:
        if isinstance(error, STILLBORN):
            raise Stillborn(str(error)) from error
        super()._record_error(case, error)


def passes(exercise: Exercise, program: Program) -> bool:
    """Whether an answer passes whole. Raises: Stillborn."""
    if not _right_everywhere(exercise, program):
        return False
    outcome = check(exercise, program, device="simt", isolate=False, deadline_s=SECONDS)
    return outcome.passed and outcome.points == outcome.max_points


def _right_everywhere(exercise: Exercise, program: Program) -> bool:
    job = Job(exercise, program, device="simt", isolate=False)
    try:
        with job.function() as function, contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            deadline = worked_s() + SECONDS
            session = _Brief(exercise, function, run_simt.run, Trial("simt"), program, deadline, steps_left=STEPS)
            session.listening = Listening.to(job.exercise, job.cases, program.text)
            for case in in_order(job.cases):
                session.try_case(case)
                if not session.trial.nothing_wrong:
                    return False
            return True
    except ProgramError as error:
        raise Stillborn(str(error)) from error
