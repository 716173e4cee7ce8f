"""Stopwatches of `bench_performance`: the device's own, and the host's."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from numba import cuda


def events_us(action: Callable[[], object], rounds: int = 7, warm_ups: int = 1) -> list[float]:
    """Microseconds that the device counts for each of some calls, after those that warm up."""
    for _ in range(warm_ups):
        action()
    marks = [(cuda.event(), cuda.event()) for _ in range(rounds)]
    for start, stop in marks:
        start.record()
        action()
        stop.record()
    cuda.synchronize()
    return [1e3 * start.elapsed_time(stop) for start, stop in marks]


def median_us(action: Callable[[], object], rounds: int = 7) -> float:
    """The median of `events_us`."""
    return statistics.median(events_us(action, rounds))


def host_us(action: Callable[[], object], rounds: int = 7, wait: bool = True) -> float:
    """The median on the host's clock, after one call to warm up. wait: until the device is done."""
    times = []
    for _ in range(rounds + 1):
        cuda.synchronize()
        began = time.perf_counter()
        action()
        if wait:
            cuda.synchronize()
        times.append(1e6 * (time.perf_counter() - began))
    cuda.synchronize()
    return statistics.median(times[1:])
