"""Listens to the first blocks of a launch only, for launches too large to trace whole."""

from __future__ import annotations

from simt.events import CALLBACKS, Batch, Launch, Listener

OF_LAUNCHES = ("launch_begins", "batch_begins", "batch_ends", "launch_ends")
OF_A_BATCH = tuple(name for name in CALLBACKS if name not in OF_LAUNCHES)


class FirstBlocks(Listener):
    """Passes events on to the others until batches that begin with one of the first `max_blocks` blocks are over."""

    def __init__(self, listeners: list[Listener], max_blocks: int) -> None:
        self.listeners, self.max_blocks = listeners, max_blocks
        self.seen = 0
        self.listening = False

    def launch_begins(self, launch: Launch) -> None:
        self.seen = 0
        self._tell("launch_begins", launch)

    def batch_begins(self, batch: Batch) -> None:
        self.listening = self.seen < self.max_blocks
        self.seen += batch.n_blocks
        if self.listening:
            self._tell("batch_begins", batch)

    def batch_ends(self, batch: Batch) -> None:
        if self.listening:
            self._tell("batch_ends", batch)

    def launch_ends(self, launch: Launch) -> None:
        self._tell("launch_ends", launch)

    def _tell(self, name: str, *event) -> None:
        for listener in self.listeners:
            getattr(listener, name)(*event)


def _forward(name: str):
    def forward(self: FirstBlocks, *event) -> None:
        if self.listening:
            self._tell(name, *event)

    forward.__name__ = name
    return forward


for _name in OF_A_BATCH:
    setattr(FirstBlocks, _name, _forward(_name))
