"""From times to points: position between naive and reference, or efficiency where the two are too close to tell."""

from __future__ import annotations

import math
from dataclasses import dataclass

from autograder.contract import SpeedPolicy

GRACE = 1.03  # a threshold is met up to 3 % beyond it: the noise of an interleaved run
MIN_CONTRAST = 1.5  # naive over reference; below it a position says little
EFFICIENCY_FULL = 0.8  # share of the reference's speed that earns everything where contrast is low
EFFICIENCY_ZERO = 0.5


@dataclass(frozen=True)
class Grade:
    """points in [0, policy.points]; position is None where contrast is too low to grade by it."""

    points: float
    position: float | None
    contrast: float


def grade(policy: SpeedPolicy, time_us: float, reference_us: float, naive_us: float) -> Grade:
    """Grade a time. All times in microseconds, medians of paired rounds on one device.

    Position is ln(naive / time) / ln(naive / reference): 0 at the naive kernel, 1 at the reference.
    Raises ValueError for a time that is not positive and finite.
    """
    for name, value in (("time", time_us), ("reference", reference_us), ("naive", naive_us)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"the {name} is {value} us; a grade needs positive, finite times")
    contrast = naive_us / reference_us
    if contrast < MIN_CONTRAST:
        share = _ramp(reference_us / time_us * GRACE, EFFICIENCY_ZERO, EFFICIENCY_FULL)
        return Grade(round(policy.points * share, 2), None, contrast)
    position = math.log(naive_us / time_us) / math.log(contrast)
    graced = math.log(naive_us / time_us * GRACE) / math.log(contrast)
    share = _ramp(graced, policy.zero_at, policy.full_at)
    return Grade(round(policy.points * share, 2), position, contrast)


def _ramp(value: float, zero: float, full: float) -> float:
    """0 below `zero`, 1 above `full`, linear between."""
    return min(1.0, max(0.0, (value - zero) / (full - zero)))
