"""What text and widget say alike: values, elements, threads, accesses, barriers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.analyses.block_recording import Step, StepAccess
from simt.analyses.wording import element_text
from simt.source.counts import count_text

if TYPE_CHECKING:
    from simt.stepper.model import Stepper

MOST_ELEMENTS = 4  # of an access that are named one by one
VERBS = {"load": "reads", "store": "writes", "atomic": "updates"}


def value_text(value) -> str:
    """A value as people read it: 6 digits of a float, text as it is, a tuple or a local array in brackets."""
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))})"
    if isinstance(value, np.ndarray):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.6g}"
    if isinstance(value, (complex, np.complexfloating)):
        return f"{complex(value):.4g}"
    return str(value)


def runs(numbers: np.ndarray) -> str:
    """ "0 to 31, 64": rising numbers, with neighbours drawn together; at most four runs."""
    if not len(numbers):
        return "none"
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    parts = [(int(part[0]), int(part[-1])) for part in np.split(numbers, breaks)]
    named = [str(first) if first == last else f"{first} to {last}" for first, last in parts[:MOST_ELEMENTS]]
    return ", ".join(named) + (", ..." if len(parts) > MOST_ELEMENTS else "")


def threads_text(threads: np.ndarray) -> str:
    """ "thread 3" or "threads 0 to 31"."""
    return f"thread {int(threads[0])}" if len(threads) == 1 else f"threads {runs(np.sort(threads))}"


def access_text(access: StepAccess) -> str:
    """ "reads x[0] to x[31] in global memory (threads 0 to 31)"."""
    cells = np.unique(access.cells)
    first, last = element_text(access.array, int(cells[0])), element_text(access.array, int(cells[-1]))
    if len(cells) == 1:
        elements = f"{first} = {value_text(access.values[-1])}"
    elif len(cells) <= MOST_ELEMENTS:
        elements = ", ".join(element_text(access.array, int(cell)) for cell in cells)
    elif int(cells[-1] - cells[0]) == len(cells) - 1:
        elements = f"{first} to {last}"
    else:
        elements = f"{len(cells)} elements from {first} to {last}"
    return f"{VERBS[access.kind]} {elements} in {access.array.space} memory ({threads_text(access.threads)})"


def work_text(step: Step) -> str:
    """How many threads work, wait and have returned."""
    at_work, ended = int(step.active.sum()), int((step.ended & ~step.active).sum())
    waiting = len(step.active) - at_work - ended
    parts = [f"{at_work:,} of {count_text(len(step.active), 'thread')} {'works' if at_work == 1 else 'work'}"]
    parts += [f"{waiting:,} {'waits' if waiting == 1 else 'wait'}"] if waiting else []
    parts += [f"{ended:,} {'has' if ended == 1 else 'have'} returned"] if ended else []
    return ", ".join(parts)


def remarks(stepper: Stepper) -> list[str]:
    """What else the step does: a condition, a barrier, an exchange within warps."""
    step, said = stepper.step, []
    if step.taken is not None:
        holds, asked = int(step.taken.sum()), int(step.active.sum())
        verb = "holds for" if holds else "holds for none of"
        of = f"{holds:,} of {count_text(asked, 'thread')}" if holds else count_text(asked, "thread")
        said.append(f"The condition {verb} {of}.")
    if step.arrived:
        said.append(_barrier_text(step))
    if step.meets is not None:
        said.append(f"Lanes of a warp meet here: {threads_text(np.flatnonzero(step.meets))}.")
    return said


def _barrier_text(step: Step) -> str:
    if step.arrived < step.live:
        missing = step.live - step.arrived
        return (
            f"Barrier: {step.arrived} of {step.live} threads are here; {missing} never "
            f"{'comes' if missing == 1 else 'come'}, and on a GPU the block hangs."
        )
    return (
        f"Barrier: all {count_text(step.live, 'thread')} of the block {'is' if step.live == 1 else 'are'} here. "
        "What any of them wrote above, all of them can read below."
    )
