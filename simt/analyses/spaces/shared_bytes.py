"""How much shared memory does a block take?"""

from __future__ import annotations

from simt.analyses.counters import Tally
from simt.events import ArrayInfo, Batch, Launch, Listener, Site


class SharedBytes(Listener):
    """Static and dynamic bytes of one block; each array's line holds the sum of all arrays up to it."""

    def __init__(self) -> None:
        self.tally = Tally()

    def launch_begins(self, launch: Launch) -> None:
        self._dynamic = launch.dynamic_shared_bytes

    def batch_begins(self, batch: Batch) -> None:
        self._static = 0

    def shared_allocated(self, array: ArrayInfo, site: Site) -> None:
        if not array.memory:  # dynamic arrays share the bytes that the launch asked for
            size = array.dtype.itemsize  # the assembler packs arrays as tightly as their elements allow
            self._static = (-(-self._static // size) + array.n_cells) * size
        self.tally.add(site, shared_bytes=self._static + self._dynamic)
