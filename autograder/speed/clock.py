"""One timed launch on a cold L2, by the device's clock and by the host's, which nothing on the device can reach."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from autograder.backend import cuda
from autograder.speed.probes import THREADS, hold, read_pass, write_pass

FLUSH_BYTES_AT_LEAST = 256 << 20
FLUSH_BLOCKS = 1024
HOLD_US = 400  # longer than a host function of a few launches takes to queue them
WARM_S = 0.2  # of work before the first sample: an idle GPU's clock is a sixth of a busy one's


class Sample(NamedTuple):
    """Microseconds between the two events, and on the host's clock from the first event to the last."""

    event_us: float
    wall_us: float


class Clock:
    """Times whatever can be enqueued. l2_bytes: of the device, so that the flush is larger."""

    def __init__(self, l2_bytes: int):
        n_flush = max(FLUSH_BYTES_AT_LEAST, 4 * l2_bytes) // 4
        self._flush = cuda.device_array(n_flush, np.uint32)
        self._sink = cuda.device_array(1, np.uint32)
        self._events = cuda.event(), cuda.event()
        self._turn = 0

    def warm(self, seconds: float = WARM_S) -> None:
        """Keep the device busy until its clock is up."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for _ in range(20):
                self.flush()
            cuda.synchronize()

    def flush(self) -> None:
        """Fill the L2 with lines that nobody wants: written, so that others go, then read, so that all are clean."""
        self._turn += 1
        write_pass[FLUSH_BLOCKS, THREADS](self._flush, np.uint32(self._turn))
        read_pass[FLUSH_BLOCKS, THREADS](self._flush, self._sink)

    def time(self, call: Callable[[], object]) -> Sample:
        """One sample of what `call` enqueues. The device is held until the host has queued it.

        The host's clock starts when it sees the first event: late by as long as that takes, which a launch of nothing
        shows (`profile`), and never early.
        """
        begin, end = self._events
        self.flush()
        hold[1, 1](HOLD_US)
        begin.record()
        call()
        end.record()
        begin.synchronize()
        started = time.perf_counter_ns()
        end.synchronize()
        wall_us = (time.perf_counter_ns() - started) / 1e3
        return Sample(1e3 * cuda.event_elapsed_time(begin, end), wall_us)
