"""How many cores of this machine compute, and how much memory of its GPUs is taken, second by second."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.machine.beside import Beside

EVERY_S = 1.0
IDLE = (3, 4)  # places in the first line of /proc/stat: idle, and waiting for a disk


class Look(NamedTuple):
    """at_s: on the monotonic clock; computed_s, of all cores since they were started; mib: of each GPU's memory."""

    at_s: float
    computed_s: float
    mib: tuple[int, ...]


class AtWork(Beside):
    """Looks at the machine while the block runs. uuids: of the GPUs."""

    def __init__(self, uuids: Sequence[str]):
        self.looks: list[Look] = []
        self._memory = gpu_memory(uuids)
        super().__init__(self._watch)

    def _watch(self) -> None:
        last = False
        while not last:
            self.looks.append(Look(time.monotonic(), computed_s(), self._memory()))
            last = self.over_within(EVERY_S)

    def between(self, began_s: float, ended_s: float) -> dict[str, float]:
        """cores: that computed, on average; gpu_mib: the most that was taken of one GPU. {} for too short a time."""
        seen = [look for look in self.looks if began_s <= look.at_s <= ended_s]
        if len(seen) < 2:
            return {}
        cores = (seen[-1].computed_s - seen[0].computed_s) / (seen[-1].at_s - seen[0].at_s)
        return {"cores": round(cores, 1), "gpu_mib": max((mib for look in seen for mib in look.mib), default=0)}


def computed_s(stat: Path = Path("/proc/stat")) -> float:
    """Seconds that all cores together computed since the machine was started."""
    ticks = [int(word) for word in stat.read_text().partition("\n")[0].split()[1:9]]
    return sum(each for place, each in enumerate(ticks) if place not in IDLE) / os.sysconf("SC_CLK_TCK")


def gpu_memory(uuids: Sequence[str]) -> Callable[[], tuple[int, ...]]:
    """What says how many MiB of each GPU are taken, by NVML; () where there is none."""

    class Memory(ctypes.Structure):
        _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))

    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return lambda: ()
    handles = [ctypes.c_void_p() for _ in uuids]
    if nvml.nvmlInit_v2() or any(
        nvml.nvmlDeviceGetHandleByUUID(uuid.encode(), ctypes.byref(handle))
        for uuid, handle in zip(uuids, handles, strict=True)
    ):
        return lambda: ()

    def taken() -> tuple[int, ...]:
        found = [Memory() for _ in handles]
        for handle, memory in zip(handles, found, strict=True):
            nvml.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory))
        return tuple(memory.used >> 20 for memory in found)

    return taken
