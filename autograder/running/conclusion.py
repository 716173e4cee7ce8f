"""What all cases of a trial show together: its causes in order, what a learner sees first, and its notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.contract import Case, Exercise, Values
from autograder.diagnosis import diagnose, work
from autograder.diagnosis.advice.beginnings import in_view_of_beginnings
from autograder.diagnosis.advice.conditions import in_view_of_conditions
from autograder.diagnosis.advice.draws import in_view_of_draws
from autograder.diagnosis.advice.giving_up import in_view_of_giving_up
from autograder.diagnosis.advice.places import Shape, advice_on_repeats, in_view_of_places
from autograder.diagnosis.advice.swaps import in_view_of_swaps
from autograder.diagnosis.advice.waiting_blocks import in_view_of_waiting
from autograder.diagnosis.other_cases import in_their_view, of_another_launch
from autograder.diagnosis.outputs import cause_of_output, in_view_of_the_solution
from autograder.diagnosis.room import fixed_room
from autograder.diagnosis.unread import in_view_of_unread
from autograder.outcome import Cause
from autograder.running import empty_queue
from autograder.running.buffers import fresh, make_values
from autograder.running.evidence import has_elements
from autograder.running.exceptions import cause_of_error
from autograder.running.host_code.grids import in_view_of_grids
from autograder.running.runs import line_of, parameter_names
from autograder.running.session import Session
from simt.errors import DeadlockError
from simt.lanes.meter import Meter

SEVERAL = 2  # blocks
RAISED = ("deadlock", "out_of_bounds")  # kinds of causes that end a run, in which nothing else is heard
MOST_TOLD = 100  # findings of an answer
STEPS_BLOCK_BY_BLOCK, SECONDS = 20_000, 60.0
WHATEVER_IT_FINDS = (
    "How far the others are when a block looks differs from run to run. Whatever it finds of them, a part or the "
    "whole, its own result must come out the same: check what each word stands for, and which of them count."
)
SEARCH_FAILED = "The search for the line to change failed ({error}): a mistake of ours. The verdict stands without it."


def conclude(session: Session) -> None:
    """Read the kept failures and the findings of a session, and leave causes and notes in its trial."""
    trial = session.trial
    causes = list(_of_outputs(session))
    seen_at: dict[Cause, Case] = {}
    names = parameter_names(session.exercise, session.function, "out")  # a host function's kernels are its own business
    told = [one for one in _told(session, bool(causes)) if not diagnose.explained(one, causes[:1], names)]
    first, empty = diagnose.first_of_each(told), _empty(session, names)
    for finding in sorted(told, key=lambda one: id(one) not in first)[:MOST_TOLD]:
        cause = diagnose.counted(finding)
        if id(finding) in first:
            cause = diagnose.cause_of_finding(finding, session.program, names, session.findings)
            cause = in_view_of_waiting(cause, finding, session.program, session.exercise.waits)
            cause = in_view_of_beginnings(cause, finding, session.program, empty)
        causes.append(cause)
        seen_at[cause] = session.case_of[id(finding)]
    trial.causes = [in_view_of_draws(one, session.program) for one in (*trial.causes, *causes)] or session.of_nothing
    wrong = [case for case in session.tried if case.name in _not_right(session)]
    named_alone = bool(wrong) and all(case.last for case in wrong)
    room = fixed_room(session.rooms, named_alone) if named_alone or trial.nothing_wrong else None
    trial.causes = trial.causes if room is None else [room]  # in place of what an array that did not fit looks like
    if trial.nothing_wrong:
        _try_long_arrays(session)
        _try_block_by_block(session)
    trial.causes = list(diagnose.settle(trial.causes))
    where = seen_at.get(trial.causes[0]) if trial.causes else None
    if where is not None or trial.causes and trial.causes[0].kind in RAISED:
        trial.causes[0] = _searched(_tried, session, trial.causes[0])
    if where is not None:
        trial.observed = session.observed.get(where.name, trial.observed)
        trial.told_sizes = dict(where.sizes)
    elif causes:
        trial.observed = _where_there_is_something(session)
    twice = filter(None, (_stored_twice(note, session) for note in session.remarks))
    trial.repeats = [*session.repeated, *twice][:1]
    if trial.device == "simt" and trial.nothing_wrong:
        trial.repeats += filter(None, [empty_queue.ignored(session)])
    true = diagnose.still_true(session.remarks, session.findings)
    remarks = diagnose.widest([note for note in true if note.kind != "race" or not session.failures])
    trial.notes = list(dict.fromkeys([*(remark.message for remark in remarks), *session.failed_searches]))


def _empty(session: Session, names: tuple[str, ...]) -> set[str]:
    """The kernel's names for outputs that no case has an element of. names: of all outputs that begin empty."""
    if any(result.status == "right" for result in session.trial.cases):
        return set()
    known = [one.name for one in session.exercise.arguments if one.role == "out"]
    written = {one.name for failure in session.failures for one in failure.outputs if not one.unwritten.all()}
    wrong = {one.name for failure in session.failures for one in failure.outputs} - written
    return {name for name, one in zip(names, known, strict=False) if one in wrong}


