"""Which parts of which allocations a launch reads, writes and updates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from simt.events import Access, Listener
from simt.host_order.memory import HostMemory, Shadow

ACCESS_OF = {"load": "read", "store": "write", "atomic": "update"}


@dataclass
class Touched(Listener):
    """Listens to launches, one at a time. Only allocations that `memory` knows are entered."""

    memory: HostMemory
    marks: dict[tuple[int, str], np.ndarray] = field(default_factory=dict)  # (start, access) -> bool by unit
    names: dict[int, str] = field(default_factory=dict)  # start -> what the kernel calls it

    def begin(self) -> None:
        """Forget the launch before."""
        self.marks, self.names = {}, {}

    def access(self, event: Access) -> None:
        array = event.array
        if array.space != "global" or not array.host_address:
            return
        shadow = self.memory.find(array.host_address)
        if shadow is None:
            return
        self.names.setdefault(shadow.start, array.name)
        mark = self.marks.setdefault((shadow.start, ACCESS_OF[event.kind]), np.zeros(shadow.n_units, bool))
        first = array.host_address - shadow.start + event.cells * array.dtype.itemsize
        for byte in range(0, event.access_bytes, shadow.unit):
            mark[(first + byte) // shadow.unit] = True

    def accesses(self) -> Iterator[tuple[Shadow, str, np.ndarray]]:
        """(allocation, "read", "write" or "update", numbers of the units) of the launch that just ended."""
        for (start, access), mark in self.marks.items():
            shadow = self.memory.find(start)
            if shadow is not None:
                yield shadow, access, np.flatnonzero(mark)

    def n_bytes(self) -> int:
        """Bytes that the launch must move at least: each one read or written once."""
        return sum(shadow.unit * len(units) for shadow, _, units in self.accesses())
