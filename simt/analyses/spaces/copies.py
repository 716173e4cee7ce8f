"""Does a thread touch what a copy from global to shared memory has not brought yet?

Such a copy runs beside the threads; `wait_copies`, by the thread that began it, is what it ends at. In between the
cells hold nothing that anybody may count on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simt.analyses.counters import Tally
from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.wording import element_text
from simt.events import Access, Batch, Listener, Site

NOBODY = -1
DOES = {"load": "reads", "store": "writes", "atomic": "updates"}


@dataclass
class UnderWay:
    """Which copy each cell of a shared array waits for. by: (cells of all blocks,) index of its site, or NOBODY;
    since: how many loads from shared memory there had been when it began."""

    by: np.ndarray
    since: np.ndarray
    sites: list[Site] = field(default_factory=list)

    def number(self, site: Site) -> int:
        """The index of a site, new or known."""
        if site not in self.sites:
            self.sites.append(site)
        return self.sites.index(site)


class Copies(Listener):
    """Findings about cells that are touched too early, and how many copies began, by site."""

    hears_several = True

    def __init__(self) -> None:
        self.book, self.tally = FindingBook(), Tally()
        self._under_way: dict[tuple, UnderWay] = {}
        self._loads = 0  # from shared memory, so far

    def batch_begins(self, batch: Batch) -> None:
        self._under_way.clear()

    def copy_begins(self, event: Access) -> None:
        self.tally.add(event.site, async_copy_requests=event.lanes.n_warps * event.each)
        self._look(event, "copies to")
        state, keys = self._state(event)
        state.by[keys], state.since[keys] = state.number(event.site), self._loads

    def copy_ends(self, event: Access) -> None:
        state, keys = self._state(event)
        ahead = (state.since[keys] < self._loads).reshape(-1, event.each)  # of each lane, by element
        warps = event.lanes.warp[:: event.each]
        if (ahead == ahead[:, :1]).all():
            count = event.each * len(np.unique(warps[ahead[:, 0]]))
        else:
            count = sum(len(np.unique(warps[of_one])) for of_one in ahead.T)
        self.tally.add(state.sites[state.by[keys[0]]], async_copies_ahead=count)
        state.by[keys] = NOBODY

    def access(self, event: Access) -> None:
        if event.array.space == "shared" and self._under_way:
            self._loads += event.kind == "load"
            self._look(event, DOES[event.kind])

    def tile_read(self, event: Access) -> None:
        """The tensor cores multiply, while copies may travel."""
        self.access(event)

    def _state(self, event: Access) -> tuple[UnderWay, np.ndarray]:
        """What is known of the array, and where in it the lanes' cells are."""
        array, lanes = event.array, event.lanes
        storage, units = array.storage
        size = array.n_cells * units
        if storage not in self._under_way:
            self._under_way[storage] = UnderWay(*np.full((2, size * lanes.batch.n_blocks), NOBODY, np.int64))
        return self._under_way[storage], event.cells * units + lanes.block * size

    def _look(self, event: Access, does: str) -> None:
        if event.array.storage[0] not in self._under_way:
            return
        state, keys = self._state(event)
        by = state.by[keys]
        early = by != NOBODY
        for number in np.unique(by[early]) if np.count_nonzero(early) else ():
            self._report(event, does, state.sites[number], by == number)

    def _report(self, event: Access, does: str, copy: Site, early: np.ndarray) -> None:
        site, array, lanes, first = event.site, event.array, event.lanes, int(early.argmax())
        cell = int(event.cells[first])
        says = (
            f"{does} {element_text(array, cell)} at line {site.line}, and the copy to it that line {copy.line} began "
            "may still be under way: nothing has waited for it."
        )
        remedy = (
            f"Between line {copy.line} and line {site.line}, let the threads that copy call commit_copies() and then "
            "wait_copies(), and after it cuda.syncthreads() where other threads read what they copied."
        )
        self.book.add(
            (site.function, site.line, copy.line, array.name),
            by_thread(
                lanes,
                first,
                says,
                kind="race",
                lines=(site.line, copy.line),
                array=array.name,
                remedy=remedy,
                count=int(np.count_nonzero(early)),
                detail={"hazard": "copy", "scope": "block", "space": "shared", "index": array.index_of(cell)},
            ),
        )
