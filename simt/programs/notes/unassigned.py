"""Which threads read a variable that only others have given a value?"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.events import Batch, Listener, Statement
from simt.programs.places import Functions
from simt.source.unassigned import MayBeUnassigned

REMEDY = "Give `{name}` a value before the condition, or read it only where it has one."


class ReadUnassigned(Listener):
    """One note for each variable and line. may: what the kernel's source leaves open; kernel: its name."""

    def __init__(self, may: MayBeUnassigned, kernel: str) -> None:
        self.book = FindingBook()
        self._may, self._kernel = may, kernel
        self._asked = set().union(*may.reads.values())
        self._assigned: dict[str, np.ndarray] = {}  # (threads of the batch,) bool

    def batch_begins(self, batch: Batch) -> None:
        size = batch.n_blocks * batch.launch.threads_per_block
        self._assigned = {name: np.zeros(size, bool) for name in self._asked}

    def statement(self, event: Statement) -> None:
        if event.function != self._kernel:
            return
        reads = self._may.reads.get(event.line, ())
        sets = self._asked.intersection(self._may.sets.get(event.line, ()))
        if not reads and not sets:
            return
        lanes = event.lanes
        threads = lanes.block * lanes.batch.launch.threads_per_block + lanes.thread
        for name in sorted(reads):
            without = np.flatnonzero(~self._assigned[name][threads])
            if len(without):
                self._note(name, event, int(without[0]), len(without))
        for name in sets:
            self._assigned[name][threads] = True

    def _note(self, name: str, event: Statement, at: int, count: int) -> None:
        assigned = [line for line, names in self._may.sets.items() if name in names]
        by = "line " + " or ".join(map(str, assigned))
        says = (
            f"reads the variable `{name}` at line {event.line} and has not come by {by}, which would give it a value: "
            "on a GPU it is whatever the compiler leaves there."
        )
        parts = {"kind": "unassigned", "lines": (event.line, *assigned), "count": count, "note": True}
        detail = {"function": event.function}
        found = by_thread(event.lanes, at, says, remedy=REMEDY.format(name=name), detail=detail, **parts)
        self.book.add((name, event.line), found)


_known: WeakKeyDictionary[Callable, MayBeUnassigned] = WeakKeyDictionary()


def unassigned_in(function: Callable) -> list[ReadUnassigned]:
    """A fresh listener for a kernel's launch; of a kernel whose every path assigns what it reads, none."""
    if function not in _known:
        _known[function] = MayBeUnassigned(Functions.syntax_of(function))
    may = _known[function]
    return [ReadUnassigned(may, function.__name__)] if may.reads else []
