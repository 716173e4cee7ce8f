"""The judge's side of the jail that interprets kernels: it has the values, the expected results and the comparison.

What a student wrote is loaded, compiled and interpreted in the jail (`interpreting`). Inputs go in, outputs come back
as bytes, and whatever comes back is read as data.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder import verdict, worker
from autograder.answer.program import Program, ProgramError
from autograder.classroom.jail import replies
from autograder.classroom.jail.visit import HELD_UP, Visit, tried_again
from autograder.classroom.messages import frames
from autograder.classroom.messages.conversation import JailError
from autograder.contract import Exercise, Values
from autograder.lint.compiler import unavailable_reason
from autograder.outcome import Outcome
from autograder.running.compiled import Compiled
from autograder.running.examine import Examination, read_first
from autograder.running.exceptions import NOTHING_WRONG_HERE, AlreadyRead
from autograder.running.job import Job
from autograder.running.runs import Launched, Run
from autograder.running.trial import try_cases
from simt.lanes.meter import Meter

LOAD_S = 20.0
COMPILE_S = 60.0
RESULT_BYTES = 64 << 20  # of a run's arrays, beside twice those that it was given
GRACE_S = 10.0  # of computing, that the last run has at least: it reads values, too
KILLED_FROM_OUTSIDE = (
    "Something on this machine killed or held up the jail three times while it judged this. That is not your doing."
)
NOT_YOURS = "That says nothing about the answer."
LOOK_AT_MEMORY = "Look whether the machine runs out of memory (dmesg says so), then grade again with --resume."
NOTHING_COMPILES = "In the jail, where it should be compiled, there is no compiler. That says nothing about the answer."
LOOK_AT_COMPILER = "`warpbook doctor` says what mends it. Then grade again with --resume."
STATUSES = ("not_run", "wrong", "crashed", "timed_out")


def interpret(job: Job, on_values: bool = False) -> Examination | Outcome:
    """What `examine.interpret` does, with the program in a jail. An Outcome where it hung or took its jail down.

    on_values: the program is host code that meets its values, and no record, so that its result may be followed.
    Raises ProgramError when the program cannot be loaded.
    """
    exercise, program, seconds = job.exercise, job.program, job.deadline_s("interpret")
    if (told := read_first(job)) is not None:
        return told

    def attempt() -> Examination:
        with Visit() as visit:
            answer, function = _Answer(visit, exercise, program, seconds, on_values), Named(program)
            trial = try_cases(job, function, answer.run, "simt", HELD_UP * seconds)
            return Examination(answer.compile(), trial)

    try:
        found = tried_again(attempt)
    except JailError as error:
        return outcome_of_jail_error(error, exercise, program, seconds)
    missing = replies.not_compiled(found.compiled)
    if missing and not unavailable_reason():  # elsewhere here it compiles: whether this answer does, nobody knows
        return verdict.not_checkable(exercise, program, f"{NOTHING_COMPILES} {missing}", LOOK_AT_COMPILER)
    return found


def outcome_of_jail_error(error: JailError, exercise: Exercise, program: Program, seconds: float) -> Outcome:
    """What is said of an answer whose jail gave no result."""
    if error.kind == "asleep":
        return verdict.slept(exercise, program, str(error))
    if error.kind == "timed_out":
        return verdict.timed_out(exercise, program, seconds)
    if error.kind == "too_much":
        says = f"The process was ended for using too much memory. {NOTHING_WRONG_HERE}"
        return verdict.crashed(exercise, program, "crash", says, "Allocate less.")
    if error.kind == "killed":
        return verdict.not_checkable(exercise, program, KILLED_FROM_OUTSIDE, LOOK_AT_MEMORY)
    if error.kind == "not_started":
        return verdict.not_checkable(exercise, program, f"{error} {NOT_YOURS}", LOOK_AT_COMPILER)
    says = f"The process ended before the checks were done, twice. {NOTHING_WRONG_HERE}"
    return verdict.crashed(
        exercise, program, "crash", says, "Look for endless recursion, and for huge loops or arrays."
    )


class Named:
    """Stands for the function where only its parameters' names are asked for. They are read, not run."""

    def __init__(self, program: Program):
        self.__signature__ = inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in _parameters(program)]
        )

    def __call__(self) -> None:
        raise TypeError("this function is in the jail")


