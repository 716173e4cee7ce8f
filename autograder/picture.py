"""The picture of a kernel's memory accesses on one small case of its exercise."""

from __future__ import annotations

from collections.abc import Callable

from autograder.exercise import Exercise, Sizes
from autograder.program import Program


def shown_sizes(exercise: Exercise) -> Sizes:
    """The sizes that pictures and predictions use: the exercise's own choice, or its first traced case."""
    return exercise.predict_case or next(case.sizes for case in exercise.cases if case.trace)


def draw(exercise: Exercise, function: Callable | Program, line: int | None = None):
    """Trace `function` on the exercise's shown sizes and draw what one line of it (or the most telling one) touches.

    Returns: matplotlib Figure with an `alt` text attribute.
    """
    from autograder.trial import trace_case
    from simt import figures

    program = function if isinstance(function, Program) else Program.from_function(function)
    trace = trace_case(exercise, program, shown_sizes(exercise), record=True)
    return figures.best(trace, line=line)
