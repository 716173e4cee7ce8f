"""How fast a GPU reads an array again and again, by its size: small ones come from a cache, large ones do not."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.backend import cuda

MIB = 1 << 20
SIZES_MIB = (4, 8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 256, 512, 1024)
READ_BYTES = 1 << 33  # for each size: long enough that the launch does not count
BLOCKS_EACH, THREADS = (1, 2, 4, 8), 256  # grids to try: blocks on each multiprocessor
REPEATS = 3


class NotReadError(ValueError):
    """A kernel did not add up what it should have read. `size_mib`: of the array."""

    def __init__(self, size_mib: int):
        self.size_mib = size_mib
        super().__init__(f"the sums of {size_mib} MiB of ones are wrong, so its time says nothing about memory.")


def rates_gbs(kernel: Callable, sizes_mib: Sequence[int] = SIZES_MIB, read_bytes: int = READ_BYTES) -> list[float]:
    """GB/s that a kernel (src, times, sums) reads, for arrays of some sizes, by the best of a few grids.

    kernel: adds up src `times` times over all threads, each into its own element of sums.
    Raises: NotReadError for a kernel that leaves other sums.
    """
    return [_rate(kernel, size, max(1, read_bytes // (size * MIB))) for size in sizes_mib]


def _rate(kernel: Any, size_mib: int, times: int) -> float:
    n = size_mib * MIB // 4
    src = cuda.to_device(np.ones(n, np.float32))
    n_multiprocessors = int(cuda.get_current_device().MULTIPROCESSOR_COUNT)
    times_ms = []
    for each in BLOCKS_EACH:
        n_blocks = each * n_multiprocessors
        sums = cuda.to_device(np.zeros(n_blocks * THREADS, np.float32))
        times_ms.append(_milliseconds(partial(kernel[n_blocks, THREADS], src, times, sums)))
        if float(sums.copy_to_host().sum(dtype=np.float64)) != n * times:
            raise NotReadError(size_mib)
    return 4 * n * times / min(times_ms) / 1e6


def _milliseconds(launch: Callable[[], None]) -> float:
    """The median of a few launches, queued back to back after a first one."""
    launch()
    events = [cuda.event() for _ in range(REPEATS + 1)]
    for event in events:
        event.record()
        launch()
    cuda.synchronize()
    return statistics.median(cuda.event_elapsed_time(a, b) for a, b in zip(events, events[1:], strict=False))
