"""Judge one task, in whatever process it lands. What was handed in is loaded in jails only."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from autograder import exercises, judge, verdict
from autograder.answer.attempted import attempt_of
from autograder.answer.program import Program
from autograder.classroom.jail import host_check, interpreter, pictures, visit
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.ledger.provenance import made_with
from autograder.classroom.sealed import serving
from autograder.classroom.sealed import timing as sealed_timing
from autograder.classroom.sealed.fixed import Fixed
from autograder.classroom.sealed.fixing import fix_task
from autograder.classroom.sealed.serving import Seat
from autograder.classroom.sealed.stage import FACTS, Sealed
from autograder.classroom.wire import Reply, Task, own_folders
from autograder.contract import Exercise
from autograder.diagnosis.capability import gpu_runs
from autograder.exercises import own
from autograder.outcome import NotCheckable, Outcome, Speed
from autograder.speed.race import measure, race

Timing = Callable[[Exercise, Program], dict[str, Any]]
WHY_JAIL = "What somebody handed in is judged only in a jail without network or files."
NOT_HERE = "the worker on {machine} has no folder {folder}: --own needs one that all machines see at the same place"


def judge_task(task: bytes) -> bytes:
    """The reply to a task, both as JSON bytes; this is what a worker is asked to run. See `fixing` for `fix`."""
    know_own(own_folders(task))
    asked = Task.from_bytes(task)
    if asked.fix:
        return fix_task(asked)
    outcome = judged(asked)
    return Reply(outcome, {**made_with(), **outcome.facts.get(FACTS, {})}).to_bytes()


def know_own(folders: Sequence[str]) -> None:
    """Let this worker, and the jails that it makes from now on, know folders of exercises too.

    Raises: OwnFolderError where this machine does not have them at these places.
    """
    here = [str(folder) for folder in own.folders()]
    if new := [folder for folder in folders if folder not in here]:
        if missing := [folder for folder in new if not Path(folder).is_dir()]:
            raise own.OwnFolderError(NOT_HERE.format(folder=missing[0], machine=platform.node()))
        for folder in new:
            exercises.add_folder(folder)
        visit.stop()  # a warm jail shows what was known when it was made


def judged(task: Task, exercise: Exercise | None = None) -> Outcome:
    """The outcome of a task, speed included where this machine has a GPU. A failure of ours is NotCheckable.

    exercise: where it is in no catalogue. The program runs in a jail; without one only if the task is trusted.
    """
    exercise = exercise or exercises.find(task.exercise)
    with Seat() as seat:
        try:
            outcome, timing = _right_or_wrong(exercise, task, seat)
        except Exception as error:  # what a student's code raises is handled where it runs
            return verdict.our_failure(exercise, task.program, error)
        return with_speed(exercise, task, _with_picture(exercise, task, outcome), timing)


def _with_picture(exercise: Exercise, task: Task, outcome: Outcome) -> Outcome:
    """The outcome with a picture of what was found, where there is a jail to ask; without one where that fails."""
    if task.host or jail.unavailable():
        return outcome
    try:
        return pictures.with_picture(exercise, task.program, outcome)
    except Exception:  # a picture decides nothing
        return outcome


def _right_or_wrong(exercise: Exercise, task: Task, seat: Seat) -> tuple[Outcome, Timing]:
    """The outcome without speed, and what may time such a program, in the same launcher."""
    stage = Sealed(fixed=Fixed.of(task.fixed) if task.fixed else None, drawn=task.drawn, seat=seat)
    sealed = partial(sealed_timing.measure, secret=task.secret, record=jailed.recorded, stage=stage)
    why_not = jail.unavailable()
    attempt = attempt_of(task.program)
    if attempt.state != "attempted":
        return verdict.not_attempted(exercise, task.program, attempt), sealed
    if why_not and not task.trusted:
        return verdict.not_checkable(exercise, task.program, f"{WHY_JAIL} {why_not}", jail.remedy()), sealed
    if exercise.on_host and not why_not:  # no record without its values shows what NumPy makes of them
        found = judge.check(
            exercise, task.program, device="simt", secret=task.secret, interpreter=interpreter.interpret
        )
        return found, sealed
    if not why_not and gpu_runs(exercise):
        serving.start_ahead()  # while the answer is interpreted
    if task.host and not why_not:
        return host_check.check(exercise, task.program, task.secret, stage.fixed, task.drawn, seat), sealed
    if why_not or task.host:
        return judge.check(exercise, task.program, secret=task.secret), measure
    return _kernel(exercise, task, stage), sealed


def _kernel(exercise: Exercise, task: Task, stage: Sealed) -> Outcome:
    """A kernel: interpreted in the jail, then, where there is a GPU, carried out there as machine code from a jail."""
    outcome = judge.check(
        exercise, task.program, secret=task.secret, interpreter=interpreter.interpret, on_gpu=stage.run_on_gpu
    )
    return stage.told(outcome)


def with_speed(exercise: Exercise, task: Task, outcome: Outcome, timing: Timing) -> Outcome:
    """The outcome with its speed where there is a GPU to time on: 0 points for what is not right yet."""
    if exercise.speed is None or not gpu_runs(exercise) or isinstance(outcome, NotCheckable):
        return outcome
    try:
        speed = race(exercise, task.program, outcome, timing=timing)
    except Exception as error:  # the clock failed, which takes nothing from a right answer
        says = f"Speed could not be measured ({verdict.words_of_failure(error)}). That is a mistake of ours."
        speed = Speed(False, says, max_points=exercise.speed.points, details={"error": says})
    if failed := speed.details.get("error", ""):
        speed = replace(speed, review=f"no time was taken ({failed})")
    return replace(outcome, speed=speed)
