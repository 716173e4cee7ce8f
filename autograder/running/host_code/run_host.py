"""One run of a host function over the interpreter: its launches are intercepted, its copies and allocations counted.

Works wherever `numba.cuda` has no GPU, because the stand-in takes its place there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

import numpy as np

import simt
from autograder import backend
from autograder.contract import Exercise, Values
from autograder.running.host_code.host_lines import TooManyLaunches, counted, line_in, uncounted
from autograder.running.host_code.host_memory import Copied, poisoned
from autograder.running.host_code.timings import Timings
from autograder.running.host_code.transfers import Ledger
from autograder.running.runs import Launched, Run, given, returned_outputs
from simt import cuda_api
from simt.cuda_api import host_events
from simt.host_order.clocks import DEFAULT_STREAM
from simt.host_order.host_arrays import plain
from simt.host_order.timeline import Task, timeline_of
from simt.host_order.watch import HostOrder, watch
from simt.lanes.meter import Meter
from simt.tracing import Tracer

LAUNCH_STEPS = 20  # of the interpreter, which a launch takes about as long as
MANY_LAUNCHES = 200  # of short kernels: then the host is what does not end
OVERLAP = "overlap"  # the longest of copies up, kernels and copies down over the whole timeline; 1.0 hides the others
STREAMS = "streams"  # that had work to do, the default stream not counted
OF_DEFAULT_STREAM = "default_stream_operations"  # copies and kernels that named no stream
SIDE_BY_SIDE = "kernels_side_by_side"  # that need not wait for the one that another stream was given before them
PAGEABLE = "pageable_bytes"  # that crossed between the device and memory of the host that is not pinned
BESIDE = "host_bytes_beside"  # that the host wrote to pinned or mapped arrays while the device had something to do
HOST_WAITS = "host_waits"  # times that the host waited for the device; consecutive ones are one


def call(
    exercise: Exercise, function: Callable, values: Values, result: Run, tracer: Tracer | None, **options: Any
) -> None:
    """Call a host function and fill `result`. options: seed, deadline, strict, meter and together of every launch."""
    backend.prepare()
    code = getattr(function, "__code__", None)
    filename = code.co_filename if code else ""
    ledger = Ledger(keeps=tracer is not None, filename=filename)

    launcher = _launcher(result, tracer, filename, options)
    timings = Timings()
    orders, memory = watch() if tracer else nullcontext(), poisoned(function, 1 if options.get("seed") else 0)
    copied = Copied()
    counts = _heard(ledger, timings, copied)
    with cuda_api.intercept(launcher), counts, memory, counted(function), orders as order:
        arguments = arguments_of(exercise, values)
        result.seen = [*arguments]
        returned = function(*arguments)
        if order is not None and exercise.arrays == "pinned":
            order.returns({a.name: arguments[at] for at, a in enumerate(exercise.arguments) if a in exercise.outputs})
        if order is not None and exercise.arrays == "host":
            order.returns(_shared_with_device(exercise, returned))
    result.seen += copied.arrays
    result.room = ledger.room(values)
    result.counters |= {**ledger.counts, **timings.counts, **timings.kept_in(_of_caller(exercise, values))}
    if order is not None:
        result.findings += order.findings
        result.counters |= _of_order(order)
    if exercise.arrays == "host":
        result.outputs = returned_outputs(exercise, returned)
    names = [a.name for a in exercise.outputs if a.role == "inout" or exercise.arrays != "host"]
    result.outputs.update({name: values[name] for name in names})
    if tracer is not None:
        inputs = {a.name: values[a.name] for a in exercise.arguments if a.role in ("in", "inout") and a.shape}
        result.counters.update(ledger.shares(result.outputs, inputs))


def _launcher(result: Run, tracer: Tracer | None, filename: str, options: dict[str, Any]) -> Callable[..., None]:
    """What runs the launches of a host function. filename: of its code; options: of every launch, as in `call`."""
    meter = options.get("meter") or Meter()

    def launcher(kernel, grid, block, *arguments, dynamic_shared_bytes=0, **_debug) -> None:
        blocks, threads = int(np.prod(grid)), int(np.prod(block))
        result.launches.append(Launched(kernel, arguments, blocks, threads, line_in(filename)))
        if tracer is not None:
            tracer.name_source(kernel)
        heard = {"listeners": tracer.listeners() if tracer else (), "dynamic_shared_bytes": dynamic_shared_bytes}
        meter.steps += LAUNCH_STEPS
        try:
            with uncounted():
                simt.launch(kernel, grid, block, *arguments, **heard, **{**options, "meter": meter})
        except simt.errors.TooMuchWork as error:
            if not error.turn and len(result.launches) >= MANY_LAUNCHES:
                name = getattr(kernel, "__name__", "a kernel")
                raise TooManyLaunches(line_in(filename), len(result.launches), name) from None
            raise

    return launcher


@contextmanager
def _heard(*listeners: host_events.HostListener) -> Iterator[None]:
    """Each of them is told what the host asks of the device."""
    with ExitStack() as stack:
        for listener in listeners:
            stack.enter_context(host_events.listening(listener))
        yield


def _of_order(order: HostOrder) -> dict[str, float]:
    """The counters of the order that streams and events made."""
    overlap = round(timeline_of(order.steps).overlap, 2)
    in_default = sum(isinstance(step, Task) and step.operation.actor == DEFAULT_STREAM for step in order.steps)
    return {
        OVERLAP: overlap,
        STREAMS: order.n_streams,
        OF_DEFAULT_STREAM: in_default,
        HOST_WAITS: order.n_waits,
        PAGEABLE: order.pageable_bytes,
        SIDE_BY_SIDE: order.kernels_side_by_side,
        BESIDE: order.bytes_beside,
        **order.residence.counters,
    }


def _of_caller(exercise: Exercise, values: Values) -> list[np.ndarray]:
    """The arrays that the caller handed over to be filled."""
    return [values[one.name] for one in exercise.arguments if one.role in ("out", "inout", "scratch") and one.shape]


def _shared_with_device(exercise: Exercise, returned: Any) -> dict[str, np.ndarray]:
    """What a host function returned in memory that kernels may still write, by the name of the output."""
    names = [argument.name for argument in exercise.arguments if argument.role == "out"]
    parts = returned if isinstance(returned, tuple | list) and len(names) > 1 else (returned,)
    pairs = zip(names, parts, strict=False)
    return {name: part for name, part in pairs if isinstance(part, np.ndarray) and plain(part) is not part}


def arguments_of(exercise: Exercise, values: Values) -> list:
    """What the function is called with: NumPy values without outputs, or everything with arrays on the device."""
    if exercise.arrays == "host":
        return [given(exercise, values, one.name) for one in exercise.arguments if one.role != "out"]
    if exercise.arrays == "pinned":
        return [_pinned(values, argument.name) for argument in exercise.arguments]
    return [_on_device(values[argument.name], argument.role) for argument in exercise.arguments]


def _pinned(values: Values, name: str) -> Any:
    """A value in pinned memory, which from now on is the run's own, so that results land in `values`."""
    if isinstance(values[name], np.ndarray):
        array = cuda_api.cuda.pinned_array(values[name].shape, values[name].dtype)
        plain(array)[...] = values[name]
        values[name] = plain(array)
        return array
    return values[name]


def _on_device(value: Any, role: str) -> Any:
    """A device array over the run's own memory, so that results land in `values`; outputs hold nothing yet."""
    if not isinstance(value, np.ndarray):
        return value
    return cuda_api.DeviceArray(value, role in ("in", "inout"))
