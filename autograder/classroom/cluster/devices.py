"""The GPUs of this machine, and which of them a worker process has."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from autograder.running import memory_held

VISIBLE = "CUDA_VISIBLE_DEVICES"
LIST_S = 60.0
AT_LEAST, AT_MOST = 2, 8  # workers a GPU: while one has it for itself, others are at work in their jails
CORES_EACH = 2  # a worker's: its jail computes beside it, and inputs are drawn in threads
HELD_BYTES = 7 << 30  # by a worker that draws for a large GPU: two sets of inputs, what the oracle takes, what is kept
ON_GPU_BYTES = 9 << 30  # by its launchers there: two that time, of up to 4 GiB each, and one that waits
MOST_WITHOUT = 8  # workers where there is no GPU, one a core: with its jail each holds about 400 MiB


@cache
def uuids() -> tuple[str, ...]:
    """Of the GPUs that this process may use, in the driver's order; () where there is none or the driver is silent.

    Asked in a process of its own, as the driver cannot be let go of.
    """
    return tuple(_driver_says("--uuids"))


def _driver_says(what: str) -> list[str]:
    command = [sys.executable, "-m", "autograder.machine.driver", what]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=LIST_S)
    except (OSError, subprocess.SubprocessError):
        return []
    return said.stdout.split() if said.returncode == 0 else []


@dataclass(frozen=True)
class Capacity:
    """What workers share: cores, bytes of memory, and bytes of the smallest GPU. What nobody knows is no limit."""

    n_cores: int
    n_bytes: float = math.inf
    gpu_bytes: float = math.inf

    @classmethod
    def here(cls) -> Capacity:
        """Of this machine. A limit on the group of processes counts before the machine's memory, which may grow."""
        said = _driver_says("--memory") if uuids() else []
        known = memory_held.there_is()
        return cls(os.cpu_count() or 1, known[-1] if known else math.inf, int(said[0]) if said else math.inf)

    def workers_a_gpu(self, n_gpus: int) -> int:
        """As many as find cores and memory, from AT_LEAST to AT_MOST; fewer only where there are fewer cores."""
        most = min(
            self.n_cores // (CORES_EACH * n_gpus), self.n_bytes // (HELD_BYTES * n_gpus), self.gpu_bytes // ON_GPU_BYTES
        )
        return int(max(min(AT_LEAST, self.n_cores), min(AT_MOST, most)))


def workers_for(devices: Sequence[str], capacity: Capacity, n_workers: int | None = None) -> list[str]:
    """The device of each worker, "" where none is bound to one: with several GPUs each worker has one of its own.

    n_workers: how many there shall be in all, None for as many as cores, memory and GPUs suggest.
    """
    if not devices:
        return [""] * (n_workers or min(MOST_WITHOUT, capacity.n_cores))
    n_all = n_workers or capacity.workers_a_gpu(len(devices)) * len(devices)
    return [devices[place % len(devices)] if len(devices) > 1 else "" for place in range(n_all)]


def bind(device: str) -> None:
    """Let this process and what it starts see one GPU only. Before anything of CUDA is loaded; "" changes nothing."""
    if device:
        os.environ[VISIBLE] = device


def bound() -> str:
    """What this process was told to see, as text that names a file; "first" where it was told nothing."""
    named = os.environ.get(VISIBLE, "").split(",")[0]
    return "".join(letter for letter in named if letter.isalnum() or letter == "-") or "first"
