"""Does a thread read a shared element that this turn of a loop should have filled anew, and did not?

The pattern is a tile filled from global memory in every turn, under a guard: threads without an element in the last
turn skip the store, and the others read what is left of the turn before. Barriers order all of it, so it is no race.
Only a refill is judged: a store in a loop whose value comes from global memory, made by each thread that takes part to
the element it filled last time, as double buffers and scans do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simt.analyses.findings import FindingBook
from simt.analyses.wording import block_text, element_text, sentence, thread_text, unravel
from simt.events import Access, Batch, Finding, Launch, Listener, Site

NOWHERE = -1


@dataclass
class Refill:
    """A store that fills a shared array in every turn. filled: (threads of the batch,) key each thread wrote last."""

    site: Site
    filled: np.ndarray
    steady: bool = True  # no thread has moved to another element so far


class Stale(Listener):
    """One finding for each line and array."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def launch_begins(self, launch: Launch) -> None:
        self._launch = launch

    def batch_begins(self, batch: Batch) -> None:
        self._width = batch.n_blocks * batch.launch.threads_per_block
        self._refills: dict[tuple, Refill] = {}
        self._left: dict[tuple, np.ndarray] = {}  # array -> (keys,) id of the site that skipped this element, or 0
        self._sites: dict[int, Site] = {}
        self._loaded: tuple = ()  # function and line of the latest load from global memory
        self._worked_on: set[tuple] = set()  # array, function and line of its loads: a store there is no filling

    def access(self, event: Access) -> None:
        array, site = event.array, event.site
        if array.space == "global" and event.kind == "load":
            self._loaded = site.function, site.line
        if array.space != "shared" or not len(event.lanes):
            return
        if event.kind == "load":
            self._worked_on.add((array.storage[0], site.function, site.line))
            left = self._left.get(array.storage[0])
            if left is not None:
                self._check(event, left)
        elif event.kind == "store":
            self._store(event)

    def _keys(self, event: Access) -> np.ndarray:
        return event.cells + event.lanes.block * event.array.n_cells

    def _store(self, event: Access) -> None:
        memory, site, keys = event.array.storage[0], event.site, self._keys(event)
        left = self._left.get(memory)
        if left is not None:
            left[keys] = 0
        line = site.function, site.line
        if not site.loops or event.array.memory or self._loaded != line or (memory, *line) in self._worked_on:
            return
        slots = event.lanes.block * self._launch.threads_per_block + event.lanes.thread
        refill = self._refills.get((memory, site.id))
        if refill is None:
            refill = self._refills[memory, site.id] = Refill(site, np.full(self._width, NOWHERE, np.int64))
        elif refill.steady:
            before = refill.filled[slots]
            refill.steady = bool(((before == keys) | (before == NOWHERE)).all())
            if refill.steady and len(slots) < np.count_nonzero(refill.filled != NOWHERE):
                self._skipped(event, refill, slots)
        refill.filled[slots] = keys

    def _skipped(self, event: Access, refill: Refill, slots: np.ndarray) -> None:
        """Elements of threads that filled one before, in blocks where others do so again."""
        absent = refill.filled != NOWHERE
        absent[slots] = False
        here = np.zeros(event.lanes.batch.n_blocks, bool)
        here[event.lanes.block] = True
        absent &= np.repeat(here, self._launch.threads_per_block)
        keys = refill.filled[absent]
        if not len(keys):
            return
        memory = event.array.storage[0]
        if memory not in self._left:
            self._left[memory] = np.zeros(event.array.n_cells * event.lanes.batch.n_blocks, np.int64)
        self._sites[refill.site.id + 1] = refill.site
        self._left[memory][keys] = refill.site.id + 1
        refill.filled[absent] = NOWHERE

    def _check(self, event: Access, left: np.ndarray) -> None:
        keys = self._keys(event)
        stale = left[keys] != 0
        if not stale.any():
            return
        site, array, lanes = event.site, event.array, event.lanes
        count, first = int(np.count_nonzero(stale)), int(stale.argmax())
        key = site.function, site.line, array.name
        if key in self.book:
            self.book.count(key, count)
            return
        launch, thread = self._launch, int(lanes.thread[first])
        block_id, cell = int(lanes.batch.block_ids[lanes.block[first]]), int(event.cells[first])
        line = self._sites[int(left[keys[first]])].line
        who = f"{thread_text(launch, thread)} of {block_text(launch, block_id)}"
        message = (
            f"{who} reads {element_text(array, cell)} at line {site.line}, which still holds the value of an earlier "
            f"turn of the loop: line {line} filled other elements of {array.name} anew, but not this one."
        )
        self.book.add(
            key,
            Finding(
                kind="uninitialised_read",
                message=sentence(message),
                lines=(site.line, line),
                threads=(unravel(thread, launch.block),),
                blocks=(unravel(block_id, launch.grid),),
                array=array.name,
                remedy=(
                    f"Let every thread store at line {line} in every turn: a neutral value such as 0 where there is no "
                    "input left."
                ),
                count=count,
                detail={"index": array.index_of(cell), "space": "shared", "stale": True},
            ),
        )
