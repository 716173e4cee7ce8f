"""The device that is not there, described honestly."""

from __future__ import annotations

import difflib
import os
from collections import namedtuple

from simt.cuda_api.streams import default_stream, defer_cleanup, event, per_thread_default_stream, stream, synchronize
from simt.hardware import KIB, LIMITS, MAX_BLOCK, MAX_GRID, MAX_STATIC_SHARED_BYTES, MAX_THREADS_PER_BLOCK, WARP_SIZE

NAME = "simt interpreter, no GPU"
MemoryInfo = namedtuple("MemoryInfo", "free,total")

LIMITS_HERE = LIMITS[7, 5]  # of the oldest capability that numba-cuda still compiles for by default
ATTRIBUTES = {
    "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": LIMITS_HERE.shared_bytes,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": LIMITS_HERE.block_shared_bytes,
    "MAX_REGISTERS_PER_BLOCK": LIMITS_HERE.registers,
    "MAX_REGISTERS_PER_MULTIPROCESSOR": LIMITS_HERE.registers,
    "MAX_BLOCKS_PER_MULTIPROCESSOR": LIMITS_HERE.blocks,
    "TOTAL_CONSTANT_MEMORY": 64 * KIB,
    "COMPUTE_CAPABILITY_MAJOR": 7,
    "COMPUTE_CAPABILITY_MINOR": 5,
    "CAN_MAP_HOST_MEMORY": 1,
    "UNIFIED_ADDRESSING": 1,
    "MANAGED_MEMORY": 1,
    "CONCURRENT_MANAGED_ACCESS": 1,
    "COOPERATIVE_LAUNCH": 1,
    "CONCURRENT_KERNELS": 1,
    **dict.fromkeys(
        (
            "ASYNC_ENGINE_COUNT", "CLOCK_RATE", "MEMORY_CLOCK_RATE", "GLOBAL_MEMORY_BUS_WIDTH", "L2_CACHE_SIZE",
            "INTEGRATED", "ECC_ENABLED", "TCC_DRIVER", "KERNEL_EXEC_TIMEOUT", "COMPUTE_MODE", "PCI_BUS_ID",
            "PCI_DEVICE_ID", "PCI_DOMAIN_ID", "MULTI_GPU_BOARD", "MULTI_GPU_BOARD_GROUP_ID", "SURFACE_ALIGNMENT",
            "COOPERATIVE_MULTI_DEVICE_LAUNCH", "GPU_OVERLAP",
        ),
        0,
    ),
    "MAX_PITCH": 2**31 - 1,
    "TEXTURE_ALIGNMENT": 512,
}  # fmt: skip


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
    supports_fp8 = False

    def get_device_identity(self) -> dict:
        """Where a device is plugged in; this one is not."""
        return {"pci_domain_id": 0, "pci_bus_id": 0, "pci_device_id": 0}

    def release_primary_context(self) -> None:
        """Nothing is held."""

    def __getattr__(self, name: str) -> int:
        """Any other attribute of a CUDA device: that of its compute capability; 0 for a rate or a bus it has not."""
        if name in ATTRIBUTES:
            return ATTRIBUTES[name]
        known = sorted({*ATTRIBUTES, *(one for one in dir(type(self)) if not one.startswith("_"))})
        near = [one for one in known if one.lower() == name.lower()] or difflib.get_close_matches(name, known, n=2)
        rest = f"Did you mean {' or '.join(near)}?" if near else f"It has {', '.join(known)}."
        raise AttributeError(f"The device has no {name}. {rest}")

    def get_primary_context(self) -> Context:
        return current_context()

    def reset(self) -> None:
        """Nothing is held; a driver would wait for all work before it gave memory back."""
        synchronize()

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *error) -> None:
        return None

    def __repr__(self) -> str:
        return f"<{NAME}>"


class Deallocations:
    """Memory that waits to be freed: none, since Python frees it at once."""

    is_disabled = False

    def clear(self) -> None:
        """Nothing waits."""

    def disable(self):
        return defer_cleanup()

    def __len__(self) -> int:
        return 0


class Context:
    """The one context."""

    device = Device()
    devnum = id = 0
    deallocations = Deallocations()
    allocations: dict = {}
    modules: dict = {}

    def create_stream(self):
        return stream()

    def create_event(self, timing: bool = True):
        return event(timing)

    def get_legacy_default_stream(self):
        return default_stream()

    def get_per_thread_default_stream(self):
        return per_thread_default_stream()

    def can_access_peer(self, peer_device) -> bool:
        """There is one device."""
        return False

    def prepare_for_use(self) -> None:
        """Nothing to prepare."""

    def get_memory_info(self) -> MemoryInfo:
        """Free and total bytes, of the host: arrays live there."""
        try:
            page = os.sysconf("SC_PAGE_SIZE")
            return MemoryInfo(os.sysconf("SC_AVPHYS_PAGES") * page, os.sysconf("SC_PHYS_PAGES") * page)
        except (AttributeError, OSError, ValueError):
            return MemoryInfo(0, 0)

    def __getattr__(self, name: str):
        """What only a driver can do."""
        raise AttributeError(
            f"The context of the {NAME} has no {name}: there is no driver, and arrays are host memory."
        )

    def get_default_stream(self):
        return default_stream()

    def synchronize(self) -> None:
        """Nothing is pending."""
        synchronize()

    def reset(self) -> None:
        """Nothing is held; a driver would wait for all work before it gave memory back."""
        synchronize()

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
    """Nothing is held; a driver would wait for all work before it gave memory back."""
    synchronize()


_stands_for_a_gpu = False


def stand_for_a_gpu() -> None:
    """From now on programs are told that there is a GPU, so that they do what they would do with one."""
    global _stands_for_a_gpu
    _stands_for_a_gpu = True


def is_available() -> bool:
    """False: there is no GPU; True once the interpreter was asked to stand for one."""
    return _stands_for_a_gpu


def detect() -> bool:
    """Say on stdout what there is. Returns `is_available()`."""
    print(f"Found {int(_stands_for_a_gpu)} CUDA devices: {NAME}.")
    return _stands_for_a_gpu


def is_float16_supported() -> bool:
    """Whether kernels may use float16."""
    return True


def is_bfloat16_supported() -> bool:
    """Whether kernels may use bfloat16."""
    return False


def is_fp8_supported() -> bool:
    """Whether kernels may use numbers of 8 bits."""
    return False


def require_context(function):
    """A decorator that has nothing to do here."""
    return function
