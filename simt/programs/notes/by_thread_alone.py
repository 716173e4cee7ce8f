"""Does every block store the same elements, those of its threads' numbers, where the grid has a thread for each?"""

from __future__ import annotations

import numpy as np

from simt.analyses.findings import FindingBook
from simt.events import Access, Finding, Launch, Listener, Site


class ByThreadAlone(Listener):
    """One note a launch."""

    hears_wide = hears_several = True

    def __init__(self) -> None:
        self.book = FindingBook()
        self._open: dict[tuple, str] = {}  # arrays that every store so far was of this kind, and their names
        self._lines: dict[tuple, Site] = {}

    def launch_begins(self, launch: Launch) -> None:
        """Arrays of one axis that the whole grid goes through once."""
        self._open, self._lines = {}, {}
        block, blocks = launch.threads_per_block, int(np.prod(launch.grid))
        if blocks > 1 and launch.block[1:] == launch.grid[1:] == (1, 1):
            arrays = (one for one in launch.arguments if len(one.shape) == 1)
            fits = (one for one in arrays if (blocks - 1) * block < one.shape[0] <= blocks * block)
            self._open = {one.key: one.name for one in fits}

    def access(self, event: Access) -> None:
        key = event.array.key
        if event.kind == "load" or key not in self._open:
            return
        own = event.kind == "store" and event.wide == event.each == 1 and event.array.strides == (1,)
        if own and np.array_equal(event.cells - event.array.first_cell, event.lanes.thread):
            self._lines.setdefault(key, event.site)
        else:
            del self._open[key]

    def launch_ends(self, launch: Launch) -> None:
        for key, site in self._lines.items():
            if key in self._open:
                name, block = self._open[key], launch.threads_per_block
                size = next(one.shape[0] for one in launch.arguments if one.key == key)
                says = (
                    f"Every block stores {name}[0] to {name}[{block - 1}] at line {site.line}, by the number of the "
                    f"thread in its block, and {name}[{block}] to {name}[{size - 1}] are stored by nobody, though the "
                    "grid has a thread for each."
                )
                remedy = "Take the position in the whole grid: i = cuda.grid(1), with a guard for what is past the end."
                detail = {"unsure": "a guess from the sizes", "function": site.function}
                found = Finding(
                    "by_thread_alone", says, (site.line,), array=name, remedy=remedy, detail=detail, note=True
                )
                self.book.add((), found)
