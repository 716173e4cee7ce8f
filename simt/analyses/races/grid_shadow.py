"""Shadow memory for the whole grid: which blocks wrote, updated and read each element, so that two that meet are seen.

It keeps the lowest and the highest block that did each, which is exact, because nothing but a grid barrier orders two
blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from simt.analyses.races.codes import NEVER, block_of
from simt.analyses.races.shadow import PENDING_LANES

NO_BLOCK = np.iinfo(np.int64).max


@dataclass
class Extent:
    """Lowest and highest block (as codes) that did one kind of access to each element since the last grid barrier."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def empty(cls, n_cells: int) -> Extent:
        return cls(np.full(n_cells, NO_BLOCK, np.int64), np.full(n_cells, NEVER, np.int64))

    def enter(self, cells: np.ndarray, codes: np.ndarray) -> None:
        """codes must not fall, so that of lanes on one cell the first is the lowest and the last the highest."""
        low = np.minimum(self.low[cells], codes)
        self.low[cells[::-1]] = low[::-1]
        self.high[cells] = np.maximum(self.high[cells], codes)

    def meets(self, other: Extent) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Cells where some block of one and another block of the other met, and a code of each."""
        first, second = self.low, other.high
        both = (self.high != NEVER) & (other.high != NEVER)
        cross = both & (block_of(first) != block_of(second))
        swapped = both & ~cross & (block_of(self.high) != block_of(other.low))
        cells = np.flatnonzero(cross | swapped)
        turn = swapped[cells]
        return (
            cells,
            np.where(turn, self.high[cells], first[cells]),
            np.where(turn, other.low[cells], second[cells]),
        )


@dataclass
class GridShadow:
    """Extents of writes, atomics and reads of one global array."""

    n_cells: int
    extents: dict[str, Extent] = field(default_factory=dict)  # "store", "atomic", "load"
    pending: list = field(default_factory=list)  # loads not entered yet: functions that make (cells, codes)
    pending_lanes: int = 0

    def note(self, kind: str, make, n_lanes: int) -> None:
        """Enter an access; make() gives its cells and codes. Loads wait: an unwritten array never needs them."""
        if kind != "load":
            self._enter(kind, *make())
            return
        self.pending.append(make)
        self.pending_lanes += n_lanes
        if self.pending_lanes > PENDING_LANES:
            self._enter_loads()

    @property
    def stored(self) -> np.ndarray | None:
        """(n_cells,) bool, the elements that were stored into; None where there was no store."""
        stores = self.extents.get("store")
        return None if stores is None else stores.high != NEVER

    def _enter(self, kind: str, cells: np.ndarray, codes: np.ndarray) -> None:
        extent = self.extents.get(kind)
        if extent is None:
            extent = self.extents[kind] = Extent.empty(self.n_cells)
        extent.enter(cells, codes)

    def _enter_loads(self) -> None:
        for make in self.pending:
            self._enter("load", *make())
        self.pending.clear()
        self.pending_lanes = 0

    def clashes(self) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
        """Yield (hazard, cells, codes of the writer, codes of the other) for elements that two blocks fight over."""
        if not self.extents.keys() & {"store", "atomic"}:
            return
        self._enter_loads()
        store, atomic, load = (self.extents.get(kind) for kind in ("store", "atomic", "load"))
        pairs = [("WAW", store, store), ("WAW", store, atomic), ("RAW", store, load), ("RAW", atomic, load)]
        for hazard, writer, other in pairs:
            if writer is not None and other is not None:
                cells, writer_codes, other_codes = writer.meets(other)
                if len(cells):
                    yield hazard, cells, writer_codes, other_codes
