"""Whether bools of lanes hold, and bools that all do: NumPy's `any`, `all` and `ones` take ten times as long for as few
lanes as a block has."""

from __future__ import annotations

from functools import lru_cache

import numpy as np


def some(bits: np.ndarray | np.generic) -> bool:
    """Whether any is True, or is not 0."""
    return bool(np.count_nonzero(bits))


def every(bits: np.ndarray | np.generic) -> bool:
    """Whether all are True, or none is 0."""
    return np.count_nonzero(bits) == bits.size


@lru_cache(maxsize=64)
def all_true(*shape: int) -> np.ndarray:
    """Bools of a shape that are all True, which nobody can write to."""
    bits = np.ones(shape, bool)
    bits.flags.writeable = False
    return bits
