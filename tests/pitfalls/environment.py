"""Pitfalls of simulators, drivers and installations."""

from __future__ import annotations

import json
import subprocess
from unittest.mock import patch

import numba.cuda as nc
import numpy as np
from numba import cuda, float32

from autograder.machine import health
from tests.pitfalls.catalogue import Experiment, Pitfall, Said
from tests.pitfalls.diagnosis import computes

THREADS = 32
SINGLES = np.arange(THREADS, dtype=np.float32)
SRC = SINGLES + 1


@cuda.jit
def two_tiles_on_one_line(src, dst):
    once, twice = cuda.shared.array(THREADS, float32), cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    once[tx], twice[tx] = src[tx], float32(2) * src[tx]
    cuda.syncthreads()
    dst[tx] = twice[THREADS - 1 - tx] - once[THREADS - 1 - tx]


@cuda.jit
def two_tiles_on_two_lines(src, dst):
    once = cuda.shared.array(THREADS, float32)
    twice = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    once[tx], twice[tx] = src[tx], float32(2) * src[tx]
    cuda.syncthreads()
    dst[tx] = twice[THREADS - 1 - tx] - once[THREADS - 1 - tx]


@nc.jit
def cuda_by_another_name(src, dst):
    i = nc.grid(1)
    dst[i] = src[src.size - 1 - i]


@cuda.jit
def cuda_by_its_own_name(src, dst):
    i = cuda.grid(1)
    dst[i] = src[src.size - 1 - i]


def diagnosed(launch_error: str) -> Experiment:
    """What doctor says of the GPU when its one-thread kernel ends with this text on stderr; "" for a clean end."""
    outcome = subprocess.CompletedProcess(
        [], bool(launch_error), json.dumps({"gpu": "a GPU", "cc": [7, 5]}), launch_error
    )

    def run() -> list[Said]:
        with patch.object(health, "_probe", lambda program: outcome):
            check = health._gpu()
        return [Said("old_driver" if check.status == health.BROKEN else check.status, check.says, check.mend)]

    return Experiment(launch_error, run)


PITFALLS = (
    Pitfall(
        10,
        "Two shared arrays on one line",
        "numba's simulator gives both the same memory. A GPU does not, and neither does the interpreter here.",
        "interpreter",
        "",
        "",
        computes(two_tiles_on_one_line, 1, THREADS, (SRC, SINGLES), SRC[::-1]),
        computes(two_tiles_on_two_lines, 1, THREADS, (SRC, SINGLES), SRC[::-1]),
    ),
    Pitfall(
        42,
        "numba.cuda by another name",
        "numba's simulator replaces the name cuda and misses any other. The interpreter here follows the module.",
        "interpreter",
        "",
        "",
        computes(cuda_by_another_name, 1, THREADS, (SRC, SINGLES), SRC[::-1]),
        computes(cuda_by_its_own_name, 1, THREADS, (SRC, SINGLES), SRC[::-1]),
    ),
    Pitfall(
        44,
        "A driver older than the toolkit",
        "The newest toolkit writes PTX that an older driver cannot read, and the first launch fails.",
        "doctor",
        "old_driver",
        "the driver is older than the installed CUDA toolkit",
        diagnosed("numba.cuda.cudadrv.driver.CudaAPIError: [222] CUDA_ERROR_UNSUPPORTED_PTX_VERSION"),
        diagnosed(""),
    ),
)
