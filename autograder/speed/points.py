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


def threshold(policy: SpeedPolicy, contrast: float) -> float:
    """The largest ratio to the reference's time that earns full points. contrast: naive over reference."""
    if contrast < MIN_CONTRAST:
        return GRACE / EFFICIENCY_FULL
    return GRACE * contrast ** (1 - policy.full_at)


def grade(policy: SpeedPolicy, ratio: float, contrast: float, full: bool = False) -> Grade:
    """Grade a time by its ratio to the reference's, and the naive version's ratio to it.

    Position is ln(contrast / ratio) / ln(contrast): 0 at the naive kernel, 1 at the reference. full: the rounds have
    decided that it earns all points, or could not decide, which is no fault of whoever wrote it.
    Raises ValueError for a ratio that is not positive and finite.
    """
    for name, value in (("time", ratio), ("naive version's time", contrast)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"the {name} is {value} of the reference's; a grade needs positive, finite times")
    if contrast < MIN_CONTRAST:
        position, share = None, _ramp(GRACE / ratio, EFFICIENCY_ZERO, EFFICIENCY_FULL)
    else:
        position = math.log(contrast / ratio) / math.log(contrast)
        graced = math.log(contrast / ratio * GRACE) / math.log(contrast)
        share = _ramp(graced, policy.zero_at, policy.full_at)
    return Grade(round(policy.points * (1.0 if full else share), 2), position, contrast)


def _ramp(value: float, zero: float, full: float) -> float:
    """0 below `zero`, 1 above `full`, linear between."""
    return min(1.0, max(0.0, (value - zero) / (full - zero)))
