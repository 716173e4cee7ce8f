"""Judge one task, in whatever process it lands: the notebook's judge for kernels, the jail for host functions."""

from __future__ import annotations

from dataclasses import replace

from autograder import exercises, judge, verdict
from autograder.attempted import read_attempt
from autograder.classroom import jail, jailed
from autograder.classroom.wire import Task, outcome_to_bytes
from autograder.exercise import Exercise
from autograder.outcome import Outcome

WHY_JAIL = "A host function is ordinary Python, so it is judged only in a jail without network, files or GPU."


def judge_task(task: bytes) -> bytes:
    """The outcome of a task, both as JSON bytes; this is what a worker is asked to run."""
    return outcome_to_bytes(judged(Task.from_bytes(task)))


def judged(task: Task, exercise: Exercise | None = None) -> Outcome:
    """The outcome of a task, speed included where this machine has a GPU.

    exercise: where it is in no catalogue. A host function runs in a jail; without one only if the task is trusted.
    """
    exercise = exercise or exercises.find(task.exercise)
    if not task.host:
        return with_speed(exercise, task, judge.check(exercise, task.program))
    attempt = read_attempt(task.program.source, task.program.function)
    if attempt.state != "attempted":
        return verdict.not_attempted(exercise, task.program, attempt)
    why_not = jail.unavailable()
    if not why_not:
        return jailed.check(exercise, task.program)
    if task.trusted:
        return with_speed(exercise, task, judge.check(exercise, task.program))
    return verdict.not_checkable(exercise, task.program, f"{WHY_JAIL} {why_not}", jail.REMEDY)


def with_speed(exercise: Exercise, task: Task, outcome: Outcome) -> Outcome:
    """The outcome with the speed of a right answer, where there is a GPU to time it on."""
    from autograder import backend

    if exercise.speed is None or not backend.gpu_available():
        return outcome
    from autograder.speed.race import is_right, race

    if not is_right(outcome):
        return outcome
    return replace(outcome, speed=race(exercise, task.program, outcome))
