"""Accesses of different blocks to global memory, which nothing but a barrier of the whole grid orders."""

from __future__ import annotations

from functools import partial

import numpy as np

from simt.analyses.races.codes import codes_of
from simt.analyses.races.fences import FenceLog
from simt.analyses.races.grid_shadow import GridShadow
from simt.analyses.races.last_updates import LastUpdates
from simt.analyses.races.reports import Reports
from simt.events import Access, ArrayInfo, Launch


class BetweenBlocks:
    """What the blocks of a launch did to global arrays since its last grid barrier; judged at the next one."""

    def __init__(self, launch: Launch, fences: FenceLog, reports: Reports) -> None:
        self._one_block = launch.grid == (1, 1, 1)
        self._fences, self._reports = fences, reports
        self._last = LastUpdates()
        self._shadows: dict[tuple, GridShadow] = {}
        self._arrays: dict[tuple, ArrayInfo] = {}

    def note(self, event: Access, sequence: int, rising: bool) -> None:
        """Remember an access to a global array. rising: whether the blocks of its batch come in rising order."""
        if self._one_block:
            return
        array = event.array
        self._arrays[array.key] = array
        shadow = self._shadows.setdefault(array.key, GridShadow(array.n_cells))
        if event.kind == "atomic":
            self._last.atomic(event, shadow.stored)
        elif event.kind == "store":
            self._last.store(event)
        elif self._fences.counting is not None:
            self._fences.counting.look(event, sequence)
        shadow.note(event.kind, partial(_cells_and_codes, event, sequence, rising), len(event.lanes))

    def judge(self) -> None:
        """A barrier of the grid, or its end: report what met before it, and begin anew."""
        for memory, shadow in self._shadows.items():
            for hazard, *clash in shadow.clashes():
                self._reports.met_any = True
                cells, writers, others = clash
                if hazard == "WAW":
                    open_ones = ~self._last.ordered(memory, cells, writers)
                    cells, writers, others = (part[open_ones] for part in clash)
                fenced = self._fences.lock_orders(writers, others, later_ended=True, near=False)
                if hazard == "RAW":
                    fenced |= self._fences.publishes(writers, others)
                    fenced &= ~self._fences.reads_early(writers, others)
                self._reports.between_blocks(self._arrays[memory], hazard, cells, writers, others, fenced)
        self._shadows = {}


def _cells_and_codes(event: Access, sequence: int, rising: bool) -> tuple[np.ndarray, np.ndarray]:
    """Both by rising code, also when the blocks of a batch come in shuffled order."""
    codes = codes_of(event.lanes, sequence)
    if rising:
        return event.cells, codes
    order = np.argsort(codes, kind="stable")
    return event.cells[order], codes[order]
