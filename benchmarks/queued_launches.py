"""Times of launches that are queued back to back, so that the host's share of each is hidden behind the one before."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

from numba import cuda

REPEATS = 9


def milliseconds(call: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The median time of a call that launches, of several queued back to back, after one that compiles."""
    call()
    cuda.synchronize()
    events = [cuda.event() for _ in range(repeats + 1)]
    for event in events:
        event.record()
        call()
    cuda.synchronize()
    return statistics.median(cuda.event_elapsed_time(a, b) for a, b in zip(events, events[1:], strict=False))
