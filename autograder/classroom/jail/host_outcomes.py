"""What is said of a host function, beside what any answer is told: where Python computed, and what the jail refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograder import verdict
from autograder.answer.program import Program
from autograder.classroom.jail import interpreter, plan
from autograder.classroom.messages.conversation import JailError
from autograder.contract import Exercise
from autograder.outcome import Cause, Outcome, Wrong

Plans = list[dict[str, Any]]  # one a case, in the order of the cases
MAX_HANDED_IN_BYTES = 64  # of results that host code may decide by, in one call: a flag, a residual, a few counts
COMPUTED = Cause(
    "wrong_output",
    "computed_on_the_host",
    "What your function returned was computed by Python on the CPU. In class only what kernels compute counts.",
    "Let a kernel write the result, then copy it back.",
)
LOOKED_AT_MUCH = Cause(
    "wrong_output",
    "looked_at_much",
    f"Your function looks at results that it copied back. In class it can see {MAX_HANDED_IN_BYTES} bytes of them a "
    "call; the rest is made up.",
    "Copy only the element that you decide by, such as d_out[0].",
)
IN_DOUBT = "in_doubt"  # among an outcome's facts
TOO_LONG = (
    f"In class a host function is recorded, and a record has room for up to {plan.MAX_STEPS:,} launches, copies and "
    "allocations in one call. This one asks for more in a call, or for too many in all cases together, so the answer "
    "is for review. A loop that touches one element of a device array at a time asks for a copy in each iteration: one "
    "kernel or one copy of the whole array does the same."
)
LOOK_YOURSELF = "Read it, and run the notebook's own check on it where you would give its author a shell."


def too_long(exercise: Exercise, program: Program) -> Outcome:
    """For review: the record has not all that the function asks for, and what it has shows nothing that never ends."""
    return verdict.not_checkable(exercise, program, TOO_LONG, LOOK_YOURSELF)


def in_doubt(outcome: Outcome) -> Outcome:
    """A wrong outcome that may be the record's: host code did what a record can only guess."""
    return replace(outcome, facts={**outcome.facts, IN_DOUBT: True})


def is_too_long(outcome: Outcome) -> bool:
    """Whether that is what was said: fewer cases in one record may have room."""
    return outcome.observed == TOO_LONG


def explained(exercise: Exercise, outcome: Outcome, plans: Plans) -> Outcome:
    """A wrong outcome, with the reason in front where the result was made by Python and not by a kernel."""
    if not isinstance(outcome, Wrong):
        return outcome
    takes_arrays = any(argument.shape and argument.role == "in" for argument in exercise.arguments)
    by_hand = any("literal" in (part or {}) for found in plans for part in found["returned"])
    if takes_arrays and by_hand:
        return replace(outcome, causes=(COMPUTED, *outcome.causes))
    if any(plan.looks_at_results(found) for found in plans):
        return replace(outcome, causes=(*outcome.causes, LOOKED_AT_MUCH))
    return outcome


def computed(exercise: Exercise, program: Program, says: str) -> Outcome:
    """No points: what a kernel should have computed came from Python."""
    cause = replace(COMPUTED, says=f"{says}. {COMPUTED.says}")
    headline = f"{exercise.function}: not right yet"
    return Wrong(exercise.id, 0.0, exercise.points, headline, causes=(cause,), source=program.source)


def of_jail_error(exercise: Exercise, program: Program, error: JailError, seconds: float) -> Outcome:
    """What is said of a function whose jail gave no result."""
    if error.kind == "asleep":
        return verdict.slept(exercise, program, str(error))
    if error.kind == "timed_out":
        return verdict.timed_out(exercise, program, seconds, kernels_ran=False)
    if error.kind == "killed":
        return verdict.not_checkable(exercise, program, interpreter.KILLED_FROM_OUTSIDE, interpreter.LOOK_AT_MEMORY)
    if error.kind == "not_started":
        return interpreter.outcome_of_jail_error(error, exercise, program, seconds)
    says = f"The host function did not come back with a result. {error}"
    return verdict.crashed(
        exercise, program, "crash", says, "Take out exit(), and anything that needs files or network."
    )


def refused(exercise: Exercise, program: Program, error: ValueError) -> Outcome:
    """No points: a kernel cannot be taken from the cell's text. error: what it holds."""
    says = f"In class kernels are read from their cell and not run. This one holds {error}."
    cause = Cause("not_taken", "not_taken", says, "Define each kernel by a plain function under @cuda.jit.")
    headline = f"{exercise.function}: not judged as it stands"
    return Wrong(exercise.id, 0.0, exercise.points, headline, causes=(cause,), source=program.source)
