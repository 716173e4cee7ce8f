"""Work that was not shared out, in words: one cause for each way in which it was left to few, to all or to the host.

case: the name of the traced case that shows it.
"""

from __future__ import annotations

from autograder.diagnosis.recorded_work import Work
from autograder.outcome import Cause
from autograder.words import count_text
from simt.events import Finding


def stored_twice(finding: Finding) -> Cause:
    """finding: the note of a race whose stores are equal."""
    says = (
        f"Threads of several blocks store the same elements of {finding.array}, each the same values, so the result "
        "is right: they repeat one another's work."
    )
    remedy = "Let a thread's place in the whole grid decide which elements are its own, as cuda.grid gives it."
    return Cause("over_budget", "work_repeated", says, remedy, finding.lines[:1], array=finding.array)


def nothing_on_device() -> Cause:
    """Of a host function that launches nothing."""
    return Cause(
        "no_work",
        "nothing_on_device",
        "Nothing ran on the device: the function launched no kernel.",
        "Copy the inputs to the device, launch a kernel there, and return what it wrote.",
    )


def computed_on_host(how: str) -> Cause:
    """how: what shows it, as the end of a sentence."""
    return Cause(
        "no_work",
        "nothing_on_device",
        f"The host did the work: {how}.",
        "Send the inputs up as they are, compute in a kernel, and copy its result down.",
    )


def inputs_left_out(stay: bool) -> Cause:
    """Of a host function whose kernels do not get all inputs. stay: whether the task leaves some where they are."""
    if not stay:
        return computed_on_host("not all of the inputs went up to the device")
    return Cause(
        "no_work",
        "nothing_on_device",
        "The host did the work: the kernel was not handed all of the inputs, but what the host picked out of them.",
        "Hand it the inputs as they are, copied or mapped, and let its threads read what they need.",
    )


def repeated(case: str, work: Work, solution: Work) -> Cause:
    """Every thread does what one of them would."""
    times = work.global_bytes / max(solution.global_bytes, 1)
    return Cause(
        "over_budget",
        "work_repeated",
        f"At {case}, the threads ask global memory for {work.global_bytes:,} bytes, {times:,.0f} times what the task "
        "needs: they repeat one another's work.",
        "Let each thread handle its own elements only.",
    )


def retried(case: str, cell: str, line: int) -> Cause:
    """Swaps that lose against one another so often that the interpreter stopped counting. line: of their loop."""
    return Cause(
        "over_budget",
        "work_repeated",
        f"At {case}, so many threads want the same element of {cell} that line {line} goes round for thousands of "
        "iterations: only one swap wins at a time, and all others try again.",
        "Where one atomic does what you mean, as cuda.atomic.add and cuda.atomic.max do, it needs no second try.",
        (line,),
        array=cell,
    )


def one_thread(case: str, work: Work) -> Cause:
    """One thread makes most of the accesses."""
    return Cause(
        "over_budget",
        "one_thread_works",
        f"At {case}, {_load_of(work)}.",
        "Give every thread a part of that work.",
    )


def alone(case: str, accesses: int) -> Cause:
    """accesses: of one thread, while its block waits."""
    return Cause(
        "over_budget",
        "one_thread_works",
        f"At {case}, one thread makes {accesses:,} memory accesses for which the others of its block wait, and the "
        "longer the input, the more it makes.",
        "Share out that work, too: give every thread of the block a part of it.",
    )


def read_by_every_block(case: str, cells: int, share: float) -> Cause:
    """cells: numbers that blocks left; share: of them that a block reads on average."""
    return Cause(
        "over_budget",
        "work_repeated",
        f"At {case}, each block reads {share * cells:,.0f} of {cells:,} numbers that the blocks left, on average: "
        "twice as many blocks do four times that work.",
        "Let one launch turn these numbers into what each block needs, so that a block reads one of them.",
    )


def grows(small: str, large: str, few: Work, many: Work) -> Cause:
    """few, many: the work at the smaller and at the larger case."""
    return Cause(
        "over_budget",
        "one_thread_works",
        f"The busiest thread makes {few.busiest_thread_accesses:,} memory accesses at {small} and "
        f"{many.busiest_thread_accesses:,} at {large}: the longer the input, the longer the others wait for it.",
        "Find the loop whose iterations grow with the input, and share them out over the threads of a block.",
    )


def _load_of(work: Work) -> str:
    """How unevenly the accesses are spread, in words."""
    most = count_text(work.busiest_thread_accesses, "memory access", "memory accesses")
    if work.threads_at_work == 1:
        return f"one thread makes all {most}, and on a GPU the others wait for it"
    others = (work.memory_accesses - work.busiest_thread_accesses) / (work.threads_at_work - 1)
    return f"one thread makes {most}, and the others {others:,.1f} each on average: on a GPU they wait for it"


def one_block(case: str, blocks: int) -> Cause:
    """blocks: that the contract launches."""
    return Cause(
        "over_budget",
        "few_threads",
        f"At {case}, one block does the work of {blocks:,}: most of the GPU has nothing to do.",
        "Let the place of a block decide which elements are its own.",
    )


def capped_launch(case: str, threads: int) -> Cause:
    """Of a host function whose widest launch does not grow with the input."""
    return Cause(
        "over_budget",
        "few_threads",
        f"The widest launch has {threads:,} threads at {case}, however many elements there are: most of the GPU has "
        "nothing to do.",
        "Launch as many blocks as the elements need, up to what the arrays have room for.",
    )


def few_threads(case: str, work: Work, solution: Work) -> Cause:
    """Far fewer threads are at work than in the solution."""
    return Cause(
        "over_budget",
        "few_threads",
        f"{work.threads_at_work:,} threads do the work of {solution.threads_at_work:,} at {case}: "
        "most of the GPU has nothing to do.",
        "Give every thread of the launch a share, and launch as many blocks as the elements need.",
    )
