"""The environment of processes that run programs, and what a recorded answer says about where it comes from."""

from __future__ import annotations

import importlib
import os
import platform
from importlib import metadata

from autograder import backend


def environment_for(device: str) -> dict[str, str]:
    """Variables of a process that runs programs on a device: numba reads them when it is imported."""
    quiet = {"NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0", "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY": "0"}
    alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment = {**os.environ, **quiet, **alone}
    environment.pop("NUMBA_ENABLE_CUDASIM", None)
    if device == "numba-simulator":
        environment["NUMBA_ENABLE_CUDASIM"] = "1"
    return environment


def adopt(variables: dict[str, str]) -> None:
    """Make these the environment of this process."""
    os.environ.clear()
    os.environ.update(variables)


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    found = {"python": platform.python_version()}
    for package in ("numpy", "numba", "numba-cuda"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def device_name() -> str:
    """The name of the GPU, as the driver says it."""
    cuda = importlib.import_module("numba.cuda")
    return backend.name_of(cuda.get_current_device())
