"""The worker's side of `commit`: what a GPU will be given of one answer, made before its values are drawn."""

from __future__ import annotations

import json

from autograder import exercises, worker
from autograder.answer.attempted import attempt_of
from autograder.classroom.jail import host_functions as jailed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.messages.conversation import JailError
from autograder.classroom.sealed import compiling, plan
from autograder.classroom.sealed.fixed import Fixed
from autograder.classroom.sealed.ptx.text import PtxRefused
from autograder.classroom.wire import Task
from autograder.running.compiled import smallest_values

# What stops it, all of which judging meets again, and tells.
STOPPED = (compiling.NotCompiled, compiling.CompilerFailed, PtxRefused, JailError, jailed.NotAllowed, jailed.NotLoaded)


def fix_task(task: Task) -> bytes:
    """What a worker says of a task that asks for nothing else: {"fixed": text, "digest"}, or {"fixed": ""}."""
    try:
        found = fix(task)
    except (*STOPPED, plan.NotPossible):
        found = None
    return json.dumps({"fixed": found.to_text() if found else "", "digest": found.digest if found else ""}).encode()


def fix(task: Task) -> Fixed | None:
    """Machine code of an answer for this machine's GPU, and its plans; None where no GPU will be given any.

    Raises: STOPPED; NotPossible.
    """
    exercise = exercises.find(task.exercise)
    attempt = attempt_of(task.program)
    architecture = worker.architecture_here()
    if task.trusted or jail.unavailable() or attempt.state != "attempted" or not architecture or exercise.on_host:
        return None
    if exercise.kind == "host":
        return jailed.fixed(exercise, task.program, task.secret, architecture)
    kinds = plan.kinds_of(exercise, smallest_values(exercise))
    return Fixed(architecture, tuple(compiling.compiled(task.program, [(exercise.function, kinds)], architecture)))