def _where_there_is_something(session: Session) -> str:
    """What the learner observes first, but not that the code stopped where there is nothing to do: another mistake."""
    empty = session.stopped & {case.name for case in session.tried if not has_elements(case)}
    seen = (words for name, words in session.observed.items() if name not in empty)
    return next(seen, session.trial.observed)


def _of_outputs(session: Session) -> Iterator[Cause]:
    """The cause of wrong outputs, where there are any."""
    if session.failures:
        failures = [(failure.values, failure.outputs) for failure in session.failures]
        odd_ones = [mismatch for failure in session.failures for mismatch in failure.odd]
        right = _right_values(session)
        cause = cause_of_output(session.exercise, failures, odd_ones, right)
        compared = next((failure.compared for failure in session.failures if failure.compared), "")
        cause = in_view_of_swaps(_in_view_of_the_others(session, cause), session.program)
        cause = in_view_of_unread(cause, session.exercise, session.program)
        cause = in_view_of_places(cause, session.program, _widest_launch(session, failures))
        cause = in_view_of_conditions(cause, session.exercise, session.program)
        cause = in_view_of_grids(cause, session.exercise, session.program)
        cause = in_view_of_giving_up(cause, session.program)
        cause = _searched(_read, session, cause)
        cause = in_view_of_the_solution(_searched(_repaired, session, cause), compared)
        waits = session.exercise.waits and cause.misconception == "order_dependent"
        yield replace(cause, remedy=WHATEVER_IT_FINDS) if waits else cause


def _searched(search: Callable[[Session, Cause], Cause], session: Session, cause: Cause) -> Cause:
    """What a search makes of a cause. Where it fails itself the cause stays as it was, with a note: a verdict is worth
    more than the advice that goes with it."""
    try:
        return search(session, cause)
    except Exception as error:
        session.failed_searches.append(SEARCH_FAILED.format(error=f"{type(error).__name__}: {error}"))
        return cause


def _read(session: Session, cause: Cause) -> Cause:
    """A wrong output with what nobody reads of an input, where nothing else is known."""
    from autograder.repair.never_read import in_view_of_what_is_read  # runs the answer once more

    return in_view_of_what_is_read(session, cause)


def _repaired(session: Session, cause: Cause) -> Cause:
    """A wrong output with the line that an edit repairs, where nothing else gives it one."""
    from autograder.repair.told import in_view_of_repairs  # which runs the answer, too

    return in_view_of_repairs(session, cause)


def _tried(session: Session, cause: Cause) -> Cause:
    """A cause whose remedy was carried out on a copy, where it says what to type."""
    from autograder.repair.told import in_view_of_remedies

    return in_view_of_remedies(session, of_another_launch(cause, *_right_and_wrong(session), session.program))


def _widest_launch(session: Session, failures: list) -> Shape | None:
    """The launch of the failing case with the most threads; None where the answer launches itself."""
    launch = session.exercise.launch if session.exercise.kind == "kernel" else None
    if launch is None:
        return None
    shapes = [tuple((*np.atleast_1d(size).tolist(), 1, 1)[:3] for size in launch(values)[:2]) for values, _ in failures]
    return Shape(*max(shapes, key=lambda shape: int(np.prod(shape)))) if shapes else None


