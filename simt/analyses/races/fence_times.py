"""Fences of each thread, and the last of them that an atomic followed: what a thread wrote before that one is known.

Another fence after the atomic, as a reader needs it, takes nothing back of what the atomic had made known.
"""

from __future__ import annotations

import numpy as np

NEVER = 0


class FenceTimes:
    """Sequence numbers by thread of the grid, NEVER before the first: `last`, its last fence."""

    def __init__(self, n_threads: int) -> None:
        self.last = np.full(n_threads, NEVER, np.int64)
        self._followed = np.full(n_threads, NEVER, np.int64)  # the last one before `last` that an atomic followed

    def fence(self, threads: np.ndarray, sequence: int, atomics: np.ndarray) -> None:
        """Threads fenced. atomics: (n,) the last atomic of each that counts."""
        known = atomics > self.last[threads]
        self._followed[threads[known]] = self.last[threads[known]]
        self.last[threads] = sequence

    def before_atomic(self, threads: np.ndarray, atomics: np.ndarray) -> np.ndarray:
        """(n,) the last fence of each thread that an atomic followed. atomics: (n,) the last atomic of each."""
        return np.where(atomics > self.last[threads], self.last[threads], self._followed[threads])
