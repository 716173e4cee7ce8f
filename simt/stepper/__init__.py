"""Step through one block of a launch, line by line: at a prompt, or as a widget in JupyterLab.

walk = simt.step(kernel, grid, block, *args)
walk.forward(); walk.back(); walk.to_line(14); walk.variables(thread=3)
"""

from __future__ import annotations

from collections.abc import Callable

from simt.analyses.steps import MOST_STEPS, StepRecorder
from simt.errors import DeadlineExceeded
from simt.launching.geometry import volume
from simt.source.counts import count_text
from simt.stepper.listing import listing_of
from simt.stepper.model import NothingToStep, Stepper
from simt.tracing import Trace, Tracer

__all__ = ["NothingToStep", "StepRecorder", "Stepper", "step", "stepper_of"]


def step(
    kernel: Callable,
    grid,
    block,
    *args,
    block_index: int = 0,
    thread: int = 0,
    steps: int = MOST_STEPS,
    dynamic_shared_bytes: int = 0,
    **options,
) -> Stepper:
    """Launch a kernel and keep what one of its blocks does, line by line. Arrays are changed in place.

    Args:    kernel, grid, block, args: as for `simt.launch`. block_index: the block, counted with x fastest.
             thread: whose variables are shown first. steps: how many steps are kept.
             options: as for `simt.tracing.Tracer`.
    Returns: Stepper. A mistake that ends the launch is in its `trace.findings`.
    Raises:  ValueError for a block or thread that the launch does not have; NothingToStep where no line was executed.
    """
    recorder = StepRecorder(block_index, steps)
    tracer = Tracer(also=[recorder], **options)
    stopped = ""
    try:
        tracer.launch(kernel, grid, block, *args, dynamic_shared_bytes=dynamic_shared_bytes)
    except DeadlineExceeded as error:
        stopped = str(error)
    return stepper_of(recorder, tracer.result(), kernel, thread, stopped)


def stepper_of(recorder: StepRecorder, trace: Trace, kernel: Callable, thread: int = 0, stopped: str = "") -> Stepper:
    """The walk through what a recorder heard of a kernel. stopped: why it did not run to its end, "" if it did.

    Raises: ValueError for a block that the launch does not have; NothingToStep where it executed no line.
    """
    launch, block = recorder.recording.launch, recorder.recording.block
    if launch is not None and not 0 <= block < volume(launch.grid):
        raise ValueError(
            f"block {block} is not one of the grid's {count_text(volume(launch.grid), 'block')}, counted from 0"
        )
    return Stepper(recorder.recording, trace, listing_of(kernel), thread, stopped)
