"""Inputs, oracles and cases of unit 19 where requests are served: choose_profile, spread_work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u19_engine_runtime.devices import JudgedDevices, table_of

# choose_profile

LOW, OPT, HIGH = range(3)
PROFILE_ARGUMENTS = (
    Argument("shapes", "in", "int64", "(n, 2)", "batch and length of each request"),
    Argument("profiles", "in", "int64", "(n_profiles, 3, 2)", "min, opt and max of each profile, batch and length"),
    Argument("chosen", "out", "int64", "(n,)", "the profile that serves each request, or -1"),
)


@dataclass(frozen=True)
class Choosing:
    """What of the rules is followed; all of them, for a right answer."""

    low: bool = True
    high: bool = True
    ends: bool = True  # min and max themselves belong to the range
    both: bool = True  # axes must fit
    first: bool = False  # the first one that fits is taken
    asked_late: bool = False  # the nearest of all profiles is taken, if it fits
    by_elements: bool = True  # distance is between numbers of elements
    to: int = OPT
    ties_low: bool = True


RIGHT = Choosing()


def chosen(values: Values, ways: Choosing = RIGHT) -> dict:
    """chosen, (n,) int64."""
    found = [choice(shape, values["profiles"], ways) for shape in values["shapes"]]
    return {"chosen": np.array(found, np.int64)}


def choice(shape: np.ndarray, profiles: np.ndarray, ways: Choosing) -> int:
    """The profile for one request, or -1. shape: (2,)."""
    fits = [fitting(shape, profile, ways) for profile in profiles]
    numbers = [k for k, fit in enumerate(fits) if fit or ways.asked_late]
    if not numbers:
        return -1
    if ways.first:
        return numbers[0]
    distances = [away(shape, profiles[k, ways.to], ways) for k in numbers]
    nearest = [k for k, distance in zip(numbers, distances, strict=True) if distance == min(distances)]
    best = nearest[0] if ways.ties_low else nearest[-1]
    return best if fits[best] else -1


def fitting(shape: np.ndarray, profile: np.ndarray, ways: Choosing) -> bool:
    """Whether a request lies within a profile."""
    inside = np.ones(2, bool)
    if ways.low:
        inside &= profile[LOW] <= shape if ways.ends else profile[LOW] < shape
    if ways.high:
        inside &= shape <= profile[HIGH] if ways.ends else shape < profile[HIGH]
    return bool(inside.all() if ways.both else inside.any())


def away(shape: np.ndarray, opt: np.ndarray, ways: Choosing) -> int:
    """How far a request is from what a profile's kernels were chosen for."""
    if ways.by_elements:
        return abs(int(np.prod(shape)) - int(np.prod(opt)))
    return int(np.abs(shape - opt).sum())


def make_profiles(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Profiles that overlap, some alike, and requests at their ends, between and outside."""
    n, n_profiles = sizes["n"], sizes["n_profiles"]
    profiles = np.sort(rng.integers(1, 40, (n_profiles, 3, 2)), axis=1)
    if n_profiles > 2:
        profiles[-1] = profiles[0]  # ties are there, so the lower number counts
    shapes = rng.integers(1, 45, (n, 2))
    at_ends = rng.random(n) < 0.5
    ends = profiles[rng.integers(0, n_profiles, n)][np.arange(n), rng.choice([LOW, HIGH, OPT], n)]
    shapes[at_ends] = ends[at_ends]
    return {"shapes": shapes.astype(np.int64), "profiles": profiles.astype(np.int64), "chosen": np.zeros(n, np.int64)}


def of_many_elements(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Profiles and requests of more elements than 32 bits count."""
    values = make_profiles(sizes, "exact", rng)
    return values | {name: values[name] << 12 for name in ("shapes", "profiles")}


PROFILE_CASES = tuple(
    Case({"n": n, "n_profiles": k}, trace=False) for n, k in ((24, 4), (1, 1), (30, 3), (40, 7), (100, 5))
)

# spread_work

WORK_ARGUMENTS = (
    Argument("devices", "in", "int64", "(n,)", "GPUs whose clock the judge holds"),
    Argument("n_requests", "scalar", "int64", "", "requests 0, 1, 2, ...; there are at least twice as many as devices"),
    Argument("owner", "out", "int64", "(n_requests,)", "the device that each request ran on"),
    Argument("time", "out", "int64", "", "microseconds, when the last request was done"),
)
Procedure = Callable[[JudgedDevices, int], list[int]]


def make_work(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Devices of up to three models, and requests of 40 to 400 microseconds on the fastest."""
    n_devices, n = sizes["n_devices"], sizes["n_requests"]
    models = rng.integers(0, min(3, n_devices), n_devices)
    slower = np.array([1, 2, 3])[models]
    table = table_of(models.tolist(), slower.tolist(), rng.integers(40, 400, n).tolist())
    return {"devices": table, "n_requests": np.int64(n), "owner": np.zeros(n, np.int64), "time": np.int64(0)}


def by(procedure: Procedure) -> Callable[[Values], dict]:
    """What a procedure leaves on devices that have nothing loaded."""

    def produces(values: Values) -> dict:
        devices = JudgedDevices.of(values["devices"])
        owner = procedure(devices, int(values["n_requests"]))
        return {"owner": np.array(owner, np.int64), "time": np.int64(devices.clock())}

    return produces


def load_all(devices: JudgedDevices, one_plan: bool = True) -> None:
    """An engine on each device, of one plan for each model, or of a plan for each device."""
    plans: dict[int, tuple] = {}
    for d in range(devices.count):
        model = devices.model(d)
        if model not in plans or not one_plan:
            plans[model] = devices.build(d)
        devices.load(d, plans[model])


def pulled(devices: JudgedDevices, n: int, one_plan: bool = True) -> list[int]:
    """Whoever is done takes the next request."""
    load_all(devices, one_plan)
    owner: list[int] = []
    for _ in range(devices.count + n):  # every engine and every request is waited for once
        d = devices.wait()
        if len(owner) < n:
            devices.start(d, len(owner))
            owner.append(d)
    return owner


WORK_CASES = tuple(
    Case({"n_devices": d, "n_requests": n}, trace=False) for d, n in ((3, 20), (1, 4), (2, 31), (4, 100), (8, 64))
)
