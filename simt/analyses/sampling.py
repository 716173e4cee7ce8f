"""Listens to the first blocks of a launch only, for launches too large to trace whole."""

from __future__ import annotations

from collections.abc import Sequence

from simt.events import Batch, Launch, Listener


class FirstBlocks(Listener):
    """Lets others listen until batches that begin with one of the first `max_blocks` blocks are over.

    What happens in a batch they are told by whoever tells this one (`listens_for`); of launches and of where a batch
    begins, by this one.
    """

    def __init__(self, listeners: Sequence[Listener], max_blocks: int) -> None:
        self.listeners, self.max_blocks = listeners, max_blocks
        self.listens_for: Sequence[Listener] = listeners
        self.seen = 0

    def launch_begins(self, launch: Launch) -> None:
        self.listens_for, self.seen = self.listeners, 0
        for listener in self.listeners:
            listener.launch_begins(launch)

    def batch_begins(self, batch: Batch) -> None:
        self.listens_for = self.listeners if self.seen < self.max_blocks else ()
        self.seen += batch.n_blocks
        for listener in self.listens_for:
            listener.batch_begins(batch)

    def launch_ends(self, launch: Launch) -> None:
        for listener in self.listeners:
            listener.launch_ends(launch)
