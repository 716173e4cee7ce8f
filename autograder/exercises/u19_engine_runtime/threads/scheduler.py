"""Threads, a lock, a condition and a clock that the judge holds: what unit 19 gathers requests with.

Threads are generators. Each `yield` hands over one step; the judge does it and decides which thread goes on. So every
schedule can be made at will and is the same in every run. Time passes only when no thread can go on.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import Any


class Fault(IntEnum):
    """What went wrong first; FINE for nothing."""

    FINE = 0
    DEADLOCK = 1
    LOST = 2
    OTHER_CALLER = 3
    UNGUARDED = 4
    LATE = 5
    EARLY = 6
    TOO_MANY = 7
    HELD = 8
    FOR_NOTHING = 9
    OVERTAKEN = 10
    UNANSWERED = 11
    BUSY = 12


class Failed(Exception):
    """A schedule ends with a fault."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.name)


class Future:
    """A place for one answer, which is put there by set(answer)."""

    def __init__(self) -> None:
        self.done, self.answer = False, None

    def set(self, answer: Any) -> None:
        """Put the answer there: whoever waits for it may go on."""
        self.done, self.answer = True, answer


@dataclass(eq=False)
class Thread:
    """A generator, and what it waits for.

    waits: "" where it can go on, "time" until a moment, "lock", "condition", "future" or "end"; until: that moment, or
    None; value: what its last step gave; free_since: when its last run on the device ended.
    """

    steps: Generator
    request: int | None = None  # of a caller
    waits: str = "time"
    until: float | None = 0.0
    value: Any = None
    future: Future | None = None
    free_since: float = 0.0


class Scheduler:
    """One schedule: threads that go on one after the other, by an order of its own.

    number: 0 lets the first thread go on that can, 1 the last one, others draw; every third of those wakes threads that
    sleep for nothing, too, as real ones may.
    """

    FOR_NOTHING = 0.2  # how often

    def __init__(self, threads: list[Thread], number: int, order: Random) -> None:
        self.threads, self._number, self._order = threads, number, order
        self.now = 0.0
        self.owner: Thread | None = None  # of the lock
        self.current: Thread | None = None
        self.notified = 0  # by callers

    def go_on(self) -> tuple[Thread, Any]:
        """Let one thread do its next step. Returns: it, and what it asks for; raises StopIteration where it ends."""
        thread = self._next()
        if thread.waits == "lock":
            self.owner = thread
        elif thread.waits == "future" and thread.future is not None:
            thread.value = thread.future.answer
        thread.waits, self.current = "", thread
        value, thread.value = thread.value, None
        return thread, thread.steps.send(value)

    def acquire(self, thread: Thread) -> None:
        """The thread wants the lock."""
        thread.waits = "lock"

    def release(self, thread: Thread) -> None:
        """The thread gives the lock back. Raises: Failed where it has none, as the next two do."""
        self.must_own(thread)
        self.owner = None

    def wait(self, thread: Thread, until: float | None) -> None:
        """The thread gives the lock back and sleeps."""
        self.must_own(thread)
        self.owner, thread.waits, thread.until = None, "condition", until

    def notify(self, thread: Thread) -> None:
        """One of those that sleep wants the lock again."""
        self.must_own(thread)
        self.notified += thread.request is not None
        self._wake()

    def must_own(self, thread: Thread | None) -> None:
        """Raises Failed where a thread has not got the lock."""
        if thread is None or self.owner is not thread:
            raise Failed(Fault.UNGUARDED)

    def _wake(self) -> None:
        if asleep := [one for one in self.threads if one.waits == "condition"]:
            self._order.choice(asleep).waits = "lock"

    def _next(self) -> Thread:
        """The thread that this schedule lets go on."""
        if self._number % 3 == 2 and self._order.random() < self.FOR_NOTHING:
            self._wake()
        while not (able := [thread for thread in self.threads if self._can(thread)]):
            self._pass_time()
        if self._number < 2:
            return able[-self._number]
        return self._order.choice(able)

    def _can(self, thread: Thread) -> bool:
        """Whether a thread can go on now."""
        if thread.waits == "lock":
            return self.owner is None
        if thread.waits == "future":
            return thread.future is not None and thread.future.done
        return thread.waits == "" or thread.waits == "time" and thread.until is not None and thread.until <= self.now

    def _pass_time(self) -> None:
        """To the next moment at which something happens. Raises: Failed where nothing ever will."""
        moments = [one.until for one in self.threads if one.waits in ("time", "condition") and one.until is not None]
        if not moments:
            raise Failed(Fault.DEADLOCK if self.owner is not None else Fault.LOST)
        self.now = max(self.now, min(moments))
        for thread in self.threads:
            if thread.waits == "condition" and thread.until is not None and thread.until <= self.now:
                thread.waits = "lock"
