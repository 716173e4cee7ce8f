"""What a kernel does on one small case of its exercise: drawn, or step by step."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from autograder import backend
from autograder.answer.globals_as_source import program_of
from autograder.answer.program import Program
from autograder.contract import Exercise, Sizes
from autograder.running import printed, run_simt
from autograder.running.runs import Run
from autograder.words import count_text
from simt.compiling.compiled import forget
from simt.errors import DeadlineExceeded
from simt.events import Listener
from simt.stepper import NothingToStep, Stepper, StepRecorder, stepper_of
from simt.tracing import Trace, Tracer

SECONDS = 5.0  # longest that a kernel runs to be drawn or stepped through; more is a loop that does not end
SEARCH_SECONDS = 2.0  # how long other cases are tried, until one goes wrong
MOST_TRACED = 50_000  # elements; of larger cases the first blocks are drawn
ENOUGH = 64  # elements from which two warps have work


def shown_sizes(exercise: Exercise) -> Sizes:
    """The sizes that pictures and predictions use: its own choice, or its first traced case that keeps a warp busy.

    Where no case does, the first with work to do.
    """
    if exercise.predict_case is not None:
        return exercise.predict_case
    traced = [case.sizes for case in exercise.cases if case.trace]
    busy = [sizes for sizes in traced if all(sizes.values())]
    return next(filter(_keeps_busy, busy), (busy or traced or [exercise.cases[0].sizes])[0])


def _keeps_busy(sizes: Sizes) -> bool:
    return max(sizes.values()) >= ENOUGH


def telling(exercise: Exercise, function: Callable, told: Sizes | None = None) -> tuple[Trace, Sizes]:
    """What a kernel does on the shown sizes; where nothing is wrong there, on the first traced case with a finding.

    told: the sizes that a verdict spoke of, which are shown where something is wrong with them.

    A kernel that fails half way gives a trace of what it did. Cases are tried for about `SEARCH_SECONDS`.
    """
    if told is not None and (seen := _traced(exercise, function, told)[0]).findings:
        return seen, told
    sizes = shown_sizes(exercise)
    shown, ended = _traced(exercise, function, sizes)
    deadline = time.monotonic() + SEARCH_SECONDS
    for case in sorted(exercise.cases, key=lambda case: (not all(case.sizes.values()), not _keeps_busy(case.sizes))):
        if shown.findings or not ended or time.monotonic() > deadline:
            break
        if case.trace and case.sizes != sizes:
            other, ended = _traced(exercise, function, case.sizes)
            if other.findings:
                return other, case.sizes
    return shown, sizes


def trace(exercise: Exercise, function: Callable | Program, told: Sizes | None = None) -> Trace:
    """Run `function` in the interpreter on the sizes that tell most, keeping the accesses that figures draw."""
    with _ready(exercise, function) as ready:
        return telling(exercise, ready, told)[0]


def of_sizes(exercise: Exercise, function: Callable | Program, sizes: Sizes) -> Trace:
    """The same on these sizes and no others; on the shown ones where there are none."""
    with _ready(exercise, function) as ready:
        return _traced(exercise, ready, sizes or shown_sizes(exercise))[0]


@contextmanager
def _ready(exercise: Exercise, function: Callable | Program) -> Iterator[Callable]:
    """The function, such that the interpreter runs it: what a host function launches would go to a GPU where there
    is one, so there it is made again, around the interpreter's `numba.cuda`."""
    if exercise.kind == "host" and backend.gpu_available():
        program = function if isinstance(function, Program) else program_of(function)
        with backend.stand_in_as_numba_cuda():
            yield program.load()[1]
    elif isinstance(function, Program):
        yield function.load()[1]
    else:
        forget(function)
        yield function


def _traced(exercise: Exercise, function: Callable, sizes: Sizes) -> tuple[Trace, bool]:
    """A recorded trace, and whether the kernel came to its end in time."""
    few = math.prod(sizes.values()) <= MOST_TRACED
    tracer = Tracer(record=True, max_blocks=None if few else 1)
    error = _run(exercise, function, sizes, tracer).error
    return tracer.result(), not isinstance(error, DeadlineExceeded)


def heard(exercise: Exercise, function: Callable | Program, listener: Listener) -> None:
    """Let a listener of one's own hear what a kernel does on the shown sizes."""
    with _ready(exercise, function) as ready:
        _run(exercise, ready, shown_sizes(exercise), Tracer(also=[listener]))


def _run(exercise: Exercise, function: Callable, sizes: Sizes, tracer: Tracer) -> Run:
    """Run a function on some sizes, with values that are the same every time."""
    rng = np.random.default_rng(zlib.crc32(exercise.id.encode()))
    values = exercise.make(sizes, "exact", rng)
    with printed.unheard():
        return run_simt.run_with(tracer, exercise, function, values, seed=None, seconds=SECONDS, lenient=True)


def draw(exercise: Exercise, function: Callable | Program, line: int | None = None, told: Sizes | None = None):
    """Draw what one line of a kernel, or its most telling line, touches. Returns: matplotlib Figure with `alt` text."""
    from simt import figures

    return figures.best(trace(exercise, function, told), line=line)


def walk(
    exercise: Exercise,
    function: Callable | Program,
    block: int | None,
    thread: int | None,
    launch: int = 0,
    told: Sizes | None = None,
) -> Stepper:
    """Go through one block of a kernel, on the sizes that tell most, line by line.

    block, thread: linear ids; None: those of the first finding, else 0. launch: number of a host function's launch.
    Raises: ValueError for a block or thread that the launch does not have; simt.stepper.NothingToStep.
    """
    with _ready(exercise, function) as ready:
        return _walk(exercise, ready, block, thread, launch, told)


def _walk(
    exercise: Exercise, function: Callable, block: int | None, thread: int | None, launch: int, told: Sizes | None
) -> Stepper:
    seen, sizes = telling(exercise, function, told)
    first_block, first_thread = _where(seen, launch)
    block = first_block if block is None else block
    thread = thread if thread is not None else first_thread if block == first_block else 0
    recorder = StepRecorder(block, number=launch)
    tracer = Tracer(also=[recorder])
    error = _run(exercise, function, sizes, tracer).error
    if recorder.recording.launch is None:
        launched = count_text(len(seen.launches), "kernel") if seen.launches else "no kernels"
        nothing = f"{exercise.function} launches {launched} here."
        why = str(error) if error else nothing
        raise NothingToStep(f"There is no step to show. {why}")
    return stepper_of(recorder, tracer.result(), function, thread, str(error or ""))


def _where(seen: Trace, number: int) -> tuple[int, int]:
    """Block and thread of the first finding, as linear ids of a launch; 0 where there is none, or no such launch."""
    if not seen.findings or not 0 <= number < len(seen.launches):
        return 0, 0
    finding, launch = seen.findings[0], seen.launches[number]
    blocks = [_linear(one, launch.grid) for one in finding.blocks]
    threads = [_linear(one, launch.block) for one in finding.threads]
    return next((one for one in blocks if one >= 0), 0), next((one for one in threads if one >= 0), 0)


def _linear(index: tuple[int, int, int], extent: tuple[int, int, int]) -> int:
    """(x, y, z) as a linear id, x fastest; -1 where the launch does not have it."""
    inside = all(0 <= one < size for one, size in zip(index, extent, strict=True))
    return index[0] + extent[0] * (index[1] + extent[1] * index[2]) if inside else -1
