"""Dividing by a scale as multiplying by its reciprocal in two parts, and for which scales that gives the same int8.

    q = saturate(rint(x / scale))    against    q = saturate(rint(fma(x, high, x * low)))

Both quotients are floats, the second within one unit in the last place of the first, so their integers can differ
only beside a number half way between two integers. There are 258 of those that int8 tells apart, and a few x beside
each: all of them are tried.
"""

from __future__ import annotations

from functools import cache

import numpy as np

LEAST, MOST = 1e-30, 1e30  # between which the reciprocal's parts and 256 scales are normal numbers
BESIDE = 8  # floats on either side, of which two could be told apart


def parts(scale: float) -> tuple[np.float32, np.float32]:
    """(high, low): 1 / scale rounded to float32, and what is missing."""
    scale = np.float32(scale)
    high = np.float32(1) / scale
    return high, np.float32(1 / np.float64(scale) - np.float64(high))


def quotients(x: np.ndarray, scale: float) -> np.ndarray:
    """What the kernel computes of x, float32: products are exact in float64, and the sum is rounded once."""
    high, low = parts(scale)
    return (x.astype(np.float64) * high + (x * low).astype(np.float64)).astype(np.float32)


@cache
def rounds_alike(scale: float) -> bool:
    """Whether every x is quantised as by a division."""
    if not LEAST < scale < MOST:
        return False
    halves = ((np.arange(-129, 129) + 0.5) * np.float64(np.float32(scale))).astype(np.float32)
    near = halves.view(np.int32)[:, None] + np.arange(-BESIDE, BESIDE + 1, dtype=np.int32)
    x = near.view(np.float32)
    divided = x / np.float32(scale)
    return bool(np.array_equal(int8(divided), int8(quotients(x, scale))))


def int8(steps: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(steps), -128, 127).astype(np.int8)
