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
            self._static = max(self._static, array.base_address + array.n_cells * array.dtype.itemsize)
        self.tally.add(site, shared_bytes=self._static + self._dynamic)
