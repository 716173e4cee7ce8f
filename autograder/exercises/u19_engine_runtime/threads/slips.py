"""Faults of unit 19's gather_requests in words: each is what the judge's schedules found first."""

from __future__ import annotations

from autograder.contract import Slip
from autograder.exercises.u19_engine_runtime.threads.mistakes import with_fault
from autograder.exercises.u19_engine_runtime.threads.scheduler import Fault

LATE = (
    "a batch began later than it had to, or never: it begins as soon as it is full, and otherwise when its first "
    "request has waited for patience, counted from when that one came"
)


def found(fault: Fault, misconception: str, says: str) -> Slip:
    """A slip: this fault, wherever the mistake shows."""
    return Slip(misconception, says, with_fault(fault))


GATHERED = (
    found(
        Fault.DEADLOCK,
        "deadlock",
        "deadlock: a thread that will never go on has the lock, and others wait for it; give it back before you wait "
        "for anything but a notify",
    ),
    found(
        Fault.LOST,
        "lost_wake_up",
        "lost wake-up: a request lies in the queue, and the server sleeps, since nobody told it; whoever puts "
        "something there notifies",
    ),
    found(
        Fault.OTHER_CALLER,
        "other_callers_answer",
        "a caller got an answer that belongs to another one: answers come in the order of the requests that were run",
    ),
    found(
        Fault.UNGUARDED,
        "without_the_lock",
        "the queue was touched, or wait, notify or release was called, by a thread that has not got the lock: take it "
        "first",
    ),
    found(Fault.LATE, "too_late", LATE),
    Slip("too_late", LATE, with_fault(Fault.LATE, by_own_clock=True)),
    found(
        Fault.EARLY,
        "too_early",
        "a batch that was not full began before its first request had waited for patience: others could have come "
        "along",
    ),
    found(Fault.TOO_MANY, "too_many", "a batch had more requests than the engine takes: at most `most` of them"),
    found(
        Fault.HELD,
        "lock_held",
        "the lock was held while a batch ran: nobody could put a request into the queue all that time",
    ),
    found(
        Fault.FOR_NOTHING,
        "woken_for_nothing",
        "a server woke up and found an empty queue: threads may wake for nothing, or another server was faster, so ask "
        "again after every wait",
    ),
    found(
        Fault.OVERTAKEN,
        "overtaken",
        "a batch began with later requests while the first one still lay in the queue: take them from the front",
    ),
    found(Fault.UNANSWERED, "never_answered", "a caller waits forever: its request was run, and its future never set"),
    found(
        Fault.BUSY,
        "busy_waiting",
        "a thread goes round and round in place of sleeping: it keeps a core busy, and time does not pass; use wait",
    ),
)
