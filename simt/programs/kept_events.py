"""Events that are kept for a listener which is asked for something in few launches only: it hears them then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from simt.events import Access, Barrier, Batch, Launch, Listener, Site

MOST_LANES = 1 << 19  # of all events that are kept
SPACES = ("shared", "global")  # that threads have in common
MOST_BYTES = 1 << 20  # of an array whose first state is kept


class OnDemand(Listener):
    """Stands for a listener of one launch. Past these limits the listener hears everything as it comes."""

    hears_several = True

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._kept: list[tuple[str, Any, np.ndarray | None]] | None = []  # name, event, what its array held at first
        self._lanes = 0
        self._known: set[int] = set()  # buffers whose first state is kept

    def heard(self) -> Any:
        """The listener, once it has heard all."""
        kept, self._kept = self._kept, None
        memories: dict[int, np.ndarray] = {}
        for name, event, before in kept or ():
            if name == "batch_begins":
                memories.clear()
            if isinstance(event, Access) and event.memory is not None:
                event = self._as_it_was(event, before, memories)
            getattr(self._listener, name)(event)
            if name == "access" and event.kind == "store" and event.memory is not None:
                if event.values is not None and not event.memory.dtype.names:
                    event.memory[event.cells] = event.values
        return self._listener

    @staticmethod
    def _as_it_was(event: Access, before: np.ndarray | None, memories: dict[int, np.ndarray]) -> Access:
        if before is not None:
            memories[id(event.memory)] = before
        return replace(event, memory=memories[id(event.memory)])

    def _keep(self, name: str, event: Any, lanes: int = 0) -> None:
        if self._kept is None:
            getattr(self._listener, name)(event)
            return
        memory, before = getattr(event, "memory", None), None
        self._lanes += lanes
        is_new = memory is not None and id(memory) not in self._known
        if self._lanes > MOST_LANES or is_new and memory is not None and memory.nbytes > MOST_BYTES:
            self.heard()
            getattr(self._listener, name)(event)
            return
        if is_new and memory is not None:
            before = memory.copy()
            self._known.add(id(memory))
        self._kept.append((name, event, before))

    def launch_begins(self, launch: Launch) -> None:
        self._listener.launch_begins(launch)

    def batch_begins(self, batch: Batch) -> None:
        self._known.clear()
        self._keep("batch_begins", batch)

    def barrier(self, event: Barrier) -> None:
        self._keep("barrier", event, len(event.lanes))

    def grid_sync(self, site: Site) -> None:
        self._keep("grid_sync", site)

    def access(self, event: Access) -> None:
        if event.array.space in SPACES:
            self._keep("access", event, len(event.cells))

    def copy_begins(self, event: Access) -> None:
        self._keep("copy_begins", event, len(event.cells))

    def tile_read(self, event: Access) -> None:
        self._keep("tile_read", event, len(event.cells))
