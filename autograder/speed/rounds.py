"""How many rounds to run, and what they say: the median of paired log-ratios and an exact interval for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LOOKS = {15: 2, 30: 7, 60: 19, 120: 44}  # rounds -> rank of the order statistic; two-sided alpha 0.004 a look
TARGET_WIDTH = 0.02  # stop at a look whose interval of the ratio is narrower than this


@dataclass(frozen=True)
class Ratio:
    """The ratio of two times over paired rounds: median, exact sign-test interval, median absolute deviation."""

    median: float
    low: float
    high: float
    mad: float
    rounds: int


def paired_ratio(times: Sequence[float], others: Sequence[float]) -> Ratio:
    """The ratio times / others, round by round. Both (n,) in the same unit; n at least 1.

    Source: the order-statistic (sign test) interval of a median; ranks for the looks at 15, 30, 60 and 120 rounds.
    """
    logs = np.sort(np.log(np.asarray(times, float) / np.asarray(others, float)))
    n = len(logs)
    rank = _rank(n)
    median = float(np.median(logs))
    return Ratio(
        median=math.exp(median),
        low=math.exp(logs[rank - 1]),
        high=math.exp(logs[n - rank]),
        mad=float(np.median(np.abs(logs - median))),
        rounds=n,
    )


def enough(times: Sequence[float], others: Sequence[float]) -> bool:
    """True at a look (15, 30, 60 or 120 rounds) whose interval is narrow enough, and at the last look."""
    n = len(times)
    if n not in LOOKS:
        return False
    ratio = paired_ratio(times, others)
    return n == max(LOOKS) or ratio.high / ratio.low - 1 <= TARGET_WIDTH


def _rank(n: int) -> int:
    """The rank whose interval [x_(k), x_(n-k+1)] misses the median with probability at most 0.004; 1 for few rounds."""
    best = 1
    cumulative = 0.0
    for k in range(n // 2 + 1):
        cumulative += math.comb(n, k) / 2.0**n
        if 2 * cumulative > 0.004:
            break
        best = k + 1
    return best
