"""The GPUs of this machine, and which of them a worker process has."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

VISIBLE = "CUDA_VISIBLE_DEVICES"
LIST_S = 60.0
AT_LEAST, AT_MOST = 2, 4  # workers a GPU: while one has its kernels on the GPU, others are at work in their jails
MOST_WITHOUT = 8  # workers where there is no GPU, one a core: with its jail each holds about 400 MiB


@cache
def uuids() -> tuple[str, ...]:
    """Of the GPUs that this process may use, in the driver's order; () where there is none or the driver is silent.

    Asked in a process of its own, as the driver cannot be let go of.
    """
    command = [sys.executable, "-m", "autograder.machine.driver", "--uuids"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=LIST_S)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(said.stdout.split()) if said.returncode == 0 else ()


def workers_for(devices: Sequence[str], n_cores: int, n_workers: int | None = None) -> list[str]:
    """The device of each worker, "" where none is bound to one: with several GPUs each worker has one of its own.

    n_workers: how many there shall be in all, None for as many as cores and GPUs suggest.
    """
    if not devices:
        return [""] * (n_workers or min(MOST_WITHOUT, n_cores))
    each = max(min(AT_LEAST, n_cores), min(AT_MOST, n_cores // len(devices)))
    if len(devices) == 1:
        return [""] * (n_workers or each)
    n_all = n_workers or each * len(devices)
    return [devices[place % len(devices)] for place in range(n_all)]


def bind(device: str) -> None:
    """Let this process and what it starts see one GPU only. Before anything of CUDA is loaded; "" changes nothing."""
    if device:
        os.environ[VISIBLE] = device


def bound() -> str:
    """What this process was told to see, as text that names a file; "first" where it was told nothing."""
    named = os.environ.get(VISIBLE, "").split(",")[0]
    return "".join(letter for letter in named if letter.isalnum() or letter == "-") or "first"
