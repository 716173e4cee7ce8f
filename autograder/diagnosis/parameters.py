"""Are the parameters those of the task, in another order? Positions decide at a call, and names nothing."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.outcome import Cause

HARMLESS = ("over_budget", "float64_arithmetic", "no_work")  # causes of an answer whose result is right


def parameter_order(exercise: Exercise, program: Program, causes: Sequence[Cause]) -> tuple[Cause, ...]:
    """The cause of an answer that is wrong and names the task's parameters in another order; () for any other."""
    if all(cause.kind in HARMLESS for cause in causes):
        return ()
    asked = exercise.signature[len(exercise.function) + 1 : -1].split(", ")
    definition = program.definition
    found = [argument.arg for argument in definition.args.args] if definition else []
    if definition is None or sorted(found) != sorted(asked) or found == asked:
        return ()
    says = (
        f"The task calls {exercise.signature}; yours is {exercise.function}({', '.join(found)}). What is passed first "
        f"is `{asked[0]}`, whatever the parameter is called."
    )
    remedy = f"Write def {exercise.signature}: and keep the rest."
    return (Cause("parameter_order", "parameter_order", says, remedy, (definition.lineno,)),)
