"""Does a thread read a shared element that this iteration of a loop should have filled anew, and did not?

The pattern is a tile filled from global memory in every iteration, under a guard: threads without an element in the
last one skip the store, and the others read what is left of the iteration before. Barriers order all of it, so it is no
race.

A *filling* is all that one store puts into a tile between two barriers, so the iterations of a strided fill loop, and
the sides of an `if` that fill the rest, make no filling stale. Judged is only a filling that is a part of the one
before, each element by the thread that filled it then, and only what a thread reads that took part in it: double
buffers, rings, windows that move, scans, and threads that read and throw away, fall outside. An element is stale where
no other store has touched it since. What is read on purpose of an earlier filling cannot be told from a mistake, so a
judge that knows the right result lets it decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.wording import element_text
from simt.events import Access, ArrayInfo, Barrier, Batch, Launch, Listener, Site

NEVER = -1


@dataclass
class Refill:
    """What one store has put into a tile. Phases count a block's barriers; -1 stands for never.

    phase: (keys,) when each element was filled; owner: (keys,) by which thread; took_part: (threads of the batch,)
    when each thread filled last; now, before: (blocks,) phases of the latest filling and of the one before it;
    differs: (blocks,) whether the latest is no part of the one before.
    """

    site: Site
    phase: np.ndarray
    owner: np.ndarray
    took_part: np.ndarray
    now: np.ndarray
    before: np.ndarray
    differs: np.ndarray

    @classmethod
    def empty(cls, site: Site, n_keys: int, n_threads: int, n_blocks: int) -> Refill:
        def never(size: int) -> np.ndarray:
            return np.full(size, NEVER, np.int64)

        per_key, per_block = (never(n_keys), never(n_keys)), (never(n_blocks), never(n_blocks))
        return cls(site, *per_key, never(n_threads), *per_block, np.zeros(n_blocks, bool))

    def fill(self, keys: np.ndarray, slots: np.ndarray, blocks: np.ndarray, phases: np.ndarray) -> None:
        """Enter a store. phases: (blocks of the batch,) how many barriers each block has passed."""
        begins = np.unique(blocks[self.now[blocks] != phases[blocks]])
        self.before[begins], self.now[begins], self.differs[begins] = self.now[begins], phases[begins], False
        known = (self.phase[keys] == self.before[blocks]) & (self.owner[keys] == slots)
        again = self.phase[keys] == self.now[blocks]
        self.differs[blocks[~(known | again)]] = True
        self.phase[keys], self.owner[keys] = self.now[blocks], slots
        self.took_part[slots] = self.now[blocks]

    def stale(self, keys: np.ndarray, slots: np.ndarray, blocks: np.ndarray, phases: np.ndarray) -> np.ndarray:
        """(n,) bool: which of the elements that these threads read were left out by the latest filling, now over."""
        over = (self.before[blocks] != NEVER) & ~self.differs[blocks] & (phases[blocks] > self.now[blocks])
        return over & (self.phase[keys] == self.before[blocks]) & (self.took_part[slots] == self.now[blocks])


class Stale(Listener):
    """One finding for each line and array."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def launch_begins(self, launch: Launch) -> None:
        self._launch = launch

    def batch_begins(self, batch: Batch) -> None:
        self._phases = np.zeros(batch.n_blocks, np.int64)
        self._refills: dict[tuple, dict[int, Refill]] = {}  # array -> id of the store -> what it filled
        self._last: dict[tuple, np.ndarray] = {}  # array -> (keys,) 1 + id of the refill that stored last, or 0
        self._loaded: tuple = ()  # function and line of the latest load from global memory
        self._worked_on: set[tuple] = set()  # array, function and line of its loads: a store there is no filling

    def barrier(self, event: Barrier) -> None:
        self._phases[event.lanes.blocks] += 1

    def access(self, event: Access) -> None:
        array, site = event.array, event.site
        if array.space == "global" and event.kind == "load":
            self._loaded = site.function, site.line
        if array.space != "shared" or not len(event.lanes):
            return
        memory = array.storage[0]
        if event.kind == "load":
            self._worked_on.add((memory, site.function, site.line))
            for refill in self._refills.get(memory, {}).values():
                self._check(event, refill)
        elif memory in self._last or event.kind == "store":
            self._store(event)

    def _keys(self, event: Access) -> np.ndarray:
        return event.cells + event.lanes.block * event.array.n_cells

    def _slots(self, event: Access) -> np.ndarray:
        return event.lanes.block * self._launch.threads_per_block + event.lanes.thread

    def _store(self, event: Access) -> None:
        memory, site = event.array.storage[0], event.site
        fills = event.kind == "store" and self._is_filling(event.array, site)
        if not fills and memory not in self._last:
            return
        keys = self._keys(event)
        if fills:
            self._refill(event).fill(keys, self._slots(event), event.lanes.block, self._phases)
        self._last[memory][keys] = 1 + site.id if fills else 0

    def _is_filling(self, array: ArrayInfo, site: Site) -> bool:
        """A store in a loop whose line loads global memory and nothing of the array."""
        line = site.function, site.line
        in_turn = bool(site.loops) and not array.memory
        return in_turn and self._loaded == line and (array.storage[0], *line) not in self._worked_on

    def _refill(self, event: Access) -> Refill:
        """What the store of an event has filled so far."""
        memory, site, batch = event.array.storage[0], event.site, event.lanes.batch
        n_keys = event.array.n_cells * batch.n_blocks
        if memory not in self._last:
            self._last[memory], self._refills[memory] = np.zeros(n_keys, np.int64), {}
        refills = self._refills[memory]
        if site.id not in refills:
            n_threads = batch.n_blocks * self._launch.threads_per_block
            refills[site.id] = Refill.empty(site, n_keys, n_threads, batch.n_blocks)
        return refills[site.id]

    def _check(self, event: Access, refill: Refill) -> None:
        if not ((refill.before != NEVER) & ~refill.differs).any():
            return
        keys = self._keys(event)
        stale = refill.stale(keys, self._slots(event), event.lanes.block, self._phases)
        stale &= self._last[event.array.storage[0]][keys] == 1 + refill.site.id
        if stale.any():
            self._report(event, refill.site.line, stale)

    def _report(self, event: Access, line: int, stale: np.ndarray) -> None:
        """Tell of elements that the store at `line` left out. stale: (n,) bool, which lanes read one."""
        site, array, lanes = event.site, event.array, event.lanes
        count, first = int(np.count_nonzero(stale)), int(stale.argmax())
        key = site.function, site.line, array.name
        if key in self.book:
            self.book.count(key, count)
            return
        cell = int(event.cells[first])
        does = (
            f"reads {element_text(array, cell)} at line {site.line}, which still holds the value of an earlier "
            f"iteration of the loop: line {line} filled other elements of {array.name} anew, but not this one."
        )
        self.book.add(
            key,
            by_thread(
                lanes,
                first,
                does,
                kind="uninitialised_read",
                lines=(site.line, line),
                array=array.name,
                remedy=(
                    f"Let line {line}, or its other side, store every element in every iteration: what belongs there "
                    "where there is no input left, as 0 does in a sum."
                ),
                count=count,
                detail={"index": array.index_of(cell), "space": "shared", "stale": True},
            ),
        )
