"""A lock that one thread takes for its block: the others work between two barriers, and it opens the lock after them.

A barrier passed while a thread of the block has a lock lends it to all of them. What they did is over for the next
owner once the block has passed another barrier, and the owner then fences and opens the lock; or once each thread has
fenced before that barrier. A fence orders what a barrier made known to its thread, too. A block that takes a lock again
has it from the next barrier on, and not in between.
Source: CUDA C++ Programming Guide, "Memory Fence Functions"; PTX, "Causality Order".
"""

from __future__ import annotations

import numpy as np

from simt.analyses.races.codes import block_of, sequence_of

NEVER, NOT_YET = 0, np.iinfo(np.int64).max
MOST = 64  # turns that are told apart; what a block locks after that counts as one of them


class BlockLocks:
    """By turn and by block of the grid: since when all threads of the block shared a lock, and what ended that."""

    def __init__(self, n_blocks: int) -> None:
        self._lent = np.full((1, n_blocks), NEVER, np.int64)  # the barrier that lent the lock to all threads
        self._ended = np.full((1, n_blocks), NOT_YET, np.int64)  # the last barrier before its owner opened it
        self._seen = np.zeros((1, n_blocks), bool)  # whether the owner had fenced when it lent: what they read is new
        self._fence = np.full((1, n_blocks), NEVER, np.int64)  # the owner's last one beyond the block
        self._worked = np.full((1, n_blocks), NEVER, np.int64)  # the last barrier before that fence, once it opened
        self._turn = np.full(n_blocks, -1)
        self._has = np.zeros(n_blocks, bool)
        self._barrier = np.full(n_blocks, NEVER, np.int64)  # the last one
        self._before_fence = np.full(n_blocks, NEVER, np.int64)  # the last one before the owner's last fence

    def barrier(self, blocks: np.ndarray, now: int, owned: np.ndarray, fenced: np.ndarray) -> None:
        """Blocks passed a barrier. owned, fenced: by block, whether a thread has a lock, and fenced since taking it."""
        self._barrier[blocks] = now
        anew = owned & ~self._has[blocks]
        begun, fenced = blocks[anew], fenced[anew]
        known = self._turn[begun] == MOST - 1
        self._turn[begun[~known]] += 1
        while len(self._lent) <= self._turn.max(initial=0):
            self._one_more()
        at = self._turn[begun], begun
        self._lent[at] = np.where(known, self._lent[at], now)
        self._seen[at] = fenced & (self._seen[at] | ~known)
        self._ended[at], self._has[begun] = NOT_YET, True

    def _one_more(self) -> None:
        """Room for another iteration."""
        n_blocks = len(self._turn)
        never = np.full((1, n_blocks), NEVER, np.int64)
        self._lent, self._fence, self._worked = (
            np.concatenate((known, never)) for known in (self._lent, self._fence, self._worked)
        )
        self._ended = np.concatenate((self._ended, np.full((1, n_blocks), NOT_YET, np.int64)))
        self._seen = np.concatenate((self._seen, np.zeros((1, n_blocks), bool)))

    def fence(self, blocks: np.ndarray, sequence: int) -> None:
        """An owner fenced."""
        blocks = blocks[self._has[blocks]]
        self._fence[self._turn[blocks], blocks] = sequence
        self._before_fence[blocks] = self._barrier[blocks]

    def opens(self, blocks: np.ndarray) -> None:
        """An owner gave its lock back."""
        blocks = blocks[self._has[blocks]]
        at = self._turn[blocks], blocks
        self._ended[at] = self._barrier[blocks]
        self._worked[at] = np.where(self._fence[at] == NEVER, NEVER, self._before_fence[blocks])
        self._has[blocks] = False

    def _within(self, codes: np.ndarray) -> np.ndarray:
        """(turns, n) whether a thread had its block's lock in that turn at an access."""
        blocks, sequence = block_of(codes), sequence_of(codes)
        lent = self._lent[:, blocks]
        return (lent != NEVER) & (sequence >= lent) & (sequence < self._ended[:, blocks])

    def took(self, codes: np.ndarray) -> np.ndarray:
        """(n,) whether a thread had its block's lock at an access."""
        return np.any(self._within(codes), axis=0)

    def saw(self, codes: np.ndarray) -> np.ndarray:
        """(n,) whether the owner had fenced before it lent the lock that a thread had at an access."""
        return np.any(self._within(codes) & self._seen[:, block_of(codes)], axis=0)

    def gave_back(self, codes: np.ndarray, fenced: np.ndarray) -> np.ndarray:
        """(n,) whether the lock was opened behind an access, a barrier and a fence. fenced: the last of each thread,
        which of an earlier iteration may have been followed by others."""
        blocks, sequence, within = block_of(codes), sequence_of(codes), self._within(codes)
        by_owner = sequence < self._worked[:, blocks]
        ended = self._ended[:, blocks]
        is_over = np.arange(len(ended))[:, None] < self._turn[blocks]
        by_itself = (fenced >= sequence) & (ended != NOT_YET) & (is_over | (fenced < ended))
        return np.any(within & (by_owner | by_itself), axis=0)

    def fenced_behind(self, codes: np.ndarray) -> np.ndarray:
        """(n,) whether an owner fenced after an access, with or without a barrier between the two."""
        blocks, sequence = block_of(codes), sequence_of(codes)
        lent = self._lent[:, blocks]
        turn = np.maximum(0, np.count_nonzero((lent != NEVER) & (lent <= sequence), axis=0) - 1)
        return self._fence[turn, blocks] >= sequence
