"""The picture of a kernel's memory accesses on one small case of its exercise."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np

from autograder import run_simt
from autograder.exercise import Exercise, Sizes
from autograder.program import Program

SECONDS = 20.0  # longest a trace for a picture may take


def shown_sizes(exercise: Exercise) -> Sizes:
    """The sizes that pictures and predictions use: its own choice, or its first traced case with work to do."""
    if exercise.predict_case is not None:
        return exercise.predict_case
    traced = [case.sizes for case in exercise.cases if case.trace]
    return next((sizes for sizes in traced if all(sizes.values())), traced[0] if traced else exercise.cases[0].sizes)


def trace(exercise: Exercise, function: Callable | Program):
    """Run `function` in the interpreter on the shown sizes, keeping the accesses that figures draw.

    Returns: simt.trace.Trace with a recording. A kernel that fails half way gives a trace of what it did.
    """
    from simt.trace import Tracer

    if isinstance(function, Program):
        function = function.load()[1]
    rng = np.random.default_rng(zlib.crc32(exercise.id.encode()))
    values = exercise.make(shown_sizes(exercise), "exact", rng)
    tracer = Tracer(record=True)
    run_simt.run_with(tracer, exercise, function, values, seed=0, seconds=SECONDS, lenient=True)
    return tracer.result()


def draw(exercise: Exercise, function: Callable | Program, line: int | None = None):
    """Draw what one line of a kernel, or its most telling line, touches. Returns: matplotlib Figure with `alt` text."""
    from simt import figures

    return figures.best(trace(exercise, function), line=line)
