"""Do only some warps of a block store what they come to, though each takes a part in a sum by shuffles?

A warp that shuffles and after that never stores, votes or counts leaves no trace. Told where such a warp read elements
that no other warp has read, and a warp of its block, which shuffled as well, does store.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.analyses.findings import FindingBook
from simt.events import Access, Barrier, Batch, Finding, Listener, Site, WarpSync
from simt.hardware import WARP_SIZE
from simt.launching.geometry import volume
from simt.source.counts import count_text

MOST_LANES = 1 << 20  # of loads that are kept, of one batch


class LostWarps(Listener):
    """One note for each kernel."""

    hears_several = True

    def __init__(self) -> None:
        self.book = FindingBook()
        self._told = False

    def batch_begins(self, batch: Batch) -> None:
        threads = batch.launch.threads_per_block
        self._warps = -(-threads // WARP_SIZE)
        self._open = self._warps > 1 and not self._told and volume(batch.launch.block) == threads
        self._shuffled = np.zeros(batch.n_blocks * self._warps, bool)
        self._stored = np.zeros_like(self._shuffled)  # since they shuffled first
        self._loads: dict[tuple, list[tuple[np.ndarray, np.ndarray]]] = {}
        self._kept = 0
        self._site: Site | None = None
        self._store: Access | None = None

    def _of(self, lanes: Any) -> np.ndarray:
        return lanes.block * self._warps + lanes.thread // WARP_SIZE

    def access(self, event: Access) -> None:
        if not self._open:
            return
        warps = self._of(event.lanes)
        if event.kind != "load":
            done = warps[self._shuffled[warps]]
            self._stored[done] = True
            self._store = event if len(done) and event.array.space == "global" else self._store
        elif event.array.space == "global" and self._site is None:
            self._kept += len(warps)
            self._open = self._kept <= MOST_LANES
            self._loads.setdefault(event.array.key, []).append((event.cells, warps))

    def warp_sync(self, event: WarpSync) -> None:
        if not self._open:
            return
        warps = self._of(event.lanes)
        if event.reads_from is None:  # a vote, which others may go by
            self._stored[warps[self._shuffled[warps]]] = True
        else:
            self._shuffled[warps] = True
            self._site = event.site

    def barrier(self, event: Barrier) -> None:
        """One that counts may tell the others."""
        if self._open and event.site.text and "syncthreads_" in event.site.text:
            warps = self._of(event.lanes)
            self._stored[warps[self._shuffled[warps]]] = True

    def batch_ends(self, batch: Batch) -> None:
        if not self._open or self._site is None or self._store is None:
            return
        blocks = (self._shuffled & self._stored).reshape(batch.n_blocks, -1).any(axis=1)
        lost = self._shuffled & ~self._stored & np.repeat(blocks, self._warps)
        own = self._alone(lost) if lost.any() else None
        if own is not None:
            self._note(own, int(np.count_nonzero(lost)))

    def _alone(self, lost: np.ndarray) -> tuple[Any, int, int] | None:
        """(array's key, element, number of the warp) of an element that only a lost warp has read."""
        for key, loads in self._loads.items():
            cells, warps = (np.concatenate(parts) for parts in zip(*loads, strict=True))
            of_lost = lost[warps]
            alone = np.flatnonzero(of_lost & ~np.isin(cells, cells[~of_lost]))
            if len(alone):
                return key, int(cells[alone[0]]), int(warps[alone[0]]) % self._warps
        return None

    def _note(self, own: tuple[Any, int, int], count: int) -> None:
        site, store = self._site, self._store
        assert site is not None and store is not None
        warp = own[2]
        says = (
            f"Warp {warp} of a block shuffles at line {site.line}, and nothing that it comes to is ever stored: after "
            f"the shuffles only other warps of the block store, at line {store.site.line}. A shuffle stays within its "
            f"warp, so what the others read is missing from {store.array.name}."
        )
        remedy = (
            f"Let lane 0 of each warp hand its result on, where {count_text(self._warps, 'warp')} make a block: by "
            "cuda.atomic.add, or in a shared array that warp 0 adds up after a barrier."
        )
        lines = (store.site.line, site.line)
        detail = {"function": store.site.function}
        found = Finding(
            "lost_warps", says, lines, array=store.array.name, remedy=remedy, count=count, detail=detail, note=True
        )
        self.book.add((), found)
        self._told = True
