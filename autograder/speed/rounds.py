"""How many rounds to run, and what they say: the median of paired log-ratios, its exact interval, and a decision.

Everything here is arithmetic on times that were measured elsewhere, so it can be tried with clocks that are made up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LOOKS = {15: 2, 30: 7, 60: 19, 120: 44, 240: 98}  # rounds -> rank of the order statistic; two-sided alpha 0.004 a look
ALPHA = 0.004  # of an interval that misses the median, at each look
TARGET_WIDTH = 0.02  # a look whose interval of the ratio is narrower than this knows the time well enough
MET, MISSED, BORDERLINE = "met", "missed", "borderline"


@dataclass(frozen=True)
class Ratio:
    """The ratio of two times over paired rounds: median, exact sign-test interval, median absolute deviation."""

    median: float
    low: float
    high: float
    mad: float
    rounds: int

    @property
    def width(self) -> float:
        """Of the interval, relative; inf where the rounds are too few for one."""
        return self.high / self.low - 1 if self.low else math.inf


def paired_ratio(times: Sequence[float], others: Sequence[float]) -> Ratio:
    """The ratio times / others, round by round. Both (n,) in the same unit; n at least 1.

    Where n is too small for any interval to hold, it is (0, inf).

    Source: the order-statistic (sign test) interval of a median; ranks for the looks at 15 to 240 rounds.
    """
    logs = np.sort(np.log(np.asarray(times, float) / np.asarray(others, float)))
    n = len(logs)
    rank = _rank(n)
    median = float(np.median(logs))
    return Ratio(
        median=math.exp(median),
        low=math.exp(logs[rank - 1]) if rank else 0.0,
        high=math.exp(logs[n - rank]) if rank else math.inf,
        mad=float(np.median(np.abs(logs - median))),
        rounds=n,
    )


def decided(ratio: Ratio, threshold: float) -> str:
    """MET where the whole interval lies at or below the threshold, MISSED where it lies above, else BORDERLINE.

    threshold: the largest ratio to the reference that still meets it. A look that says BORDERLINE asks for more rounds;
    what is still so when the rounds are used up has met it, since noise is nobody's fault. Rounds that are too few for
    any interval are no noise: an answer so slow that time was up after a few has missed it by their median.
    """
    if ratio.high <= threshold:
        return MET
    low = ratio.low or ratio.median
    return MISSED if low > threshold else BORDERLINE


def enough(ratio: Ratio, threshold: float, n_rounds: int) -> bool:
    """True at a look that knows: which side of the threshold, and, beyond it, how far. True at the last look.

    n_rounds: that were timed, some of which the ratio may leave out. Only looks count, so that looking more often does
    not find more by chance.
    """
    if n_rounds not in LOOKS:
        return False
    if n_rounds == max(LOOKS):
        return True
    side = decided(ratio, threshold)
    return side == MET or side == MISSED and ratio.width <= TARGET_WIDTH


def _rank(n: int) -> int:
    """The rank whose interval [x_(k), x_(n-k+1)] misses the median with at most ALPHA; 0 where there is none."""
    best = 0
    cumulative = 0.0
    for k in range(n // 2 + 1):
        cumulative += math.comb(n, k) / 2.0**n
        if 2 * cumulative > ALPHA:
            break
        best = k + 1
    return best
