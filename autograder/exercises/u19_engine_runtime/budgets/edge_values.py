"""Inputs, oracle, bound and cases of unit 19's fit_budget: an engine on a device with little power and memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values

BATCH, TIME, WATTS, MIB = range(4)
EDGE_ARGUMENTS = (
    Argument("ways", "in", "float64", "(n, 4)", "pictures in a batch, ms of a run, watts while it runs, MiB"),
    Argument("period_ms", "scalar", "float64", "", "between two pictures"),
    Argument("idle_watts", "scalar", "float64", "", "while nothing runs"),
    Argument("deadline_ms", "scalar", "float64", "", "from a picture to its result, at most"),
    Argument("most_watts", "scalar", "float64", "", "on average, at most"),
    Argument("most_mib", "scalar", "float64", "", "of memory, at most"),
    Argument("energy_mj", "out", "float64", "(n,)", "that each way takes for one picture, in millijoules"),
    Argument("best", "out", "int64", "", "the way that takes least of those that fit, or -1"),
)


@dataclass(frozen=True)
class Budgeting:
    """What of the rules is followed; all of them, for a right answer."""

    idle: bool = True  # energy between two runs counts
    per_picture: bool = True
    gathers: bool = True  # the first picture of a batch waits for the last one
    one_too_many: bool = False  # and not for one more
    deadline: bool = True
    keeps_up: bool = True
    average: bool = True  # and not the watts of a run
    power: bool = True
    memory: bool = True
    by_time: bool = False  # the fastest way is taken


RIGHT = Budgeting()


def budgeted(values: Values, ways: Budgeting = RIGHT) -> dict:
    """energy_mj (n,) float64 and best. A watt for a millisecond is a millijoule."""
    batch, time, watts, mib = values["ways"].T
    limits = ("period_ms", "idle_watts", "deadline_ms", "most_watts", "most_mib")
    period, idle, deadline, most_watts, most_mib = (float(values[name]) for name in limits)
    gathered = batch * period
    energy = watts * time + (idle * (gathered - time) if ways.idle else 0)
    each = energy / batch if ways.per_picture else energy
    waited = (batch - (0 if ways.one_too_many else 1)) * period if ways.gathers else 0
    fits = np.ones(len(batch), bool)
    if ways.deadline:
        fits &= waited + time <= deadline
    if ways.keeps_up:
        fits &= time <= gathered
    if ways.power:
        fits &= (energy / gathered if ways.average else watts) <= most_watts
    if ways.memory:
        fits &= mib <= most_mib
    key = time / batch if ways.by_time else each
    best = int(np.argmin(np.where(fits, key, np.inf))) if fits.any() else -1
    return {"energy_mj": each, "best": np.int64(best)}


def edge_bound(values: Values, expected) -> dict:
    """Some roundings of float64."""
    return {"energy_mj": 1e-9 * np.abs(expected["energy_mj"]) + 1e-9}


def make_ways(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Ways to run a network, of which some are too slow, too hot, too late or too large. No limit is met exactly."""
    n = sizes["n"]
    batch = rng.choice([1, 2, 4, 8], n).astype(np.float64)
    time = rng.integers(4, 60, n) * batch**0.7 + rng.uniform(0.1, 0.4, n)
    watts = np.where(time > 30, rng.integers(2, 8, n), rng.integers(6, 40, n)) + rng.uniform(0.1, 0.9, n)
    mib = rng.integers(100, 900, n) + 0.5
    return {
        "ways": np.column_stack([batch, np.round(time, 3), np.round(watts, 3), mib]),
        "period_ms": np.float64(rng.integers(15, 40)),
        "idle_watts": np.float64(rng.integers(1, 5)),
        "deadline_ms": np.float64(rng.integers(60, 240)),
        "most_watts": np.float64(rng.choice([3, 4, 5, 7, 12])),
        "most_mib": np.float64(rng.integers(400, 900)),
        "energy_mj": np.zeros(n),
        "best": np.int64(0),
    }


LIMITS = ("deadline_ms", "period_ms", "most_watts", "most_mib")


def make_close(limit: str, sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """As many ways, cool or hot, and one limit that decides alone: the best way just meets it, or just misses it."""
    values = make_ways(sizes, kind, rng)
    values["ways"][:, 2] *= rng.choice([1, 4])
    values |= {"deadline_ms": np.float64(1e6), "most_watts": np.float64(1e6), "most_mib": np.float64(1e6)}
    batch, time, watts, mib = values["ways"].T
    beside = rng.choice([-0.01, 0.01])
    for way in rng.permutation(len(batch)):
        values["period_ms"] = np.float64(time[way] / batch[way] + beside)
        if limit != "period_ms":
            values["period_ms"] = np.float64(rng.choice([rng.integers(4, 12), rng.integers(45, 90)]) + 0.25)
        period = values["period_ms"]
        energy = watts * time + values["idle_watts"] * (batch * period - time)
        kept_up = time <= batch * period + 0.1
        if limit != "period_ms" or np.argmin(np.where(kept_up, energy / batch, np.inf)) == way:
            break
    taken = {"deadline_ms": (batch - 1) * period + time, "most_watts": energy / (batch * period), "most_mib": mib}
    if limit in taken:
        best = budgeted(values)["best"]
        values[limit] = np.float64(taken[limit][best] + beside)
    return values


def make_met(limit: str, sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Two ways, of which the one that takes less meets a limit exactly, in numbers that no formula rounds."""
    values = make_ways(sizes, kind, rng)
    values["ways"][:] = (1, 8, 4, 64), (1, 4, 32, 32)
    met = {"period_ms": 8.0, "deadline_ms": 8.0, "most_watts": 3.0, "most_mib": 64.0}[limit]
    far = {"period_ms": 16.0, "idle_watts": 2.0, "deadline_ms": 1e6, "most_watts": 1e6, "most_mib": 1e6}
    return values | {name: np.float64(number) for name, number in (far | {limit: met}).items()}


EDGE_CASES = tuple(Case({"n": n}, trace=False) for n in (12, 1, 20, 3, 40, 7, 80, 25, 60))
