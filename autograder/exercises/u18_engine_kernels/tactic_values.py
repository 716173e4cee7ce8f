"""Inputs, oracles and cases of unit 18 where kernels are timed, and one of them is chosen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Case, Sizes, Values
from autograder.exercises.u18_engine_kernels.stopwatch import EVERY, JudgedDevice, table_of

CLOSE = 0.08  # of a time that a right answer may be off: another order of kernels meets interruptions in other rounds
EQUAL = 0.01  # the same where so few launches are made that none is interrupted

# time_kernels

Procedure = Callable[[JudgedDevice, int, int], np.ndarray]


def make_device(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A device with kernels whose order in a warm cache is another one than in a cold one."""
    n, rounds = sizes["n_kernels"], sizes["rounds"]
    cold = np.round(rng.uniform(20, 60, n), 2)
    warm = np.round(np.sort(cold)[::-1][np.argsort(np.argsort(cold))] * 0.5, 2)
    return {"device": table_of(cold, warm, rounds + 1), "n_kernels": n, "rounds": rounds, "times": np.zeros(n)}


def once(device: JudgedDevice, k: int) -> float:
    """One launch with a cold cache, waited for."""
    device.flush()
    device.wait()
    begin = device.clock()
    device.launch(k)
    device.wait()
    return device.clock() - begin


def rounds_of(device: JudgedDevice, n_kernels: int, rounds: int, warm_up: bool = True) -> np.ndarray:
    """(rounds, n_kernels) microseconds: kernels take turns."""
    for k in range(n_kernels if warm_up else 0):
        device.launch(k)
    return np.array([[once(device, k) for k in range(n_kernels)] for _ in range(rounds)])


def by(procedure: Procedure) -> Callable[[Values], dict]:
    """The times that a procedure gives on a device that nobody used."""
    return lambda v: {"times": procedure(JudgedDevice(v["device"]), int(v["n_kernels"]), int(v["rounds"]))}


def honest(device: JudgedDevice, n_kernels: int, rounds: int) -> np.ndarray:
    """The median of the rounds."""
    return np.median(rounds_of(device, n_kernels, rounds), axis=0)


def times_bound(values: Values, expected) -> dict:
    """What another order of the kernels within a round changes."""
    launches = int(values["n_kernels"]) * (int(values["rounds"]) + 1)
    return {"times": (CLOSE if launches >= EVERY else EQUAL) * expected["times"]}


TIMED_CASES = (
    Case({"n_kernels": 3, "rounds": 9}, trace=False),
    Case({"n_kernels": 1, "rounds": 1}, trace=False),
    Case({"n_kernels": 2, "rounds": 5}, trace=False),
    Case({"n_kernels": 3, "rounds": 2}, trace=False),
    Case({"n_kernels": 5, "rounds": 1}, trace=False),
    Case({"n_kernels": 4, "rounds": 25}, trace=False),
)

# choose_kernels

NAME, BATCH, SHAPE, TYPE, DEVICE, VERSION = range(6)
TIE = 1.02  # times within it of the least count as equal


def make_requests(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Requests of which many are alike but for one column, and times of which many lie within 2 % of each other."""
    n, n_kernels = sizes["n"], sizes["n_kernels"]
    requests = np.tile(rng.integers(0, 3, 6), (n, 1))
    for row in requests:
        row[1 + rng.integers(0, 5)] = rng.integers(0, 3)  # one of the five that a time depends on
    requests[:, NAME] = rng.integers(0, n // 2 + 1, n)  # a layer is asked for again, and others are like it
    times = np.round(20 * rng.choice([1.0, 1.01, 1.015, 1.03, 1.3], (n, n_kernels)) * rng.uniform(0.5, 4, (n, 1)), 3)
    times[rng.random((n, n_kernels)) < 0.2] = np.nan
    if n > 2:
        times[n // 2] = np.nan  # nothing runs that layer
        requests[n // 2, SHAPE] = 7
    return {
        "requests": requests.astype(np.int64),
        "times": times,
        "chosen": np.zeros(n, np.int64),
        "measured": np.zeros(n, np.int64),
    }


def pick(times: np.ndarray, tie: float = TIE) -> int:
    """The first kernel within a share of the fastest; -1 where none runs."""
    runs = times[~np.isnan(times)]
    if not runs.size:
        return -1
    least = runs.min()
    return int(np.flatnonzero(times <= max(tie * least, least))[0])  # a picture of the task may make it negative


def chosen_by(
    key: Callable[[np.ndarray], tuple], choose: Callable[[np.ndarray], int] = pick, last: bool = False
) -> Callable[[Values], dict]:
    """What a cache with this key answers. last: each request is measured, whatever the cache has."""

    def produces(values: Values) -> dict:
        cache: dict[tuple, int] = {}
        chosen, measured = np.zeros((2, len(values["requests"])), np.int64)
        for i, row in enumerate(values["requests"]):
            if last or key(row) not in cache:
                cache[key(row)], measured[i] = choose(values["times"][i]), 1
            chosen[i] = cache[key(row)]
        return {"chosen": chosen, "measured": measured}

    return produces


def without(*columns: int) -> Callable[[np.ndarray], tuple]:
    """A key of all columns but these."""
    return lambda row: tuple(int(x) for i, x in enumerate(row) if i not in columns)


REQUEST_CASES = (
    Case({"n": 24, "n_kernels": 4}, trace=False),
    Case({"n": 1, "n_kernels": 1}, trace=False),
    Case({"n": 7, "n_kernels": 3}, trace=False),
    Case({"n": 60, "n_kernels": 6}, trace=False),
)
