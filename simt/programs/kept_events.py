"""Events of one launch that are kept for listeners who may never need them: they hear them when they are asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from simt.events import Access, Barrier, Batch, Branch, Fence, Launch, Listener, Site, WarpSync

MOST_LANES = 1 << 19  # of all events that are kept
SPACES = ("shared", "global")  # that threads have in common
MOST_BYTES = 1 << 20  # of an array whose first state is kept
Kept = tuple[str, Any, np.ndarray | None]  # name, event, what its array held at first


class KeptEvents(Listener):
    """Stands for listeners of one launch. Past these limits all of them hear everything as it comes."""

    hears_several = True

    def __init__(self, *waiting: Listener) -> None:
        self.events: list[Kept] = []
        self._waiting = list(waiting)
        self._direct: list[Listener] = []  # who hears events as they come
        self._lanes = 0
        self._known: dict[int, tuple] = {}  # buffers whose first state is kept, by id

    def is_waiting(self, listener: Listener) -> bool:
        """Whether a listener has heard nothing so far."""
        return listener in self._waiting

    def heard_by(self, listener: Listener) -> Listener:
        """A listener, once it has heard all."""
        if listener not in self._waiting:
            return listener
        memories: dict[tuple, np.ndarray] = {}
        for name, event, before in self.events:
            if name == "batch_begins":
                memories.clear()
            if isinstance(event, Access) and event.memory is not None:
                event = _as_it_was(event, before, memories)
            getattr(listener, name)(event)
            if name == "access" and event.kind == "store" and event.memory is not None:
                if event.values is not None and not event.memory.dtype.names:
                    event.memory[event.cells] = event.values
        self._waiting.remove(listener)
        self._direct.append(listener)
        if not self._waiting:
            self.events = []
        return listener

    def _keep(self, name: str, event: Any, lanes: int = 0) -> None:
        for listener in self._direct:
            getattr(listener, name)(event)
        if not self._waiting:
            return
        memory, before = getattr(event, "memory", None), None
        self._lanes += lanes
        if memory is not None and id(memory) not in self._known:
            before = self._first_state(memory)
        if self._lanes > MOST_LANES:
            for listener in [*self._waiting]:
                self.heard_by(listener)
                getattr(listener, name)(event)
            return
        self.events.append((name, event, before))

    def _first_state(self, memory: np.ndarray) -> np.ndarray | None:
        """What a buffer holds now; None of one that is known by another name, or too large to keep."""
        key = _key(memory)
        is_new = key not in self._known.values()
        self._known[id(memory)] = key
        if memory.nbytes > MOST_BYTES:
            self._lanes = MOST_LANES + 1
            return None
        return memory.copy() if is_new else None

    def launch_begins(self, launch: Launch) -> None:
        self._keep("launch_begins", launch)

    def batch_begins(self, batch: Batch) -> None:
        self._known.clear()
        self._keep("batch_begins", batch)

    def batch_ends(self, batch: Batch) -> None:
        self._keep("batch_ends", batch)

    def barrier(self, event: Barrier) -> None:
        self._keep("barrier", event, len(event.lanes))

    def branch(self, event: Branch) -> None:
        self._keep("branch", event, len(event.lanes))

    def fence(self, event: Fence) -> None:
        self._keep("fence", event, len(event.lanes))

    def warp_sync(self, event: WarpSync) -> None:
        self._keep("warp_sync", event, len(event.lanes))

    def grid_sync(self, site: Site) -> None:
        self._keep("grid_sync", site)

    def access(self, event: Access) -> None:
        if event.array.space in SPACES:
            self._keep("access", event, len(event.cells))

    def copy_begins(self, event: Access) -> None:
        self._keep("copy_begins", event, len(event.cells))

    def copy_ends(self, event: Access) -> None:
        self._keep("copy_ends", event, len(event.cells))

    def tile_read(self, event: Access) -> None:
        self._keep("tile_read", event, len(event.cells))

    def tile_read_ends(self, event: Access) -> None:
        self._keep("tile_read_ends", event, len(event.cells))


def _as_it_was(event: Access, before: np.ndarray | None, memories: dict[tuple, np.ndarray]) -> Access:
    key = _key(event.memory)
    if before is not None:
        memories[key] = before.copy()
    return replace(event, memory=memories[key])


def _key(memory: Any) -> tuple:
    """What tells one buffer from another while both live."""
    return memory.__array_interface__["data"][0], memory.size, memory.dtype.str
