"""Judge a host function: its plan is recorded in a jail, then carried out here on the judge's own inputs.

No student Python runs outside the jail. The kernels that the plan launches are read from source, as everywhere.
Where host code looks at data between its launches, no plan can stand for it: then it runs in the jail on the real
inputs, and only the bytes it returns are compared.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from autograder import buffers, judge, verdict
from autograder.classroom import jail
from autograder.classroom.assemble import assemble
from autograder.classroom.replay import key_of
from autograder.classroom.scope import NotAllowed, Scope
from autograder.compare import compare
from autograder.exercise import Case, Exercise, Values
from autograder.outcome import CaseResult, Cause, Outcome, Passed, Wrong
from autograder.program import Piece, Program

SECONDS = 40.0  # for one visit to the jail, Python's start included
MAX_PLANS_BYTES = 32 << 20
INMATE = Path(__file__).with_name("inmate.py")
WITH_DATA = (
    "Your host function reads results on the CPU, so it was run in a jail on the real inputs instead of being replayed."
)


def check(exercise: Exercise, program: Program) -> Outcome:
    """The outcome of a host function. program: the student's cells as they are, after the unit's own setup."""
    values = [buffers.make_values(exercise, case) for case in exercise.cases]
    try:
        reply = _visit(exercise, program, "plan", [_geometry(exercise, value) for value in values])
        if "not_loaded" in reply:
            return _did_not_load(exercise, program, reply)
        plans = _plans(exercise, values, reply["calls"])
        outcome = judge.check(exercise, _replay_program(exercise, program, plans))
    except jail.JailError as error:
        return _of_jail_error(exercise, program, error)
    except NotAllowed as error:
        return _refused(exercise, program, error)
    outcome = replace(outcome, source=program.source, first_line=program.first_line)
    if outcome.passed or not any(_looks_at_data(plan) for plan in plans.values()):
        return outcome
    return _check_with_data(exercise, program, values) or outcome


def _visit(exercise: Exercise, program: Program, want: str, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Ask the jail. Raises: JailError, also for a reply that is no reply."""
    request = {"want": want, "exercise": exercise.id, "program": program.to_json(), "cases": cases}
    said = jail.exchange([str(INMATE), str(jail.PROJECT)], json.dumps(request).encode(), SECONDS)
    try:
        reply = json.loads(said)
        if "not_loaded" in reply or len(reply["calls"]) == len(cases):
            return reply
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise jail.JailError("died", "It ended before it was done.", "")


def _geometry(exercise: Exercise, values: Values) -> dict[str, Any]:
    """Arguments as the jail may know them for a plan: numbers, and the dtype and shape of arrays. No data."""
    described = {}
    for argument in _passed(exercise):
        value = values[argument.name]
        if isinstance(value, np.ndarray):
            described[argument.name] = {"dtype": value.dtype.str, "shape": list(value.shape)}
        else:
            described[argument.name] = _number(value)
    return described


def _number(value: Any) -> dict[str, Any]:
    if isinstance(value, np.generic):
        return {"number": value.item(), "dtype": value.dtype.str}
    return {"number": value, "dtype": ""}


def _passed(exercise: Exercise):
    """The arguments that the function is called with."""
    returns = exercise.arrays == "host"
    return [argument for argument in exercise.arguments if not (returns and argument.role == "out")]


