"""Wrong outputs of unit 18 that betray their cause, where kernels are timed and chosen."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip
from autograder.exercises.u18_engine_kernels.stopwatch import JudgedDevice
from autograder.exercises.u18_engine_kernels.tactic_values import (
    BATCH,
    DEVICE,
    NAME,
    SHAPE,
    TIE,
    TYPE,
    VERSION,
    by,
    chosen_by,
    once,
    pick,
    rounds_of,
    without,
)


def no_warm_up(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    """The first round compiles."""
    return np.median(rounds_of(device, n, rounds, warm_up=False), axis=0)


def mean(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    return np.mean(rounds_of(device, n, rounds), axis=0)


def least(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    return np.min(rounds_of(device, n, rounds), axis=0)


def of_the_middle(device: JudgedDevice, n: int, rounds: int, at: int) -> np.ndarray:
    """One of the rounds in the middle."""
    return np.sort(rounds_of(device, n, rounds), axis=0)[at]


def one_after_the_other(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    """All rounds of a kernel, then all of the next."""
    for k in range(n):
        device.launch(k)
    return np.array([np.median([once(device, k) for _ in range(rounds)]) for k in range(n)])


def each_compiled_before_its_own(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    """As `one_after_the_other`, with each kernel compiled just before its rounds."""
    medians = []
    for k in range(n):
        device.launch(k)
        medians.append(np.median([once(device, k) for _ in range(rounds)]))
    return np.array(medians)


def _timed(device: JudgedDevice, n: int, rounds: int, flush: bool, waits_before: bool, waits_after: bool) -> np.ndarray:
    for k in range(n):
        device.launch(k)
    times = np.zeros((rounds, n))
    for r in range(rounds):
        for k in range(n):
            if flush:
                device.flush()
            if waits_before:
                device.wait()
            begin = device.clock()
            device.launch(k)
            if waits_after:
                device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


def warm_cache(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    """Each kernel twice in a row, the second one timed: its inputs are in the cache."""
    for k in range(n):
        device.launch(k)
    times = np.zeros((rounds, n))
    for r in range(rounds):
        for k in range(n):
            device.launch(k)
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


def warm_one_by_one(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    """No flush, and all rounds of a kernel in a row."""
    times = np.zeros((rounds, n))
    for k in range(n):
        device.launch(k)
        for r in range(rounds):
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


def flush_timed(device: JudgedDevice, n: int, rounds: int) -> np.ndarray:
    """The flush lies between the two readings of the clock."""
    for k in range(n):
        device.launch(k)
    times = np.zeros((rounds, n))
    for r in range(rounds):
        for k in range(n):
            device.wait()
            begin = device.clock()
            device.flush()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)


WARM = "times are those of a warm cache: flush it before each launch that is timed"
TIMES = (
    Slip(
        "no_warm_up",
        "the first round compiles, and it counts: launch every kernel once before the rounds",
        by(no_warm_up),
    ),
    Slip(
        "mean_of_rounds", "an interruption goes into the result: take the median of the rounds, not the mean", by(mean)
    ),
    Slip("least_of_rounds", "the least time was taken: that of the coolest moment. Take the median", by(least)),
    *(
        Slip(
            "one_of_the_middle",
            "of an even number of rounds one was taken: their median is the mean of the two in the middle",
            by(procedure),
        )
        for procedure in (
            lambda d, n, r: of_the_middle(d, n, r, r // 2),
            lambda d, n, r: of_the_middle(d, n, r, (r - 1) // 2),
        )
    ),
    *(
        Slip(
            "one_after_the_other",
            "later kernels seem slower, since the device got warm meanwhile: let all kernels take turns in each round",
            by(procedure),
        )
        for procedure in (one_after_the_other, each_compiled_before_its_own)
    ),
    Slip("warm_cache", WARM, by(lambda d, n, r: _timed(d, n, r, False, True, True))),
    Slip("warm_cache", WARM, by(warm_cache)),
    Slip("warm_cache", WARM, by(warm_one_by_one)),
    Slip(
        "flush_timed", "the flush is timed as well: it belongs before the first reading of the clock", by(flush_timed)
    ),
    Slip(
        "flush_timed",
        "the flush still runs when the clock is read: wait for it first",
        by(lambda d, n, r: _timed(d, n, r, True, False, True)),
    ),
    Slip(
        "not_waited",
        "every kernel takes 5 microseconds: that is the launch. Wait for the device before you read the clock again",
        by(lambda d, n, r: _timed(d, n, r, True, True, False)),
    ),
)


def fastest(times: np.ndarray) -> int:
    """Without ties."""
    return int(np.nanargmin(times)) if (~np.isnan(times)).any() else -1


def last_of_equals(times: np.ndarray) -> int:
    runs = times[~np.isnan(times)]
    return int(np.flatnonzero(times <= TIE * runs.min())[-1]) if runs.size else -1


def nan_chosen(times: np.ndarray) -> int:
    """What NumPy's argmin says: NaN is the least."""
    return int(np.argmin(times))


def zero_for_none(times: np.ndarray) -> int:
    return max(pick(times), 0)


KEY = without(NAME)
LACKS = "two questions that differ in {} alone get one answer: the key lacks it"
COLUMNS = (
    (BATCH, "the batch"),
    (SHAPE, "the shape"),
    (TYPE, "the type"),
    (DEVICE, "the device"),
    (VERSION, "the version"),
)
CHOICES = (
    Slip(
        "name_in_key",
        "layers of different names never share a time: the name says nothing about time",
        chosen_by(without()),
    ),
    *(Slip("key_lacks", LACKS.format(what), chosen_by(without(NAME, column))) for column, what in COLUMNS),
    Slip("key_lacks", LACKS.format("device or version"), chosen_by(without(NAME, DEVICE, VERSION))),
    Slip(
        "name_alone", "the key is the name alone: it says nothing about time", chosen_by(lambda row: (int(row[NAME]),))
    ),
    Slip(
        "ties_left_out",
        "the fastest is taken though a lower one lies within 2 %: both count as equal",
        chosen_by(KEY, fastest),
    ),
    Slip("last_of_equals", "of equals the last is taken: take the lowest number", chosen_by(KEY, last_of_equals)),
    Slip(
        "nan_chosen",
        "a kernel is chosen that cannot run: its time is NaN, and NumPy's argmin takes NaN for the least",
        chosen_by(KEY, nan_chosen),
    ),
    Slip(
        "none_runs",
        "kernel 0 is chosen where no kernel can run: the choice must be -1 there",
        chosen_by(KEY, zero_for_none),
    ),
    Slip(
        "not_kept",
        "every request is measured: keep each answer, and look before you measure",
        chosen_by(KEY, last=True),
    ),
)
