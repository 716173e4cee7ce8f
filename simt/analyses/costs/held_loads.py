"""Which loads does the compiler answer from a register, because the thread holds that element already?

Two expressions of one text are one load in the machine code where the later one is run by lanes that ran the earlier
one, on the same elements, and nothing between them may have changed memory: a store or an atomic to the same space, a
barrier, a fence, a shuffle or a vote. Compared with what numba compiles in tests/simt/analyses/test_held_loads.py, and
with an H200 in tests/zoo. The same expression in the next iteration of a loop is a load of its own here.
"""

from __future__ import annotations

import numpy as np

from simt.events import Access, Barrier, Batch, Fence, Lanes, Listener, Site, Statement, WarpSync


class HeldLoads(Listener):
    """Base of the analyses that count loads. They call `is_held` for every access of one memory space, in order."""

    hears_wide = True

    def __init__(self) -> None:
        self._held: dict[tuple, Access] = {}  # by function, text and array

    def is_held(self, event: Access) -> bool:
        """Whether the machine makes no access of this one, a load. Remembers it otherwise."""
        if event.kind != "load":
            self._held.clear()
            return False
        key = event.site.function, event.site.text, event.array.key
        earlier = self._held.get(key)
        if earlier is not None and earlier.site.id != event.site.id and _covers(earlier, event):
            return True
        self._held[key] = event
        return False

    def statement(self, event: Statement) -> None:
        """Where more lanes run than those that loaded, the branch they loaded in has ended."""
        n = len(event.lanes) if self._held else 0
        for key in [key for key, load in self._held.items() if len(load.lanes) < n]:
            del self._held[key]

    def batch_begins(self, batch: Batch) -> None:
        self._held.clear()

    def barrier(self, event: Barrier) -> None:
        self._held.clear()

    def warp_sync(self, event: WarpSync) -> None:
        self._held.clear()

    def fence(self, event: Fence) -> None:
        self._held.clear()

    def grid_sync(self, site: Site) -> None:
        self._held.clear()


def _covers(earlier: Access, later: Access) -> bool:
    """Whether every lane of the later load was one of the earlier and wants the same cell."""
    threads, wanted = _threads(earlier.lanes), _threads(later.lanes)
    if len(wanted) > len(threads):
        return False
    place = np.minimum(np.searchsorted(threads, wanted), len(threads) - 1)
    return bool((threads[place] == wanted).all() and (earlier.cells[place] == later.cells).all())


def _threads(lanes: Lanes) -> np.ndarray:
    """(n,) rising numbers of the active threads within the batch."""
    return lanes.block * lanes.batch.launch.threads_per_block + lanes.thread
