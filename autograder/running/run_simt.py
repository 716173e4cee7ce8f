"""One run in the interpreter: a kernel launched directly, or a host function whose launches are listened to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import simt
from autograder.contract import Exercise, Values
from autograder.running.runs import Run, parameter_names
from simt.lanes.meter import Meter
from simt.tracing import Tracer


def run(
    exercise: Exercise,
    function: Callable,
    values: Values,
    *,
    traced: bool,
    sampled: bool = False,
    seed: int | None,
    seconds: float,
    lenient: bool = False,
    meter: Meter | None = None,
) -> Run:
    """Call the learner's function on `values`, which it may change.

    traced: collect findings and counters. sampled: findings of the first blocks, for cases too large to trace.
    seed: the order in which blocks run. seconds: after which it counts as hung.
    lenient: let lanes with an index out of bounds skip their access, as a traced run does, instead of raising.
    meter: counts the work of its launches, and stops them at its limit.
    Whatever the learner's code raises is in `error`; nothing is raised.
    """
    read_only = parameter_names(exercise, function, "in")
    tracer = Tracer(read_only=read_only) if traced else None
    if sampled:
        tracer = Tracer(read_only=read_only, counters=False, max_blocks=1)
    return run_with(tracer, exercise, function, values, seed=seed, seconds=seconds, lenient=lenient, meter=meter)


def run_with(
    tracer: Tracer | None,
    exercise: Exercise,
    function: Callable,
    values: Values,
    *,
    seed: int | None,
    seconds: float,
    lenient: bool = False,
    meter: Meter | None = None,
) -> Run:
    """The same with a tracer of the caller's, or None for a run that nobody listens to."""
    result = Run(after=values)
    options: dict[str, Any] = {
        "seed": seed,
        "deadline": time.monotonic() + seconds,
        "strict": tracer is None and not lenient,
    }
    options["meter"] = meter
    try:
        if exercise.kind == "kernel":
            launch_as_agreed(exercise, function, values, tracer, **options)
            result.outputs = {argument.name: values[argument.name] for argument in exercise.outputs}
        else:
            from autograder.running import run_host

            run_host.call(exercise, function, values, result, tracer, **options)
    except Exception as error:  # the learner's code may raise anything
        result.error = error
    if tracer is not None:
        _gather(tracer, result)
    return result


def launch_as_agreed(exercise: Exercise, kernel: Callable, values: Values, tracer: Tracer | None, **options) -> None:
    """Launch a kernel as its contract says. options: seed, deadline (a time.monotonic() value), strict
    and meter.

    Reading an element of an output that nobody wrote is a finding, since outputs start with no values.
    """
    grid, block, *dynamic = exercise.launch(values)
    arguments = [values[argument.name] for argument in exercise.arguments]
    if tracer is not None:
        tracer.name_source(kernel)
    simt.launch(
        kernel,
        grid,
        block,
        *arguments,
        dynamic_shared_bytes=dynamic[0] if dynamic else 0,
        listeners=tracer.listeners() if tracer else (),
        initialised=parameter_names(exercise, kernel, "in", "inout"),
        **options,
    )


def _gather(tracer: Tracer, result: Run) -> None:
    """Findings, notes and counters of everything the tracer heard; an error of the interpreter becomes a finding."""
    error, errors = result.error, simt.errors
    # these become a cause by themselves
    causes = (errors.DeadlineExceeded, errors.TooMuchWork, errors.KernelTypeError, errors.KernelNameError)
    if isinstance(error, errors.SimtError) and not isinstance(error, causes) and not getattr(error, "reason", ""):
        tracer.error(error)
    trace = tracer.result()
    result.findings = [*trace.findings, *result.findings, *trace.notes]
    result.counters |= trace.counters | trace.balance.counters
