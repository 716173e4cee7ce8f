"""The device that is not there, described honestly."""

from __future__ import annotations

import os
from collections import namedtuple

from simt.cuda_api.streams import default_stream, defer_cleanup
from simt.hardware import LIMITS, MAX_BLOCK, MAX_GRID, MAX_STATIC_SHARED_BYTES, MAX_THREADS_PER_BLOCK, WARP_SIZE

NAME = "simt interpreter, no GPU"
MemoryInfo = namedtuple("MemoryInfo", "free,total")


class Device:
    """What programs ask a device. Limits are those of every CUDA GPU; there is one imaginary multiprocessor."""

    id = 0
    name = NAME
    compute_capability = (7, 5)  # the oldest that numba-cuda still compiles for by default
    uuid = "GPU-00000000-0000-0000-0000-000000000000"
    WARP_SIZE = WARP_SIZE
    MULTIPROCESSOR_COUNT = 1
    MAX_THREADS_PER_BLOCK = MAX_THREADS_PER_BLOCK
    MAX_THREADS_PER_MULTI_PROCESSOR = LIMITS[compute_capability].warps * WARP_SIZE
    MAX_SHARED_MEMORY_PER_BLOCK = MAX_STATIC_SHARED_BYTES
    MAX_BLOCK_DIM_X, MAX_BLOCK_DIM_Y, MAX_BLOCK_DIM_Z = MAX_BLOCK
    MAX_GRID_DIM_X, MAX_GRID_DIM_Y, MAX_GRID_DIM_Z = MAX_GRID
    supports_float16 = True
    supports_bfloat16 = False

    def get_primary_context(self) -> Context:
        return current_context()

    def reset(self) -> None:
        """Nothing is held."""

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *error) -> None:
        return None

    def __repr__(self) -> str:
        return f"<{NAME}>"


class Context:
    """The one context."""

    device = Device()

    def get_memory_info(self) -> MemoryInfo:
        """Free and total bytes, of the host: arrays live there."""
        try:
            page = os.sysconf("SC_PAGE_SIZE")
            return MemoryInfo(os.sysconf("SC_AVPHYS_PAGES") * page, os.sysconf("SC_PHYS_PAGES") * page)
        except (AttributeError, OSError, ValueError):
            return MemoryInfo(0, 0)

    def get_default_stream(self):
        return default_stream()

    def synchronize(self) -> None:
        """Nothing is pending."""

    def reset(self) -> None:
        """Nothing is held."""

    def push(self) -> None:
        """There is one context only."""

    def pop(self) -> None:
        """There is one context only."""

    def defer_cleanup(self):
        return defer_cleanup()

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *error) -> None:
        return None


class DeviceList(list):
    """cuda.gpus: the one device, which is current."""

    lst = property(lambda self: self)
    current = property(lambda self: self[0])


_CONTEXT = Context()
gpus = DeviceList([_CONTEXT.device])


def list_devices() -> DeviceList:
    """The device list."""
    return gpus


def current_context(devnum=None) -> Context:
    """The one context."""
    return _CONTEXT


def get_current_device() -> Device:
    """The imaginary device."""
    return _CONTEXT.device


def select_device(device_id: int) -> Context:
    """Choose device 0; raises IndexError for others."""
    if device_id != 0:
        raise IndexError(f"There is no device {device_id} here: only 0, the {NAME}.")
    return _CONTEXT


def close() -> None:
    """Nothing is held."""


def is_available() -> bool:
    """False: there is no GPU."""
    return False


def detect() -> bool:
    """Say on stdout that there is no GPU. Returns False."""
    print(f"Found 0 CUDA devices: {NAME}.")
    return False


def require_context(function):
    """A decorator that has nothing to do here."""
    return function
