"""Is a partial result in shared memory read by nobody? So ends a tree whose block is no power of 2."""

from __future__ import annotations

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.wording import element_text
from simt.events import Access, Batch, Lanes, Listener

FOLDS = ("add", "sub", "max", "min", "and_", "or_", "xor", "compare_and_swap")
READ = -1


class LostSums(Listener):
    """One note for each line and shared array."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def batch_begins(self, batch: Batch) -> None:
        self._unread: dict[tuple, np.ndarray] = {}  # by array: number of the last fold that nobody has read; READ
        self._folds: list[Access] = []
        threads = batch.launch.threads_per_block
        self._may_lose = bool(threads & (threads - 1))  # no power of 2

    def access(self, event: Access) -> None:
        array = event.array
        if not self._may_lose or array.space != "shared" or array.memory:
            return
        folds = event.kind == "store" and event.site.update in FOLDS
        if not folds and array.key not in self._unread:
            return
        cells = event.cells + event.lanes.block * array.n_cells
        if folds:
            size = array.n_cells * event.lanes.batch.n_blocks
            self._unread.setdefault(array.key, np.full(size, READ, np.int32))[cells] = len(self._folds)
            self._folds.append(event)
        else:
            self._unread[array.key][cells] = READ

    def batch_ends(self, batch: Batch) -> None:
        threads = batch.launch.threads_per_block
        for lost in self._unread.values():
            places = np.flatnonzero(lost != READ)
            if 0 < len(places) < threads * batch.n_blocks // 2:
                self._note(self._folds[int(lost[places[0]])], int(places[0]), len(places))

    def _note(self, event: Access, place: int, count: int) -> None:
        array, site = event.array, event.site
        key = site.function, site.line, array.name
        if key in self.book:
            self.book.count(key, count)
            return
        lanes: Lanes = event.lanes
        at = int(np.flatnonzero(event.cells + lanes.block * array.n_cells == place)[0])
        says = (
            f"puts its result into {element_text(array, place % array.n_cells)} at line {site.line}, and no thread "
            "ever reads it: it is missing from what comes out."
        )
        remedy = (
            "A tree that halves its step takes in everything only where the number of threads is a power of 2: launch "
            "so many, or let the step be rounded up, with a guard for the partner that is not there."
        )
        parts = {"lines": (site.line,), "array": array.name, "count": count, "detail": {"function": site.function}}
        self.book.add(key, by_thread(lanes, at, says, kind="lost_sum", remedy=remedy, note=True, **parts))
