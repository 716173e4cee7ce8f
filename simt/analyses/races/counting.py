"""When each block updated global memory atomically, and which of two blocks came first where they counted together.

A counter tells a block that others are done only where they counted before it: who reads what a block left that counts
later has not asked the counter, even where the store happens to be there already.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.races.codes import block_of, sequence_of
from simt.analyses.races.fence_times import NEVER
from simt.events import Access

SEQUENCES = 1 << 40  # more than a launch has accesses


class Counting:
    """Atomics on global memory by block: `first` and `last`, (blocks,) sequence numbers, NEVER before the first."""

    def __init__(self, n_blocks: int) -> None:
        self.first, self.last = np.full((2, n_blocks), NEVER, np.int64)
        self._first_turn = np.zeros(n_blocks, np.int64)  # of all atomics of the grid, one lane after the other
        self._n_turns = 0
        self._arrays: set[tuple] = set()  # that were updated atomically
        self._log: list[tuple[np.ndarray, np.ndarray]] = []  # (block and sequence, when its last lane had its turn)

    def note(self, event: Access, sequence: int, keep: bool) -> None:
        """Blocks updated memory in the access numbered `sequence`. keep: whether anybody may ask who came first."""
        self._arrays.add(event.array.key)
        blocks = event.lanes.batch.block_ids[event.lanes.block]
        new = self.first[blocks] == NEVER
        if keep or new.any():
            order = np.arange(len(blocks)) if event.turns is None else event.turns
            turn = np.empty(len(blocks), np.int64)
            turn[order] = self._n_turns + np.arange(len(blocks))
            earliest = order[::-1][new[order[::-1]]]  # the first to come is stored last, and stays
            self._first_turn[blocks[earliest]] = turn[earliest]
            if keep:
                ours, at = np.unique(blocks[order[::-1]], return_index=True)
                self._log.append((ours * SEQUENCES + sequence, turn[order[::-1]][at]))
        self._n_turns += len(blocks)
        self.first[blocks[new]] = sequence
        self.last[blocks] = sequence

    def look(self, event: Access, sequence: int) -> None:
        """Blocks loaded: of a counter, that is asking it, and they see all updates so far."""
        if self._log and event.array.key in self._arrays:
            ours = np.unique(event.lanes.batch.block_ids[event.lanes.block])
            self._log.append((ours * SEQUENCES + sequence, np.full(len(ours), self._n_turns)))

    def came_too_late(self, writers: np.ndarray, readers: np.ndarray) -> np.ndarray:
        """(n,) whether a writer's block counted for the first time after the last count before the reader's read.

        writers, readers: (n,) codes. False where it is not known.
        """
        if not self._log or not len(writers):
            return np.zeros(len(writers), bool)
        when, turns = (np.concatenate(part) for part in zip(*self._log, strict=True))
        order = np.argsort(when)
        when, turns = when[order], turns[order]
        block = block_of(readers)
        at = np.searchsorted(when, block * SEQUENCES + sequence_of(readers)) - 1
        known = (at >= 0) & (when[at] // SEQUENCES == block)
        return known & (self._first_turn[block_of(writers)] > turns[at])
