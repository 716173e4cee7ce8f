"""A learner's kernels under the roofline of this GPU, measured; without one, under the roofline of a named GPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder import backend, exercises
from autograder.contract import Case
from autograder.notebook import display
from autograder.notebook.recorded import document_of
from autograder.running import printed
from autograder.running.buffers import make_values
from simt.timing.gpus import GPUS, Gpu
from simt.timing.roofline import Bound, bound, work_of

PROFILE = "memory_access"  # the file of benchmarks/results that holds a profile
PUBLISHED = "h200"
Placed = tuple[str, str, Callable, dict[str, int]]  # a name, an exercise, the learner's kernel, sizes to trace it with


def roofline(*kernels: Placed) -> Any:
    """Draw kernels under the roof, each traced once; one that is not written yet is named in place of a point.

    Returns: matplotlib Figure; None, with the reason shown, where there is nothing to draw.
    """
    from simt import figures

    gpu, source = roof()
    bounds = ((name, _bound_of(gpu, exercise_id, function, sizes)) for name, exercise_id, function, sizes in kernels)
    placed = [(name, found) for name, found in bounds if found is not None]
    missing = dict.fromkeys(function.__name__ for name, _, function, _ in kernels if name not in dict(placed))
    display.text(f"The roof: {gpu.name}, {source}.")
    if missing:
        display.text(f"Not written yet, or not run to its end: {', '.join(missing)}.")
    if not placed:
        return None
    try:
        return figures.roofline(placed)
    except figures.NothingToDraw as error:
        display.text(f"There is no picture to draw: {error}")
        return None


def roof() -> tuple[Gpu, str]:
    """The GPU whose roof is drawn, and where its two rates come from."""
    from autograder.speed import ceilings

    if backend.gpu_available():
        return ceilings.measured_gpu(), "measured now"
    document = document_of(PROFILE)
    if "profile" in document:
        return ceilings.gpu_of(document["profile"]), f"measured on {document['date']}"
    return GPUS[PUBLISHED], "with the rates that its maker publishes"


def _bound_of(gpu: Gpu, exercise_id: str, function: Callable, sizes: dict[str, int]) -> Bound | None:
    """What one launch could reach at best; None where the kernel is not written, or stops on the way."""
    import simt

    exercise = exercises.find(exercise_id)
    values = make_values(exercise, Case(sizes))
    with printed.unheard():
        trace = simt.trace(function, *exercise.launch(values), *values.values())
    work = replace(work_of(trace), blocks=0)  # a small case stands for a large one, which has blocks enough
    touched = work.read_bytes + work.write_bytes  # a kernel that is not written yet touches nothing
    return bound(gpu, work) if touched and not trace.findings else None
