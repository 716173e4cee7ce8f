"""A lock that one thread takes for its block: the others work between two barriers, and it opens the lock after them.

A barrier passed while a thread of the block has a lock lends it to all of them. What they did is over for the next
owner once the block has passed another barrier, and the owner then fences and opens the lock; or once each thread has
fenced before that barrier. A fence orders what a barrier made known to its thread, too.
Source: CUDA C++ Programming Guide, "Memory Fence Functions"; PTX, "Causality Order".
"""

from __future__ import annotations

import numpy as np

from simt.analyses.races.codes import block_of, sequence_of

NEVER = 0


class BlockLocks:
    """By block of the grid: since when all its threads share a lock, and what ended that."""

    def __init__(self, n_blocks: int) -> None:
        self.lent = np.full(n_blocks, NEVER, np.int64)  # the barrier that lent the lock to all threads
        self.seen = np.zeros(n_blocks, bool)  # whether its owner had fenced by then, so that what they read is new
        self._barrier = np.full(n_blocks, NEVER, np.int64)  # the last one
        self._fence = np.full(n_blocks, NEVER, np.int64)  # the owner's last one beyond the block
        self._worked = np.full(n_blocks, NEVER, np.int64)  # the last barrier before that fence
        self._opened = np.full(n_blocks, NEVER, np.int64)  # the atomic that gave the lock back last
        self._together = np.full(n_blocks, NEVER, np.int64)  # the last barrier before that atomic

    def barrier(self, blocks: np.ndarray, now: int, owned: np.ndarray, fenced: np.ndarray) -> None:
        """Blocks passed a barrier. owned, fenced: by block, whether a thread has a lock, and fenced since taking it."""
        self._barrier[blocks] = now
        anew = owned & (self.lent[blocks] == NEVER)
        self.lent[blocks[anew]] = now
        self.seen[blocks[anew]] = fenced[anew]

    def fence(self, blocks: np.ndarray, sequence: int) -> None:
        """An owner fenced."""
        self._fence[blocks] = sequence
        self._worked[blocks] = self._barrier[blocks]

    def opens(self, blocks: np.ndarray, sequence: int) -> None:
        """An owner gave its lock back."""
        self._opened[blocks] = sequence
        self._together[blocks] = self._barrier[blocks]

    def took(self, codes: np.ndarray) -> np.ndarray:
        """(n,) whether a thread had its block's lock at an access."""
        lent = self.lent[block_of(codes)]
        return (lent != NEVER) & (sequence_of(codes) >= lent)

    def gave_back(self, codes: np.ndarray, fenced: np.ndarray) -> np.ndarray:
        """(n,) whether the lock was opened behind an access, a barrier and a fence. fenced: the last of each."""
        blocks, sequence = block_of(codes), sequence_of(codes)
        by_owner = (sequence < self._worked[blocks]) & (self._opened[blocks] > self._fence[blocks])
        by_itself = (fenced >= sequence) & (fenced < self._together[blocks])
        return by_owner | by_itself

    def fenced_behind(self, codes: np.ndarray) -> np.ndarray:
        """(n,) whether an owner fenced after an access, with or without a barrier between the two."""
        return self._fence[block_of(codes)] >= sequence_of(codes)