def _stored_twice(note: Any, session: Session) -> Cause | None:
    """Work that is done several times over, and what to do where the source tells."""
    cause = work.stored_twice(note)
    advice = advice_on_repeats(note, session.program) if cause else ""
    return replace(cause, remedy=advice) if cause and advice else cause


def _not_right(session: Session) -> set[str]:
    """Names of the cases that ran and did not come right."""
    return {result.name for result in session.trial.cases if result.status not in ("right", "not_run")}


def _right_values(session: Session) -> list[Values]:
    """The arguments of the cases that are right, those of large arrays left out: what a slip would have made wrong."""
    right = {result.name for result in session.trial.cases if result.status == "right"}
    small = [case for case in session.tried if case.name in right and (case.trace or session.untraced)]
    return [make_values(session.exercise, case, session.secret) for case in small]


def _told(session: Session, outputs_wrong: bool) -> list:
    """The findings that are told, without repeats; those of cases without elements only where there are no others."""
    full = [finding for finding in session.findings if has_elements(session.case_of[id(finding)])]
    told = full if full or outputs_wrong or session.trial.causes else session.findings
    odd = {known for known, case in session.case_of.items() if not all(size > 1 for size in case.sizes.values())}
    return diagnose.widest(told, odd)


def _in_view_of_the_others(session: Session, cause: Cause) -> Cause:
    """A cause that was read from wrong outputs, unless the cases that are right refute it."""
    exercise = session.exercise
    right, wrong = _right_and_wrong(session)
    kernel = session.program.definition if exercise.kind == "kernel" else None
    own = parameter_names(exercise, session.function)
    names = dict(zip((argument.name for argument in exercise.arguments), own, strict=False))
    return in_their_view(cause, right, wrong, kernel, names, session.program.helpers)


def _right_and_wrong(session: Session) -> tuple[list[Case], list[Case]]:
    """The cases with elements that are right, and those that are wrong or that the code did not get through."""
    by_name = {case.name: case for case in session.tried if has_elements(case)}
    status = {result.name: result.status for result in session.trial.cases if result.name in by_name}
    states = (("right",), ("wrong", "crashed"))
    right, wrong = ([case for name, case in by_name.items() if status[name] in some] for some in states)
    return right, wrong


def _try_long_arrays(session: Session) -> None:
    """What only launches for long arrays show, of a host function that is right otherwise and launches anything."""
    trial, exercise = session.trial, session.exercise
    if exercise.kind != "host" or exercise.on_host or trial.device != "simt" or trial.causes:
        return
    from autograder.running.host_code import dry_launches  # knows the interpreter

    if found := dry_launches.refused(exercise, session.function):
        case, cause = found
        if cause.kind == "over_budget":  # whatever else it costs may be the reason
            session.repeated.append(cause)
            return
        trial.causes.append(cause)
        trial.observed = f"Every case is right, but at {case.name} no GPU accepts the launch."


def _try_block_by_block(session: Session) -> None:
    """Whether a kernel that is right otherwise waits for blocks that may not have started, as no GPU promises.

    Exercises whose blocks have to wait for each other are run with few of them at a time in every case.
    """
    exercise, trial, text = session.exercise, session.trial, session.program.text
    may_wait = exercise.kind == "kernel" and not exercise.waits and "atomic" in text and "while" in text
    if trial.device != "simt" or trial.causes or not may_wait:
        return
    from autograder.running import run_simt  # the interpreter

    for case in exercise.cases:
        values = make_values(exercise, case, session.secret)
        if not (case.trace and has_elements(case)) or exercise.launch is None or _blocks(exercise, values) < SEVERAL:
            continue
        meter = Meter(STEPS_BLOCK_BY_BLOCK)
        options: dict[str, Any] = {"seed": None, "seconds": SECONDS, "meter": meter, "together": 1}
        error = run_simt.run_with(None, exercise, session.function, fresh(exercise, values, 0), **options).error
        if isinstance(error, DeadlockError):
            trial.causes.append(cause_of_error(error, line_of(error, session.function), session.program)[1])
            trial.observed = f"It is right at {case.name}, where all blocks run at once, and stands still otherwise."
        return


def _blocks(exercise: Exercise, values: Values) -> int:
    return int(np.prod(exercise.launch(values)[0])) if exercise.launch else 0
