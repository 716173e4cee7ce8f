"""What a kernel does on one small case of its exercise: drawn, or step by step."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np

from autograder import run_simt
from autograder.exercise import Exercise, Sizes
from autograder.program import Program
from autograder.runs import Run

SECONDS = 20.0  # longest a trace for a picture may take
ENOUGH = 64  # elements from which two warps have work
STEP_SECONDS = 5.0  # longest that a kernel runs to be stepped through; more is a loop that does not end


def shown_sizes(exercise: Exercise) -> Sizes:
    """The sizes that pictures and predictions use: its own choice, or its first traced case that keeps a warp busy.

    Where no case does, the first with work to do.
    """
    if exercise.predict_case is not None:
        return exercise.predict_case
    traced = [case.sizes for case in exercise.cases if case.trace]
    busy = [sizes for sizes in traced if all(sizes.values())]
    telling = (sizes for sizes in busy if max(sizes.values()) >= ENOUGH)
    return next(telling, (busy or traced or [exercise.cases[0].sizes])[0])


def trace(exercise: Exercise, function: Callable | Program):
    """Run `function` in the interpreter on the shown sizes, keeping the accesses that figures draw.

    Returns: simt.trace.Trace with a recording. A kernel that fails half way gives a trace of what it did.
    """
    from simt.trace import Tracer

    tracer = Tracer(record=True)
    _run(exercise, _loaded(function), tracer, SECONDS)
    return tracer.result()


def _loaded(function: Callable | Program) -> Callable:
    return function.load()[1] if isinstance(function, Program) else function


def _run(exercise: Exercise, function: Callable, tracer, seconds: float) -> Run:
    """Run a function on the shown sizes, with values that are the same every time."""
    rng = np.random.default_rng(zlib.crc32(exercise.id.encode()))
    values = exercise.make(shown_sizes(exercise), "exact", rng)
    return run_simt.run_with(tracer, exercise, function, values, seed=None, seconds=seconds, lenient=True)


def draw(exercise: Exercise, function: Callable | Program, line: int | None = None):
    """Draw what one line of a kernel, or its most telling line, touches. Returns: matplotlib Figure with `alt` text."""
    from simt import figures

    return figures.best(trace(exercise, function), line=line)


def walk(exercise: Exercise, function: Callable | Program, block: int, thread: int):
    """Go through one block of a kernel (of a host function's first launch) on the shown sizes, line by line.

    block, thread: linear ids. Returns: simt.stepper.Stepper.
    Raises: ValueError for a block or thread that the launch does not have; simt.stepper.NothingToStep.
    """
    from simt.stepper import NothingToStep, StepRecorder, stepper_of
    from simt.trace import Tracer

    function, recorder = _loaded(function), StepRecorder(block)
    tracer = Tracer(also=[recorder])
    error = _run(exercise, function, tracer, STEP_SECONDS).error
    if recorder.recording.launch is None:
        why = str(error) if error else f"{exercise.function} launches no kernel here."
        raise NothingToStep(f"There is no step to show. {why}")
    return stepper_of(recorder, tracer.result(), function, thread, str(error or ""))