def _parameters(program: Program) -> list[str]:
    """The plain parameters of the program's function; [] where its source does not say."""
    for node in ast.parse(program.source).body:
        if isinstance(node, ast.FunctionDef) and node.name == program.function:
            return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return []


class _Answer:
    """An answer in the jail: load, run many times, compile."""

    def __init__(self, visit: Visit, exercise: Exercise, program: Program, seconds: float, on_values: bool):
        self.visit, self.exercise, self.most_s = visit, exercise, seconds  # of computing, for all runs
        self.on_values = on_values
        request = {"visit": "interpret", "exercise": exercise.id, "program": program.to_json()}
        reply, _ = visit.ask({**request, "architecture": worker.architecture_here()}, seconds=LOAD_S)
        if "not_loaded" in reply:
            raise ProgramError(str(reply["not_loaded"])[:1000])

    def compile(self) -> Compiled:
        """What the compiler says of the answer's kernels."""
        reply, _ = self.visit.ask({"do": "compile"}, seconds=COMPILE_S)
        try:
            return replies.compiled_of(reply, self.exercise)
        except (TypeError, KeyError) as error:
            raise JailError("died", f"The compiler's report is none ({error}).") from None

    def run(
        self,
        exercise: Exercise,
        _function: Callable,
        values: Values,
        *,
        traced: bool,
        sampled: bool = False,
        seed: int | None,
        seconds: float,
        lenient: bool = False,
        altered: bool = False,
        meter: Meter,
    ) -> Run:
        """One run, as `run_simt.run` gives it."""
        given, arrays = frames.values_out(values)
        options = {
            "traced": traced,
            "sampled": sampled,
            "seed": seed,
            "seconds": seconds,
            "lenient": lenient,
            "altered": altered and self.on_values,
            "steps": meter.limit,
        }
        most_bytes = RESULT_BYTES + 2 * sum(array.nbytes for array in arrays.values())
        left_s = max(self.most_s - self.visit.worked_s, GRACE_S)
        reply, back = self.visit.ask({"do": "run", **given, **options}, arrays, left_s, most_bytes=most_bytes)
        try:
            steps = max(int(_number(reply["steps"])), 0)
            meter.steps = 0 if exercise.on_host else steps  # Python takes none: said to be many, nothing else would run
            return _run_of(exercise, values, reply, back)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise JailError("died", f"What a run gave is no result ({error}).") from None


def _run_of(exercise: Exercise, values: Values, reply: dict[str, Any], arrays: dict[str, np.ndarray]) -> Run:
    """A run out of the jail's reply: data, each part of the type that it should have."""
    print(str(reply["printed"])[: replies.MOST_PRINTED], end="")
    changed = {name: arrays[f"in:{name}"] for name in values if f"in:{name}" in arrays}
    outputs = {name.removeprefix("out:"): array for name, array in arrays.items() if name.startswith("out:")}
    error = reply["error"]
    if error is None:
        outputs = {argument.name: outputs[argument.name] for argument in exercise.outputs}
    else:
        outputs = {}
        if error["status"] not in STATUSES:
            raise ValueError("no such status")
    return Run(
        outputs=outputs,
        after={**values, **changed},
        findings=replies.findings_of(reply["findings"]),
        counters={name: _number(value) for name, value in replies.bounded(reply["counters"]).items()},
        launches=[Launched(_nowhere, (), int(n), int(threads)) for n, threads in replies.bounded(reply["launches"])],
        altered=int(_number(reply["altered"])),
        lines=replies.lines_of(reply["lines"]),
        error=None if error is None else AlreadyRead(error["status"], replies.cause_of(error["cause"], exercise)),
    )


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("a counter is no number")
    return value


def _nowhere(*_arguments: Any) -> None:
    raise TypeError("this kernel is in the jail")
