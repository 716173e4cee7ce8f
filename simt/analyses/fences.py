"""Recognises the "last block done" pattern, where a threadfence and an atomic order two blocks after all.

The writer stores, calls threadfence, and then its block updates a counter atomically; the reader's block updates the
counter first and then reads (CUDA C++ Programming Guide, "Memory Fence Functions").
"""

from __future__ import annotations

import numpy as np

from simt.analyses.shadow import block_of, sequence_of, thread_of
from simt.events import Access, Fence, Launch

NEVER = 0


class FenceLog:
    """When each thread last fenced, and when each block first and last did an atomic on global memory."""

    def __init__(self, launch: Launch) -> None:
        self.threads_per_block = launch.threads_per_block
        self.n_blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
        self.fenced: np.ndarray | None = None  # (threads of the grid,) sequence number of the last fence
        self.first_atomic: np.ndarray | None = None  # (blocks of the grid,)
        self.last_atomic: np.ndarray | None = None

    def fence(self, event: Fence, sequence: int) -> None:
        """A thread fenced after the access numbered `sequence`."""
        if self.fenced is None:
            self.fenced = np.zeros(self.n_blocks * self.threads_per_block, np.int64)
        self.fenced[event.lanes.global_thread] = sequence

    def atomic(self, event: Access, sequence: int) -> None:
        """Threads updated global memory atomically in the access numbered `sequence`."""
        if self.first_atomic is None:
            self.first_atomic = np.zeros(self.n_blocks, np.int64)
            self.last_atomic = np.zeros(self.n_blocks, np.int64)
        blocks = event.lanes.batch.block_ids[event.lanes.block]
        new = blocks[self.first_atomic[blocks] == NEVER]
        self.first_atomic[new] = sequence
        self.last_atomic[blocks] = sequence

    def order(self, writers: np.ndarray, readers: np.ndarray) -> np.ndarray:
        """(n,) whether fence and atomic order each writer before its reader; both are codes of `shadow`."""
        if self.fenced is None or self.first_atomic is None:
            return np.zeros(len(writers), bool)
        fence = self.fenced[block_of(writers) * self.threads_per_block + thread_of(writers)]
        published = (fence >= sequence_of(writers)) & (self.last_atomic[block_of(writers)] > fence)
        first = self.first_atomic[block_of(readers)]
        return published & (first != NEVER) & (first < sequence_of(readers))