def _plans(exercise: Exercise, values: Sequence[Values], calls: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The plan for each geometry, the first one where several cases share it."""
    plans: dict[str, dict[str, Any]] = {}
    for value, call in zip(values, calls, strict=True):
        key = key_of([value[argument.name] for argument in _passed(exercise)])
        if key not in plans:
            plan = {name: call.get(name) for name in ("steps", "returned", "many", "error")}
            if not isinstance(plan["steps"], list) or not isinstance(plan["returned"], list):
                raise jail.JailError("died", "It ended before it was done.", "")
            plans[key] = plan
    return plans


def _replay_program(exercise: Exercise, program: Program, plans: dict[str, dict[str, Any]]) -> Program:
    """A program that carries the plans out: the unit's setup, the kernels they launch, and one function."""
    text = json.dumps(plans)
    if len(text) > MAX_PLANS_BYTES:
        raise NotAllowed("a host function with far too many steps")
    names = [argument.name for argument in _passed(exercise)]
    called = ", ".join(names)
    source = f"def {exercise.function}({called}):\n    return replayed({text!r}, globals(), {names!r}, {called})\n"
    helper = Piece("from autograder.classroom.replay import replayed\n", "replay")
    return Program(source, exercise.function, "replay", 1, (*_kernels(exercise, program, plans), helper))


def _kernels(exercise: Exercise, program: Program, plans: dict[str, dict[str, Any]]) -> list[Piece]:
    """The unit's setup, then of each cell the kernels that are launched, read and not run, with the cell's lines."""
    wanted = {step["kernel"] for plan in plans.values() for step in plan["steps"] if step.get("do") == "launch"}
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


def _looks_at_data(plan: dict[str, Any]) -> bool:
    """Whether host code copied a result back and then did something with it that the plan cannot follow.

    That is so when a copy is mentioned nowhere later, or when numbers that came from nowhere follow a copy.
    """
    steps = plan["steps"]
    launches = [place for place, step in enumerate(steps) if step.get("do") == "launch"]
    copies = [place for place, step in enumerate(steps) if step.get("do") == "copy_to_host"]
    copies = [place for place in copies if launches and place > launches[0]]
    if not copies:
        return False
    later = json.dumps([*steps[copies[0] :], plan["returned"]])
    followed = all(f'{{"step": {place}}}' in later for place in copies)
    return not followed or '"bytes"' in later or any("number" in (part or {}) for part in plan["returned"])


def _check_with_data(exercise: Exercise, program: Program, values: list[Values]) -> Outcome | None:
    """The outcome of running in the jail on the real inputs; None where that shows no more than the replay did."""
    cases = [{name: _with_bytes(value[name]) for name in _geometry(exercise, value)} for value in values]
    try:
        reply = _visit(exercise, program, "data", cases)
    except jail.JailError:
        return None
    if "not_loaded" in reply:
        return None
    judged = [
        _judge_case(exercise, case, value, call)
        for case, value, call in zip(exercise.cases, values, reply["calls"], strict=True)
    ]
    share = sum(result.status == "right" for result in judged) / len(judged)
    notes = (WITH_DATA,)
    common = {"exercise": exercise.id, "max_points": exercise.points, "cases": tuple(judged), "notes": notes}
    if share == 1:
        return Passed(points=exercise.points, headline=f"{exercise.function}: right", source=program.source, **common)
    if share == 0:
        return None
    first = next(result for result in judged if result.status != "right")
    return Wrong(
        points=verdict.SHARE_WRONG * exercise.points * share,
        headline=f"{exercise.function}: not right yet",
        observed=f"Wrong at {first.name}: {first.detail}",
        causes=(Cause("wrong_output", "wrong_formula", first.detail, ""),),
        source=program.source,
        **common,
    )


def _judge_case(exercise: Exercise, case: Case, values: Values, call: dict[str, Any]) -> CaseResult:
    """Compare the bytes that came back with the oracle. Expected values never enter the jail."""
    if call.get("error"):
        return CaseResult(case.name, "simt", "crashed", str(call["error"].get("message", "")))
    expected = exercise.oracle(buffers.fresh(exercise, values, None))
    bounds = exercise.bound(values, expected) if case.values != "exact" and exercise.bound else {}
    outputs = call.get("outputs") or []
    if len(outputs) != len(exercise.outputs):
        return CaseResult(case.name, "simt", "wrong", f"{len(outputs)} outputs instead of {len(exercise.outputs)}")
    for argument, output in zip(exercise.outputs, outputs, strict=True):
        try:
            got = _array(output)
        except (ValueError, TypeError, KeyError):
            return CaseResult(case.name, "simt", "wrong", f"{argument.name} is no array of numbers")
        wrong = compare(argument.name, got, expected[argument.name], bounds.get(argument.name), argument.dtype)
        if wrong is not None:
            return CaseResult(case.name, "simt", "wrong", wrong.says)
    return CaseResult(case.name, "simt", "right")


def _with_bytes(value: Any) -> dict[str, Any]:
    if not isinstance(value, np.ndarray):
        return _number(value)
    content = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"dtype": value.dtype.str, "shape": list(value.shape), "bytes": content}


def _array(output: dict[str, Any]) -> np.ndarray:
    """An array out of a reply. Raises ValueError, TypeError or KeyError for anything that is none."""
    dtype = np.dtype(str(output["dtype"]))
    if dtype.kind not in "biufc":
        raise ValueError(f"{dtype}")
    shape = tuple(int(extent) for extent in output["shape"])
    return np.frombuffer(base64.b64decode(output["bytes"], validate=True), dtype).reshape(shape)


def _did_not_load(exercise: Exercise, program: Program, reply: dict[str, Any]) -> Outcome:
    says = f"The cell itself stopped with an error: {str(reply['not_loaded'])[:300]}"
    return verdict.crashed(
        exercise, program, "not_loaded", says, "Run the cell in your notebook; it must end without one."
    )


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
