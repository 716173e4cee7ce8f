"""From the times of all rounds to a decision: is the answer as fast as full points ask for, and by how much not?

Pure functions of lists of times, for the process that measures, which asks whether to go on, and for the judge, which
looks at the same lists again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.contract import SpeedPolicy
from autograder.speed.points import threshold
from autograder.speed.rounds import Ratio, decided, enough, paired_ratio

DECIDING = ("yours", "reference")  # timed in every round
HOPELESS = 20.0  # times as long as the reference and the naive version: no position has points there
ROUNDS_WHEN_SLOW = {0.0: 3, 1e6: 2}  # so many rounds show that, of launches that take so many us
COPY_SPREAD = 0.10  # a round in which a copy took this much more or less than usual is left out, for everybody
Times = Mapping[str, Sequence[float]]  # by contender, one a round; those that decide nothing may have fewer


@dataclass(frozen=True)
class Decision:
    """What the rounds say.

    ratio: to the reference; contrast: of the naive version to the reference; threshold: largest ratio for full points;
    side: "met", "missed" or "borderline", which has met it; rounds: that were timed; discarded: that speak for nothing.
    """

    ratio: Ratio
    contrast: float
    threshold: float
    side: str
    rounds: int
    discarded: int

    @property
    def discarded_share(self) -> float:
        return self.discarded / self.rounds


def decision(policy: SpeedPolicy, times: Times) -> Decision | None:
    """The decision on these rounds; None where there is no reference, naive version or round to decide by."""
    if not all(len(times.get(name, ())) for name in (*DECIDING, "naive")):
        return None
    n_rounds, kept = len(times["yours"]), kept_rounds(times)
    n_odd = n_rounds - len(kept)
    kept = kept or list(range(n_rounds))  # no two copies alike: there is a number, and `floors` does not believe it
    first = [n for n in kept if n < len(times["naive"])]
    if not first:
        return None
    against = paired_ratio(*([times[name][n] for n in first] for name in ("naive", "reference")))
    ratio = paired_ratio(*([times[name][n] for n in kept] for name in DECIDING))
    most = threshold(policy, against.median)
    return Decision(ratio, against.median, most, decided(ratio, most), n_rounds, n_odd)


def enough_rounds(policy: SpeedPolicy, times: Times) -> bool:
    """Whether these rounds decide it."""
    if is_hopeless(times):
        return True
    found = decision(policy, times)
    return found is not None and enough(found.ratio, found.threshold, len(times["yours"]))


def is_hopeless(times: Times) -> bool:
    """Whether every launch so far took so much longer than all of the reference and of the naive version that no more
    of them can change what it earns. A launch of seconds need not be made 15 times.
    """
    yours, others = times.get("yours", ()), [*times.get("reference", ()), *times.get("naive", ())]
    if not len(yours) or not others or not all(len(times.get(name, ())) for name in ("reference", "naive")):
        return False
    least = min(yours)
    needed = min(rounds for slow_us, rounds in ROUNDS_WHEN_SLOW.items() if least >= slow_us)
    return len(yours) >= needed and least > HOPELESS * max(others)


def kept_rounds(times: Times) -> list[int]:
    """The rounds in which the copy took as long as it usually does here; all of them where none was timed."""
    n_rounds = min(len(times[name]) for name in DECIDING if name in times)
    copies = np.asarray(times.get("copy", ()), float)[:n_rounds]
    if not len(copies):
        return list(range(n_rounds))
    usual = float(np.median(copies))
    odd = {n for n, copy_us in enumerate(copies) if abs(copy_us / usual - 1) > COPY_SPREAD}
    return [n for n in range(n_rounds) if n not in odd]
