"""Judge a host function: its plan is recorded in a jail, then carried out here on the judge's own inputs.

No student Python runs outside the jail, and no input enters the one in which it runs. The kernels that a plan launches
are read from source, as everywhere, and interpreted in another jail. Where host code looks at a few bytes of a result
between its launches, the plan is carried out as far as that, those bytes are handed in, and it is recorded again. From
then on it may decide what to launch, but not bring in a number that it did not have before: a result that Python
computed from what it saw would be such a number.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from autograder import judge, verdict
from autograder.answer.program import Piece, Program
from autograder.classroom.jail import host_outcomes, interpreter, plan
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.jail.host_outcomes import LOOK_YOURSELF, Plans
from autograder.classroom.jail.plan_values import key_of
from autograder.classroom.jail.visit import Visit, tried_again
from autograder.classroom.messages.travel import array_as_json, array_of, geometry_as_json, number_as_json
from autograder.classroom.reading.assemble import assemble
from autograder.classroom.reading.extract import kernel_names
from autograder.classroom.reading.scope import NotAllowed, Scope
from autograder.classroom.sealed import compiling
from autograder.classroom.sealed.fixed import Fixed
from autograder.classroom.sealed.host_stage import Recorded, SealedPlans, kernels_of
from autograder.contract import Case, Exercise, Values
from autograder.outcome import Outcome, TimedOut
from autograder.running import buffers
from autograder.running.cases.corners import without_corners
from autograder.running.cases.more_cases import all_cases

SECONDS = 40.0  # of computing, to carry a record out
RECORD_S = 5.0  # of computing, for one recording of all cases; the course's own take less than one
KEYS_BYTES = 1 << 20  # of a record, for the keys of its plans
ROUNDS = 4  # of handing results in and recording again
NOT_IN_A_RECORD = "which such a record does not have."
BEYOND = "In class a host function is recorded without data, and the record is carried out. This one {does}, "


class NotLoaded(Exception):
    """The cell raised when it was run in the jail."""


class ComputedOnTheHost(Exception):
    """Host code did with a result what a kernel should have done; the message says how it shows."""


def judged_on(
    exercise: Exercise, program: Program, secret: str, on_gpu: SealedPlans | None = None, cases: Sequence[Case] = ()
) -> Outcome:
    """The outcome of a host function. program: the student's cells as they are, after the unit's own setup.

    secret: of the values, as in `buffers.make_values`; on_gpu: the GPU's stage, None for the interpreter alone;
    cases: to judge it on, () for those of the contract and what follows from them, without corners.
    """
    exercise = replace(exercise, budgets=()) if cases else without_corners(exercise)
    cases = cases or all_cases(exercise, program.source, secret)
    values = [buffers.make_values(exercise, case, secret) for case in cases]
    asked = partial(_judged, exercise, program, values, secret=secret, cases=cases)
    try:
        known = on_gpu.fixed if on_gpu else None
        plans = known.plans if known and known.plans else _record(exercise, program, values, [])
        if beyond := next((found["beyond"] for found in plans if found["beyond"]), ""):
            return verdict.not_checkable(exercise, program, BEYOND.format(does=beyond) + NOT_IN_A_RECORD, LOOK_YOURSELF)
        outcome = asked(plans, on_gpu=on_gpu)
        if any(found["long"] for found in plans):
            return outcome if isinstance(outcome, TimedOut) else host_outcomes.too_long(exercise, program)
        if not outcome.passed and any(plan.looks_at_results(found) for found in plans):
            plans = _record_with_results(exercise, program, values, plans)
            outcome = asked(plans, by_data=True)
    except NotLoaded as error:
        return verdict.crashed(exercise, program, "not_loaded", str(error), "Run the cell in your notebook first.")
    except jail.JailError as error:
        return host_outcomes.of_jail_error(exercise, program, error, RECORD_S)
    except NotAllowed as error:
        return host_outcomes.refused(exercise, program, error)
    except ComputedOnTheHost as error:
        return host_outcomes.in_doubt(host_outcomes.computed(exercise, program, str(error)))
    outcome = replace(outcome, source=program.source, first_line=program.first_line)
    if outcome.passed:
        return outcome
    explained = host_outcomes.explained(exercise, outcome, plans)
    return host_outcomes.in_doubt(explained) if any(map(plan.brings_in, plans)) else explained


def fixed(exercise: Exercise, program: Program, secret: str, architecture: str) -> Fixed | None:
    """What a GPU of this architecture will be given of a host function; None where nothing can be recorded.

    Raises: NotLoaded, jail.JailError and NotAllowed, as `judged_on` catches them; what `compiling.compiled` raises.
    """
    exercise = without_corners(exercise)
    values = [buffers.make_values(exercise, case, secret) for case in all_cases(exercise, program.source, secret)]
    plans = _record(exercise, program, values, [])
    if any(found["beyond"] or found["long"] for found in plans):
        return None
    recorded = _recorded(exercise, program, values, plans)
    kernels = kernels_of(recorded, exercise, values)
    codes = compiling.compiled(recorded.kernels, kernels, architecture) if kernels else []
    return Fixed(architecture, tuple(codes), plans)


def recorded(exercise: Exercise, program: Program, values: Values, is_ours: bool = False) -> Recorded:
    """What a host function asks for on arguments of this geometry. is_ours: the program is the course's own.

    Raises: NotLoaded, jail.JailError and NotAllowed, as `judged_on` catches them; RuntimeError for what it raised.
    """
    (found,) = _record(exercise, program, [values], [])
    if found["error"]:
        raise RuntimeError(f"the host function raised {found['error']['type']}: {found['error']['message']}")
    return _recorded(exercise, program, [values], [found], is_ours=is_ours)


def _recorded(
    exercise: Exercise, program: Program, values: Sequence[Values], plans: Plans, by_data: bool = False, is_ours=False
) -> Recorded:
    """Plans with the kernels that they launch. by_data: they hold for exactly these values."""
    keyed, names, data = _keyed(exercise, values, plans, by_data)
    if is_ours:  # it may import its kernels, which a student's cells may not
        return Recorded(keyed, names, program, data)
    return Recorded(keyed, names, Program("", exercise.function, setup=tuple(_kernels(exercise, program, plans))), data)


def _record(exercise: Exercise, program: Program, values: Sequence[Values], answers: list) -> Plans:
    """What the host function asks for in each case, knowing the geometry of its arguments and `answers`."""
    calls = _visit(exercise, program, "plan", [_geometry(exercise, value) for value in values], answers)
    try:
        plans = [plan.checked(call) for call in calls]
    except plan.NotAPlan as error:
        raise jail.JailError("died", f"It did not end as it should: {error}.") from None
    if not exercise.by_order and any(found["beyond"] for found in plans):
        raise jail.JailError("died", "It said of itself what no record of this exercise says.")
    return plans


def _record_with_results(exercise: Exercise, program: Program, values: list[Values], plans: Plans) -> Plans:
    """Record again with the results that the plans' own launches give, until these no longer change."""
    cases = [{name: _given(value) for name, value in _arguments(exercise, case).items()} for case in values]
    first = plans
    answers: list = []
    for turn in range(ROUNDS):
        carried_out = _replay_program(exercise, program, values, plans, by_data=turn > 0)
        results = [_handed_in(call) for call in _visit(exercise, carried_out, "downloads", cases, [])]
        if results == answers:
            break
        answers = results
        plans = _record(exercise, program, values, answers)
        for before, after in zip(first, plans, strict=True):
            if new := plan.numbers_of(after) - plan.numbers_of(before):
                raise ComputedOnTheHost(f"After it had seen a result it used {plan.in_words(sorted(new)[0])}")
    return plans


