"""How many cores of this machine compute, how busy its GPUs are and how much of their memory is taken, every second."""

from __future__ import annotations

import ctypes
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.machine.beside import Beside

EVERY_S = 1.0
STOLEN = 7  # place in the first line of /proc/stat: what another guest of the same host had
NOT_COMPUTING = (3, 4, STOLEN)  # idle, and waiting for a disk


class Look(NamedTuple):
    """at_s: on the monotonic clock; computed_s, stolen_s: of all cores since they were started; mib: of each GPU's
    memory; busy: per cent of a moment before in which kernels or copies were at work on each GPU.
    """

    at_s: float
    computed_s: float
    stolen_s: float
    mib: tuple[int, ...]
    busy: tuple[int, ...]


class AtWork(Beside):
    """Looks at the machine while the block runs. uuids: of the GPUs."""

    def __init__(self, uuids: Sequence[str]):
        self.looks: list[Look] = []
        self._gpus = gpus_at_work(uuids)
        super().__init__(self._watch)

    def _watch(self) -> None:
        last = False
        while not last:
            self.looks.append(Look(time.monotonic(), *computed_s(), *self._gpus()))
            last = self.over_within(EVERY_S)

    def between(self, began_s: float, ended_s: float) -> dict[str, float]:
        """cores: that computed, on average, cores_stolen: by other guests of the host; gpu_mib: the most that was taken
        of one GPU; gpu_busy: share of the time, of all GPUs that had anything to do. {} for too short a time.
        """
        seen = [look for look in self.looks if began_s <= look.at_s <= ended_s]
        if len(seen) < 2:
            return {}
        first, last = seen[0], seen[-1]
        took_s = last.at_s - first.at_s
        each = [statistics.mean(look.busy[gpu] for look in seen) / 100 for gpu in range(len(first.busy))]
        return {
            "cores": round((last.computed_s - first.computed_s) / took_s, 1),
            "cores_stolen": round((last.stolen_s - first.stolen_s) / took_s, 1),
            "gpu_mib": max((mib for look in seen for mib in look.mib), default=0),
            "gpu_busy": round(statistics.mean([busy for busy in each if busy] or [0.0]), 2),
        }


def computed_s(stat: Path = Path("/proc/stat")) -> tuple[float, float]:
    """Seconds that all cores together computed since the machine was started, and that were stolen from them."""
    ticks = [int(word) for word in stat.read_text().partition("\n")[0].split()[1:9]]
    computed = sum(each for place, each in enumerate(ticks) if place not in NOT_COMPUTING)
    return computed / os.sysconf("SC_CLK_TCK"), ticks[STOLEN] / os.sysconf("SC_CLK_TCK")


def gpus_at_work(uuids: Sequence[str]) -> Callable[[], tuple[tuple[int, ...], tuple[int, ...]]]:
    """What says how many MiB of each GPU are taken, and how many per cent of a moment it was busy, by NVML; empty where
    there is none.
    """

    class Memory(ctypes.Structure):
        _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))

    class Busy(ctypes.Structure):
        _fields_ = (("kernels", ctypes.c_uint), ("copies", ctypes.c_uint))

    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return lambda: ((), ())
    handles = [ctypes.c_void_p() for _ in uuids]
    if nvml.nvmlInit_v2() or any(
        nvml.nvmlDeviceGetHandleByUUID(uuid.encode(), ctypes.byref(handle))
        for uuid, handle in zip(uuids, handles, strict=True)
    ):
        return lambda: ((), ())

    def asked(call: str, answer: type) -> list:
        found = [answer() for _ in handles]
        for handle, one in zip(handles, found, strict=True):
            getattr(nvml, call)(handle, ctypes.byref(one))
        return found

    def at_work() -> tuple[tuple[int, ...], tuple[int, ...]]:
        memory = asked("nvmlDeviceGetMemoryInfo", Memory)
        busy = asked("nvmlDeviceGetUtilizationRates", Busy)
        return tuple(one.used >> 20 for one in memory), tuple(one.kernels for one in busy)

    return at_work
