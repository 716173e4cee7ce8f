"""Judge a host function: its plan is recorded in a jail, then carried out here on the judge's own inputs.

No student Python runs outside the jail, and no input ever enters it. The kernels that a plan launches are read from
source, as everywhere. Where host code looks at results between its launches, the plan is carried out as far as that,
the results (and only those) are handed in, and it is recorded again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from autograder import judge, verdict
from autograder.answer.program import Piece, Program
from autograder.classroom import jail, plan
from autograder.classroom.assemble import assemble
from autograder.classroom.replay import key_of, prepared
from autograder.classroom.scope import NotAllowed, Scope
from autograder.classroom.travel import array_as_json, array_of, geometry_as_json, number_as_json
from autograder.contract import Exercise, Values
from autograder.outcome import Cause, Outcome, Wrong
from autograder.running import buffers

SECONDS = 40.0  # for one visit to the jail, Python's start included
ROUNDS = 4  # of handing results in and recording again
MAX_PLANS_BYTES = 32 << 20
INMATE = Path(__file__).with_name("inmate.py")
Plans = list[dict[str, Any]]  # one a case, in the order of the exercise's cases


class NotLoaded(Exception):
    """The cell raised when it was run in the jail."""


def check(exercise: Exercise, program: Program, secret: str = "") -> Outcome:
    """The outcome of a host function. program: the student's cells as they are, after the unit's own setup.

    secret: of the values, as in `buffers.make_values`.
    """
    values = [buffers.make_values(exercise, case, secret) for case in exercise.cases]
    try:
        plans = _record(exercise, program, values, [])
        outcome = judge.check(exercise, _replay_program(exercise, program, values, plans), secret=secret)
        if not outcome.passed and any(_looks_at_results(found) for found in plans):
            plans = _record_with_results(exercise, program, values, plans)
            replay = _replay_program(exercise, program, values, plans, by_data=True)
            outcome = judge.check(exercise, replay, secret=secret)
    except NotLoaded as error:
        return verdict.crashed(exercise, program, "not_loaded", str(error), "Run the cell in your notebook first.")
    except jail.JailError as error:
        return _of_jail_error(exercise, program, error)
    except NotAllowed as error:
        return _refused(exercise, program, error)
    outcome = replace(outcome, source=program.source, first_line=program.first_line)
    return outcome if outcome.passed else _explained(exercise, outcome, plans)


def recorded(exercise: Exercise, program: Program, values: Values) -> Callable[[Values], None]:
    """What carries out, on arguments by name, the plan that a host function has for arguments of this geometry.

    Raises: NotLoaded, jail.JailError and NotAllowed, as `check` catches them; RuntimeError for what it raised itself.
    """
    (found,) = _record(exercise, program, [values], [])
    if found["error"]:
        raise RuntimeError(f"the host function raised {found['error']['type']}: {found['error']['message']}")
    kernels = Program("", exercise.function, setup=tuple(_kernels(exercise, program, [found])))
    return prepared(found, kernels.namespace(), list(_arguments(exercise, values)))


def _record(exercise: Exercise, program: Program, values: Sequence[Values], answers: list) -> Plans:
    """What the host function asks for in each case, knowing the geometry of its arguments and `answers`."""
    calls = _visit(exercise, program, "plan", [_geometry(exercise, value) for value in values], answers)
    try:
        return [plan.checked(call) for call in calls]
    except plan.NotAPlan as error:
        raise jail.JailError("died", f"It did not end as it should: {error}.") from None


def _record_with_results(exercise: Exercise, program: Program, values: list[Values], plans: Plans) -> Plans:
    """Record again with the results that the plans' own launches give, until these no longer change."""
    cases = [{name: _given(value) for name, value in _arguments(exercise, case).items()} for case in values]
    answers: list = []
    for turn in range(ROUNDS):
        carried_out = _replay_program(exercise, program, values, plans, by_data=turn > 0)
        results = _visit(exercise, carried_out, "downloads", cases, [])
        for result in results:
            _check_results(result)
        if results == answers:
            break
        answers = results
        plans = _record(exercise, program, values, answers)
    return plans


def _check_results(results: Any) -> None:
    """Raise JailError unless these are arrays as JSON."""
    try:
        for result in results:
            array_of(result)
    except (ValueError, TypeError, KeyError) as error:
        raise jail.JailError("died", f"A result is no array of numbers ({error}).") from None


def _visit(exercise: Exercise, program: Program, want: str, cases: list, answers: list) -> list[dict[str, Any]]:
    """Ask the jail. Raises: NotLoaded; JailError, also for a reply that is no reply."""
    request = {"want": want, "exercise": exercise.id, "program": program.to_json(), "cases": cases, "answers": answers}
    said = jail.exchange([str(INMATE), str(jail.PROJECT)], json.dumps(request).encode(), SECONDS)
    try:
        reply = json.loads(said)
        if "not_loaded" in reply:
            raise NotLoaded(f"The cell itself stopped with an error: {str(reply['not_loaded'])[:300]}")
        if isinstance(reply["calls"], list) and len(reply["calls"]) == len(cases):
            return reply["calls"]
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise jail.JailError("died", "It ended before it was done.")


