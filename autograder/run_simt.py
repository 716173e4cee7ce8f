"""One run in the interpreter: a kernel launched directly, or a host function whose launches are listened to."""

from __future__ import annotations

from collections.abc import Callable

import simt
from autograder.exercise import Exercise, Values
from autograder.runs import Run, returned_outputs
from simt import cuda_api
from simt.trace import Trace


def run(exercise: Exercise, function: Callable, values: Values, *, traced: bool, seed: int, seconds: float) -> Run:
    """Call the learner's function on `values`, which it may change.

    traced: collect findings and counters. seed: the order in which blocks run. seconds: how long launches may take.
    Whatever the learner's code raises is in `error`; nothing is raised.
    """
    result = Run(after=values)
    try:
        if exercise.kind == "kernel":
            _launch(exercise, function, values, result, traced, seed, seconds)
        else:
            _call(exercise, function, values, result, traced, seed, seconds)
    except Exception as error:  # the learner's code may raise anything
        result.error = error
    return result


def _launch(exercise: Exercise, kernel: Callable, values: Values, result: Run, traced: bool, seed: int, seconds: float) -> None:
    """Launch a kernel as the contract says."""
    grid, block, *dynamic = exercise.launch(values)
    arguments = [values[argument.name] for argument in exercise.arguments]
    trace = Trace() if traced else None
    listeners = trace.listeners if trace else ()
    try:
        simt.launch(
            kernel,
            grid,
            block,
            *arguments,
            dynamic_shared_bytes=dynamic[0] if dynamic else 0,
            listeners=listeners,
            seed=seed,
            deadline=seconds,
            strict=not traced,
        )
    finally:
        if trace:
            result.findings, result.counters = list(trace.findings), dict(trace.counters)
    result.outputs = {argument.name: values[argument.name] for argument in exercise.outputs}
