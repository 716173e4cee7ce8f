"""One run in the interpreter: a kernel launched directly, or a host function whose launches are listened to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import simt
from autograder.contract import Exercise, Values
from autograder.diagnosis.spending import rows_of
from autograder.running.host_code.host_memory import but_warm_ups, with_launch
from autograder.running.runs import Run, line_of, parameter_names
from simt.cuda_api.host_events import listening
from simt.events import Finding
from simt.lanes.meter import Meter, worked_s
from simt.tracing import Tracer

FEW = 2  # blocks that run at a time in the first run of an exercise whose blocks wait for each other


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
    altered: bool = False,
    meter: Meter | None = None,
) -> Run:
    """Call the learner's function on `values`, which it may change.

    traced: collect findings and counters. sampled: findings of the first blocks, for cases too large to trace.
    seed: the order in which blocks run. seconds: after which it counts as hung.
    lenient: let lanes with an index out of bounds skip their access, as a traced run does, instead of raising.
    altered: let a host function find other numbers than kernels wrote; `Run.altered` says how many.
    meter: counts the work of its launches, and stops them at its limit.
    Whatever the learner's code raises is in `error`; nothing is raised.
    """
    read_only = parameter_names(exercise, function, "in")

    def once(together: int) -> Run:
        tracer = Tracer(read_only=read_only) if traced else None
        if sampled:
            tracer = Tracer(read_only=read_only, counters=False, max_blocks=1)
        options: dict[str, Any] = {"seconds": seconds, "lenient": lenient, "meter": meter, "together": together}
        return run_with(tracer, exercise, function, values, seed=seed, **options)

    if altered:
        from autograder.running.host_code.transfers import Alters

        with listening(alters := Alters()):
            return replace(once(0), altered=alters.altered)
    return once_or_slowly(once, values, 0 if seed else FEW) if exercise.waits else once(0)


def once_or_slowly(once: Callable[[int], Run], values: Values, together: int) -> Run:
    """Run blocks that wait for each other `together` at a time, and one at a time where that stands still.

    The interpreter's blocks that run together keep step: whoever has left a loop waits for those who have not, as no
    GPU would have it. One at a time they cannot; what stands still then waits for a block that has not started.
    """
    before = {name: value.copy() for name, value in values.items() if isinstance(value, np.ndarray)}
    result = once(together)
    if isinstance(result.error, simt.errors.DeadlockError):
        for name, value in before.items():
            np.copyto(values[name], value)
        result = once(1)
    return result


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
    together: int = 0,
) -> Run:
    """The same with a tracer of the caller's, or None for a run that nobody listens to. together: see `simt.launch`."""
    result = Run(after=values)
    options: dict[str, Any] = {
        "seed": seed,
        "deadline": worked_s() + seconds,
        "strict": tracer is None and not lenient,
    }
    options |= {"meter": meter, "together": together}
    try:
        if exercise.kind == "kernel":
            launch_as_agreed(exercise, function, values, tracer, **options)
            result.outputs = {argument.name: values[argument.name] for argument in exercise.outputs}
        else:
            from autograder.running.host_code import run_host

            run_host.call(exercise, function, values, result, tracer, **options)
    except Exception as error:  # the learner's code may raise anything
        result.error = error
    if tracer is not None:
        _gather(tracer, result)
        result.findings = [_with_line(one, result.error, function) for one in result.findings]
        if exercise.kind == "host":
            findings = but_warm_ups(result.findings, result.launches, result.seen)
            result.findings = [with_launch(finding, result.launches) for finding in findings]
    if exercise.kind == "kernel":  # the contract's own launch raises the limit where it asks for more (run_cuda.py)
        result.findings = [one for one in result.findings if "dynamic_shared_bytes" not in one.detail]
    return result


def launch_as_agreed(exercise: Exercise, kernel: Callable, values: Values, tracer: Tracer | None, **options) -> None:
    """Launch a kernel as its contract says. options: seed, deadline (a `worked_s()` value), strict,
    meter and together.

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


def _with_line(finding: Finding, error: BaseException | None, function: Callable) -> Finding:
    """A launch that no GPU accepts, with the line of the host function that asks for it."""
    if finding.kind != "invalid_launch" or finding.lines or error is None or not (line := line_of(error, function)):
        return finding
    return replace(finding, lines=(line,))


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
    result.lines = rows_of(trace)
