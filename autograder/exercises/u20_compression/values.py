"""What all of unit 20 shares: its name, its launches, and weights to prune."""

from __future__ import annotations

import numpy as np

from autograder.contract import Budget, Sizes

UNIT = "20_compression"
THREADS = 256  # threads per block where a thread has an element


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


def signed(rng: np.random.Generator, shape: tuple[int, ...], most: int) -> np.ndarray:
    """Whole numbers from 1 to `most`, of either sign, float32: small ones, so that magnitudes meet again."""
    return (rng.integers(1, most + 1, shape) * rng.choice([-1, 1], shape)).astype(np.float32)
