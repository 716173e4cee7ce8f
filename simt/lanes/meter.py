"""Counts the work of launches in steps, and stops them at a limit: the same on every machine, however busy it is.

A step is one statement for up to 4,096 lanes, which takes about as long as one for a single lane. Seconds would make a
verdict depend on the machine; they only guard against a hang (`BatchState.check_deadline`), and are those in which this
thread computed: what others do on a busy machine does not count.
"""

from __future__ import annotations

import math
import time

from simt.errors import TooMuchWork
from simt.source.counts import count_text

STEP_SHIFT = 12  # 4,096 lanes

worked_s = getattr(time, "thread_time", time.monotonic)  # seconds of this thread; a browser has one clock for all


class Meter:
    """steps: done so far, over as many launches as share the meter; limit: after which TooMuchWork is raised."""

    __slots__ = ("steps", "limit")

    def __init__(self, limit: float = math.inf):
        self.steps, self.limit = 0, limit

    def count(self, statements: int, env) -> None:
        """Statements that are about to run for the lanes of an environment."""
        self.steps += statements * (1 + (env.width >> STEP_SHIFT))
        if self.steps > self.limit:
            raise too_much(env.batch)


def too_much(batch) -> TooMuchWork:
    """What the launch was at: its loop with the most iterations, and how many threads worked in it."""
    steps = f"{batch.meter.limit:,.0f} steps of the interpreter"
    if not batch.turning:
        return TooMuchWork(f"The kernel was stopped after {steps}.")
    loop = max(batch.turning, key=lambda turning: turning.turn)
    site, of = loop.place.site, f" of {loop.of:,}" if loop.of else ""
    idle = batch.width - loop.lanes
    at_work = f"{loop.lanes:,} of {count_text(batch.width, 'thread')} working"
    message = f"Line {site.line} was at iteration {loop.turn:,}{of} with {at_work}"
    if loop.lanes * 2 <= batch.width:
        message += f": on a GPU the other {idle:,} would wait"
    return TooMuchWork(
        f"{message}. Then the check stopped, after {steps}.", site.function, site.line,
        turn=loop.turn, of=loop.of, working=loop.lanes, threads=batch.width,
    )  # fmt: skip
