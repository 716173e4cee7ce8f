"""Who may store into a counter: the block that it told to be the last, as CUDA's own sample of the "last block" does.

Nobody updates it any more then, so it is a cell like any other.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.races.codes import block_of
from simt.events import Access

NOBODY, SEVERAL = -1, -2  # in place of a block


class LastUpdates:
    """Elements of global arrays that a block stores into after its atomic update of them was the last one of all."""

    def __init__(self) -> None:
        self._last: dict[tuple, np.ndarray] = {}  # by array: (n_cells,) block whose update came last
        self._stored: dict[tuple, np.ndarray] = {}  # (n_cells,) the block that stored after it

    def atomic(self, event: Access, stored_before: np.ndarray | None) -> None:
        """Threads updated elements. stored_before: (n_cells,) bool, which elements were stored into; None for none."""
        key = event.array.key
        if key not in self._last:
            self._last[key] = np.full(event.array.n_cells, NOBODY)
            self._stored[key] = (
                np.where(stored_before, SEVERAL, self._last[key])
                if stored_before is not None
                else (self._last[key].copy())
            )
        blocks = event.lanes.batch.block_ids[event.lanes.block]
        order = slice(None) if event.turns is None else event.turns
        cells, blocks = event.cells[order], blocks[order]
        stored = self._stored[key]
        stored[cells[(stored[cells] != NOBODY) & (stored[cells] != blocks)]] = SEVERAL
        self._last[key][cells] = blocks if event.result_used else SEVERAL

    def store(self, event: Access) -> None:
        """Threads stored into elements, atomically updated or not."""
        last = self._last.get(event.array.key)
        if last is None:
            return
        stored, cells = self._stored[event.array.key], event.cells
        blocks = event.lanes.batch.block_ids[event.lanes.block]
        allowed = (last[cells] == blocks) & ((stored[cells] == NOBODY) | (stored[cells] == blocks))
        stored[cells] = np.where(allowed, blocks, SEVERAL)

    def ordered(self, key: tuple, cells: np.ndarray, writers: np.ndarray) -> np.ndarray:
        """(n,) whether stores, by codes of `shadow`, are of the block whose update of the element was the last."""
        stored = self._stored.get(key)
        return np.zeros(len(cells), bool) if stored is None else stored[cells] == block_of(writers)