def _handed_in(downloads: Any) -> list:
    """Of what a plan copied back, as much as may be handed in: whole copies from the first on, of a few bytes together.

    Raises JailError unless these are arrays as JSON.
    """
    if not isinstance(downloads, list):
        raise jail.JailError("died", "The results are no list.")
    kept, n_bytes = [], 0
    for download in downloads:
        try:
            n_bytes += array_of(download).nbytes
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise jail.JailError("died", f"A result is no array of numbers ({error}).") from None
        if n_bytes > host_outcomes.MAX_HANDED_IN_BYTES:
            break
        kept.append(download)
    return kept


def _judged(
    exercise: Exercise,
    program: Program,
    values: list[Values],
    plans: Plans,
    *,
    secret: str,
    cases: Sequence[Case],
    on_gpu: SealedPlans | None = None,
    by_data: bool = False,
) -> Outcome:
    """The outcome of plans, carried out. The kernels are a student's: they are interpreted in a jail, and where there
    is a GPU, it is given their machine code.
    """
    replay = _replay_program(exercise, program, values, plans, by_data)
    asked = {"secret": secret, "drawn_from": program.source, "interpreter": interpreter.interpret, "cases": cases}
    if on_gpu is None:
        return judge.check(exercise, replay, device="simt", apart=False, **asked)  # type: ignore[arg-type]
    on_gpu.recorded, on_gpu.values, on_gpu.plans = _recorded(exercise, program, values, plans, by_data), values, plans
    outcome = judge.check(exercise, replay, on_gpu=on_gpu.run_on_gpu, apart=False, **asked)  # type: ignore[arg-type]
    return on_gpu.told(outcome)


