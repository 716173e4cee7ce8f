"""Where the pages of managed memory lie, and what crosses the bus because somebody touched them.

A managed page lies on one side at a time. Touching it from the other side is a page fault: whoever touched it waits
while the page moves. A prefetch moves it beforehand. Mapped memory never moves: what a kernel reads crosses the bus.
The page is that of the host; a driver may move more around it at once, so this counts the least.
Source: CUDA C++ Programming Guide, "Unified Memory Programming" and "Mapped Memory".
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simt.host_order.memory import Shadow

PAGE_BYTES = 4096
NOWHERE, ON_HOST, ON_DEVICE = 0, 1, 2  # a page that nobody has touched yet lies nowhere


@dataclass
class Residence:
    """mapped_bytes: touched by kernels in mapped memory, each once per launch. faulted_bytes, prefetched_bytes: of the
    managed pages that moved because they were touched, and because host code asked. fetched_bytes: of the latter, those
    that came to the host."""

    mapped_bytes: int = 0
    faulted_bytes: int = 0
    prefetched_bytes: int = 0
    fetched_bytes: int = 0
    _pages: dict[int, np.ndarray] = field(default_factory=dict)  # by start of the allocation: where each page lies

    @property
    def counters(self) -> dict[str, int]:
        """For budgets and predictions."""
        names = ("mapped_bytes", "faulted_bytes", "prefetched_bytes", "fetched_bytes")
        return {name: getattr(self, name) for name in names}

    def touched(self, shadow: Shadow, units: np.ndarray | slice, side: int) -> None:
        """The host or a kernel touched some units of an allocation."""
        if shadow.space == "mapped" and side == ON_DEVICE:
            self.mapped_bytes += shadow.unit * len(units) if isinstance(units, np.ndarray) else 0
        elif shadow.space == "managed":
            self.faulted_bytes += self._move(shadow, units, side)

    def prefetched(self, shadow: Shadow, units: np.ndarray | slice, side: int) -> None:
        """Host code asked for some units to be moved."""
        if shadow.space == "managed":
            moved = self._move(shadow, units, side)
            self.prefetched_bytes += moved
            self.fetched_bytes += moved if side == ON_HOST else 0

    def _move(self, shadow: Shadow, units: np.ndarray | slice, side: int) -> int:
        """Bring the pages of some units to a side. Returns: the bytes that moved."""
        n_pages = -(-shadow.n_bytes // PAGE_BYTES)
        where = self._pages.setdefault(shadow.start, np.full(n_pages, NOWHERE, np.int8))
        if isinstance(units, slice):
            first, past = units.start * shadow.unit // PAGE_BYTES, -(-units.stop * shadow.unit // PAGE_BYTES)
            pages = np.arange(first, past)
        else:
            pages = np.unique(units * shadow.unit // PAGE_BYTES)
        other = ON_HOST + ON_DEVICE - side
        moved = PAGE_BYTES * int(np.count_nonzero(where[pages] == other))
        where[pages] = side
        return moved