def _geometry(exercise: Exercise, values: Values) -> dict[str, Any]:
    """Arguments as the jail may know them: numbers, and the dtype and shape of arrays. No data."""
    arguments = _arguments(exercise, values)
    return {
        name: geometry_as_json(value) if isinstance(value, np.ndarray) else number_as_json(value)
        for name, value in arguments.items()
    }


def _given(value: Any) -> dict[str, Any]:
    return array_as_json(value) if isinstance(value, np.ndarray) else number_as_json(value)


def _arguments(exercise: Exercise, values: Values) -> Values:
    """What the function is called with: without the outputs that it returns."""
    returns = exercise.arrays == "host"
    return {a.name: values[a.name] for a in exercise.arguments if not (returns and a.role == "out")}


def _replay_program(
    exercise: Exercise, program: Program, values: Sequence[Values], plans: Plans, by_data: bool = False
) -> Program:
    """A program that carries the plans out: the unit's setup, the kernels they launch, and one function.

    by_data: plans hold for exactly these values; otherwise the first plan for a geometry holds for all of it.
    """
    roles = {argument.name: argument.role for argument in exercise.arguments}
    names = list(_arguments(exercise, values[0]))
    data = [n for n, name in enumerate(names) if roles[name] in ("in", "inout")]
    keyed: dict[str, dict[str, Any]] = {}
    for value, found in zip(values, plans, strict=True):
        keyed.setdefault(key_of(list(_arguments(exercise, value).values()), data if by_data else ()), found)
    text = json.dumps(keyed)
    if len(text) > MAX_PLANS_BYTES:
        raise NotAllowed("a host function with far too many steps")
    called = ", ".join(names)
    call = f"replayed({text!r}, globals(), {names!r}, {data!r}, {called})"
    source = f"def {exercise.function}({called}):\n    return {call}\n"
    helper = Piece("from autograder.classroom.replay import replayed\n", "replay")
    return Program(source, exercise.function, "replay", 1, (*_kernels(exercise, program, plans), helper))


def _kernels(exercise: Exercise, program: Program, plans: Plans) -> list[Piece]:
    """The unit's setup, then of each cell the kernels that are launched, read and not run, with the cell's lines."""
    wanted = [step.get("kernel") for found in plans for step in found["steps"] if step["do"] == "launch"]
    wanted = frozenset(name for name in wanted if isinstance(name, str))
    trusted = [piece for piece in program.setup if piece.filename.endswith(":setup")]
    handed_in = [piece for piece in program.setup if not piece.filename.endswith(":setup")]
    handed_in.append(Piece(program.source, program.filename, program.first_line))
    scope = Scope.of_trusted(piece.source for piece in trusted)
    pieces, scope, _ = assemble(handed_in, wanted, scope)
    lost = sorted(wanted - scope.functions)
    if lost:
        raise NotAllowed(f"a launch of `{lost[0]}`, which no plain function under @cuda.jit defines")
    return [*trusted, *pieces]


def _looks_at_results(found: dict[str, Any]) -> bool:
    """Whether host code copied a result back and then did something with it that the plan cannot follow.

    That is so when a copy is mentioned nowhere later, or when numbers that came from nowhere follow a copy.
    """
    steps = found["steps"]
    launches = [place for place, step in enumerate(steps) if step.get("do") == "launch"]
    copies = [place for place, step in enumerate(steps) if step.get("do") in ("copy_to_host", "getitem")]
    copies = [place for place in copies if launches and place > launches[0]]
    if not copies:
        return False
    later = json.dumps([*steps[copies[0] :], found["returned"]])
    followed = all(f'{{"step": {place}}}' in later or f'"on": {place},' in later for place in copies)
    return not followed or '"literal"' in later or any("number" in (part or {}) for part in found["returned"])


def _explained(exercise: Exercise, outcome: Outcome, plans: Plans) -> Outcome:
    """A wrong outcome, with the reason in front where the result was made by Python and not by a kernel."""
    takes_arrays = any(argument.shape and argument.role == "in" for argument in exercise.arguments)
    by_hand = any("literal" in (part or {}) for found in plans for part in found["returned"])
    if not (takes_arrays and by_hand and isinstance(outcome, Wrong)):
        return outcome
    says = "What your function returned was computed by Python on the CPU. In class only what kernels compute counts."
    cause = Cause("wrong_output", "computed_on_the_host", says, "Let a kernel write the result, then copy it back.")
    return replace(outcome, causes=(cause, *outcome.causes))


def _of_jail_error(exercise: Exercise, program: Program, error: jail.JailError) -> Outcome:
    if error.kind == "timed_out":
        return verdict.timed_out(exercise, program, SECONDS)
    says = f"The host function did not come back with a result. {error}"
    return verdict.crashed(
        exercise, program, "crash", says, "Take out exit(), and anything that needs files or network."
    )


def _refused(exercise: Exercise, program: Program, error: NotAllowed) -> Outcome:
    says = f"In class kernels are read from their cell and not run. This one holds {error}."
    cause = Cause("not_taken", "not_taken", says, "Define each kernel by a plain function under @cuda.jit.")
    headline = f"{exercise.function}: not judged as it stands"
    return Wrong(exercise.id, 0.0, exercise.points, headline, causes=(cause,), source=program.source)
