"""How large to make the timed arrays: far beyond the L2 cache, long enough to time, within a quarter of memory."""

from __future__ import annotations

from dataclasses import dataclass

L2_MULTIPLE = 8  # compulsory bytes over L2 bytes, so that nothing useful survives in the cache
MIN_TIME_S = 300e-6  # least time at the copy rate: well above launch and event overhead
MAX_MEMORY_SHARE = 0.25
MAX_BYTES = 1 << 30  # so that making and uploading inputs takes seconds, not minutes


@dataclass(frozen=True)
class Device:
    """What the judge needs to know about a GPU. Sizes in bytes, rate in bytes a second (a large copy, read + write)."""

    name: str
    compute_capability: tuple[int, int]
    l2_bytes: int
    memory_bytes: int
    copy_rate: float


def footprint(device: Device) -> int:
    """Bytes that the compulsory traffic of a timed launch should reach on this device."""
    wanted = max(L2_MULTIPLE * device.l2_bytes, int(MIN_TIME_S * device.copy_rate))
    return int(min(wanted, MAX_MEMORY_SHARE * device.memory_bytes, MAX_BYTES))
