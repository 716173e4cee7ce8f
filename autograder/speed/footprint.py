"""How large to make the timed arrays: far beyond the L2 cache, long enough to time, within a quarter of memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

L2_MULTIPLE = 8  # compulsory bytes over L2 bytes, so that nothing useful survives in the cache
MIN_TIME_S = 300e-6  # least time at this device's rates: well above launch and event overhead
MIN_LAUNCHES = 50  # the least time is also this many times what a launch of nothing takes
MAX_MEMORY_SHARE = 0.25
MAX_BYTES = 1 << 30  # so that making and uploading inputs takes seconds, not minutes
SMALLEST_BYTES = 1 << 20
BUSY = 2.0  # a time bound by arithmetic is at least this many times that of memory

Sizes = dict[str, int]


@dataclass(frozen=True)
class Device:
    """What the judge needs to know about a GPU; `profile` measures it. Sizes in bytes, rates a second, times in us.

    copy_rate: of a large copy, read + write; read_rate: of a large reading; launch_us: between the events around a
    launch of nothing; gap_us: by which the host's clock says more than the events there; noisy: why nothing can be
    timed on it, "" where it can.
    """

    name: str
    compute_capability: tuple[int, int]
    l2_bytes: int
    memory_bytes: int
    copy_rate: float
    read_rate: float = 0.0
    flops_per_s: float = 0.0
    launch_us: float = 0.0
    gap_us: float = 0.0
    multiprocessors: int = 0
    uuid: str = ""
    noisy: str = ""

    @property
    def least_time_s(self) -> float:
        """What a timed launch should take at the least."""
        return max(MIN_TIME_S, MIN_LAUNCHES * 1e-6 * self.launch_us)


def footprint(device: Device) -> int:
    """Bytes that the compulsory traffic of a timed launch should reach on this device, where memory is the limit."""
    wanted = max(L2_MULTIPLE * device.l2_bytes, int(device.least_time_s * device.copy_rate))
    return int(min(wanted, MAX_MEMORY_SHARE * device.memory_bytes, MAX_BYTES))


def timed_sizes(sizes_for: Callable[[int], Sizes], flops_of: Callable[[Sizes], int], device: Device) -> Sizes:
    """The smallest sizes whose launch takes long enough at this device's rates.

    sizes_for: bytes -> sizes; flops_of: sizes -> flops, or less. Where arithmetic takes much longer than the bytes,
    the time is what counts, and arrays may be small; else they leave the cache behind.
    """
    most, rate = footprint(device), device.flops_per_s
    n_bytes = SMALLEST_BYTES
    while rate and n_bytes < most:
        sizes = sizes_for(n_bytes)
        arithmetic_s = flops_of(sizes) / rate
        if arithmetic_s >= max(device.least_time_s, BUSY * n_bytes / device.copy_rate):
            return sizes
        n_bytes *= 2
    return sizes_for(most)
