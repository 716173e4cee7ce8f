"""Recognises where a threadfence and atomics order two threads after all: locks, and the "last block done" pattern.

A lock: each thread takes it with an atomic whose result it looks at (cas or exch), works, calls threadfence, and gives
it back with an atomic. "Last block done": the writer stores, calls threadfence, and then its block updates a counter;
the reader's block updates the counter first and then reads (CUDA C++ Programming Guide, "Memory Fence Functions").
Both are recognised by this order of events, not proved: which element was the lock is not asked.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.shadow import block_of, sequence_of, thread_of
from simt.events import Access, Fence, Launch

NEVER = 0
TAKING = frozenset({"cas", "exch"})


class FenceLog:
    """Sequence numbers of fences and atomics, by thread of the grid and by block."""

    def __init__(self, launch: Launch) -> None:
        self.threads_per_block = launch.threads_per_block
        self.n_blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
        self.fenced: np.ndarray | None = None  # (threads,) last fence; None until there is one
        self.given_back: np.ndarray | None = None  # (threads,) last atomic since fences began
        self.taken: np.ndarray | None = None  # (threads,) first atomic that may have taken a lock
        self.first_atomic: np.ndarray | None = None  # (blocks,) on global memory
        self.last_atomic: np.ndarray | None = None

    def _by_thread(self) -> np.ndarray:
        return np.zeros(self.n_blocks * self.threads_per_block, np.int64)

    def fence(self, event: Fence, sequence: int) -> None:
        """Threads fenced after the access numbered `sequence`."""
        if self.fenced is None:
            self.fenced, self.given_back = self._by_thread(), self._by_thread()
        self.fenced[event.lanes.global_thread] = sequence

    def atomic(self, event: Access, sequence: int) -> None:
        """Threads updated memory atomically in the access numbered `sequence`."""
        threads = event.lanes.global_thread if self.fenced is not None or event.operation in TAKING else None
        if self.fenced is not None:
            self.given_back[threads] = sequence
        if event.result_used and event.operation in TAKING:
            if self.taken is None:
                self.taken = self._by_thread()
            self.taken[threads[self.taken[threads] == NEVER]] = sequence
        if event.array.space == "global":
            self._note_blocks(event.lanes.batch.block_ids[event.lanes.block], sequence)

    def _note_blocks(self, blocks: np.ndarray, sequence: int) -> None:
        if self.first_atomic is None:
            self.first_atomic, self.last_atomic = np.zeros((2, self.n_blocks), np.int64)
        self.first_atomic[blocks[self.first_atomic[blocks] == NEVER]] = sequence
        self.last_atomic[blocks] = sequence

    def _threads(self, codes: np.ndarray) -> np.ndarray:
        return block_of(codes) * self.threads_per_block + thread_of(codes)

    def publishes(self, writers: np.ndarray, readers: np.ndarray) -> np.ndarray:
        """(n,) whether a fence and an atomic follow each write, and an atomic of the reader's block precedes its read.

        writers, readers: (n,) codes of `shadow`, of different blocks.
        """
        if self.fenced is None or self.first_atomic is None:
            return np.zeros(len(writers), bool)
        fence = self.fenced[self._threads(writers)]
        published = (fence >= sequence_of(writers)) & (self.last_atomic[block_of(writers)] > fence)
        first = self.first_atomic[block_of(readers)]
        return published & (first != NEVER) & (first < sequence_of(readers))

    def lock_orders(self, earlier: np.ndarray, later: np.ndarray, later_ended: bool) -> np.ndarray:
        """(n,) whether both accesses lie between taking a lock and giving it back.

        earlier, later: (n,) codes of `shadow`; later_ended: whether the later one must have given it back already.
        """
        if self.fenced is None or self.taken is None:
            return np.zeros(len(earlier), bool)
        ended = [earlier, later] if later_ended else [earlier]
        return np.logical_and.reduce([self._took(earlier), self._took(later), *map(self._gave_back, ended)])

    def holds_lock(self, codes: tuple[int, int]) -> bool:
        """Whether both threads made an atomic that may have taken a lock before their access."""
        return self.taken is not None and bool(self._took(np.array(codes, np.int64)).all())

    def _took(self, codes: np.ndarray) -> np.ndarray:
        taken = self.taken[self._threads(codes)]
        return (taken != NEVER) & (taken < sequence_of(codes))

    def _gave_back(self, codes: np.ndarray) -> np.ndarray:
        threads = self._threads(codes)
        return (self.fenced[threads] >= sequence_of(codes)) & (self.given_back[threads] > self.fenced[threads])
