"""Two clocks for notebooks: the host's, and the device's own through events. NaN where no GPU can be timed."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable

from autograder.backend import cuda, gpu_available

NOT_MEASURED = "not measured here"


def wall_us(action: Callable[[], object], *, wait: bool = True) -> float:
    """Microseconds on the host's clock around one call.

    wait: True to stop the clock when the device has finished, False as soon as the call returns.
    """
    if not gpu_available():
        action()
        return math.nan
    cuda.synchronize()
    start = time.perf_counter()
    action()
    if wait:
        cuda.synchronize()
    stop = time.perf_counter()
    cuda.synchronize()
    return 1e6 * (stop - start)


def event_us(action: Callable[[], object], *, rounds: int = 20) -> float:
    """Microseconds between two events around a call: the median of `rounds`, after one call to warm up."""
    action()
    if not gpu_available():
        return math.nan
    return statistics.median(_between_events(action) for _ in range(rounds))


def _between_events(action: Callable[[], object]) -> float:
    """Microseconds that the device counted between the start and the end of one call."""
    start, stop = cuda.event(), cuda.event()
    start.record()
    action()
    stop.record()
    stop.synchronize()
    return 1e3 * cuda.event_elapsed_time(start, stop)


def report(what: str, time_us: float, moved_bytes: int = 0) -> None:
    """Print one line: what was timed, how long it took and, with `moved_bytes`, the rate."""
    if math.isnan(time_us):
        print(f"{what:46}{NOT_MEASURED:>18}")
        return
    rate = f"{moved_bytes / time_us / 1e3:12,.0f} GB/s" if moved_bytes else ""
    print(f"{what:46}{time_us:15,.1f} us{rate}")
