"""What one entry of the zoo says: a kernel, how it is launched, what on, and which pattern it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Extent = int | tuple[int, ...]


@dataclass(frozen=True)
class Entry:
    """One launch of one kernel.

    kernel: a plain Python function in numba.cuda's language. arguments: gives fresh ones, the same every time.
    about: the pattern, as a noun phrase.
    """

    name: str
    about: str
    kernel: Callable
    arguments: Callable[[], list[Any]]
    grid: Extent = 4
    block: Extent = 128
    dynamic_shared_bytes: int = 0


def floats(*shape: int) -> np.ndarray:
    """Small whole numbers as float32, so that every order of adding them gives the same sum."""
    return (np.arange(np.prod(shape)) % 7).astype(np.float32).reshape(shape)


def numbers(n: int, dtype: str) -> np.ndarray:
    """(n,) small whole numbers."""
    return (np.arange(n) % 7).astype(dtype)


def zeros(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.zeros(shape, dtype)


def drawn(n: int, below: int, seed: int = 0) -> np.ndarray:
    """(n,) int32 drawn evenly from 0 to below - 1, the same ones every time."""
    return np.random.default_rng(seed).integers(0, below, n).astype(np.int32)


def shuffled(n: int, seed: int = 0) -> np.ndarray:
    """(n,) int32, 0 to n - 1 in an order that is the same every time."""
    return np.random.default_rng(seed).permutation(n).astype(np.int32)