def _visit(exercise: Exercise, program: Program, want: str, cases: list, answers: list) -> list[dict[str, Any]]:
    """Ask the jail. Raises: NotLoaded; JailError, also for a reply that is no reply."""
    request = {"want": want, "exercise": exercise.id, "program": program.to_json(), "cases": cases, "answers": answers}

    def attempt() -> dict[str, Any]:
        with Visit() as visit:
            most_s = RECORD_S if want == "plan" else SECONDS
            return visit.ask({"visit": "plan", **request}, seconds=most_s)[0]

    reply = tried_again(attempt)
    if "not_loaded" in reply:
        raise NotLoaded(f"The cell itself stopped with an error: {str(reply['not_loaded'])[:300]}")
    calls = reply.get("calls")
    if not isinstance(calls, list) or len(calls) != len(cases):
        raise jail.JailError("forged", "It ended before it was done.")
    return calls


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
    """A program that carries the plans out: the unit's setup, the kernels they launch, and one function."""
    keyed, names, data = _keyed(exercise, values, plans, by_data)
    text = json.dumps(keyed)
    if len(json.dumps(text)) > plan.MAX_RECORD_BYTES + KEYS_BYTES:
        raise jail.JailError("too_much", "Its record is longer than the jail makes one.")
    called = ", ".join(names)
    call = f"replayed({text!r}, globals(), {names!r}, {data!r}, {called})"
    source = f"def {exercise.function}({called}):\n    return {call}\n"
    helper = Piece("from autograder.classroom.jail.replay import replayed\n", "replay")
    return Program(source, exercise.function, "replay", 1, (*_kernels(exercise, program, plans), helper))


def _keyed(
    exercise: Exercise, values: Sequence[Values], plans: Plans, by_data: bool
) -> tuple[dict[str, dict[str, Any]], list[str], list[int]]:
    """Plans by the key of their arguments; the arguments' names; and the places of those that may count by value.

    by_data: plans hold for exactly these values; otherwise the first plan for a geometry holds for all of it.
    """
    roles = {argument.name: argument.role for argument in exercise.arguments}
    names = list(_arguments(exercise, values[0]))
    data = [n for n, name in enumerate(names) if roles[name] in ("in", "inout")]
    keyed: dict[str, dict[str, Any]] = {}
    for value, found in zip(values, plans, strict=True):
        keyed.setdefault(key_of(list(_arguments(exercise, value).values()), data if by_data else ()), found)
    return keyed, names, data


def _kernels(exercise: Exercise, program: Program, plans: Plans) -> list[Piece]:
    """The unit's setup, then of each cell the kernels that are launched, read and not run, with the cell's lines."""
    launched = [step.get("kernel") for found in plans for step in found["steps"] if step["do"] == "launch"]
    launched = frozenset(name for name in launched if isinstance(name, str))
    trusted = [piece for piece in program.setup if piece.trusted]
    handed_in = [piece for piece in program.setup if not piece.trusted]
    handed_in.append(Piece(program.source, program.filename, program.first_line))
    scope = Scope.of_trusted(piece.source for piece in trusted)
    kernels = frozenset().union(*(kernel_names(piece.source) for piece in handed_in))
    lost = sorted(launched - kernels - scope.functions)  # a plan names what it likes: it is told from the text
    if lost:
        raise NotAllowed(f"a launch of `{lost[0][:60]}`, which no plain function under @cuda.jit defines")
    pieces, _, _ = assemble(handed_in, launched & kernels, scope)
    return [*trusted, *pieces]
