"""When a kernel's mistake is told: which call after a store far past the end says so, and what still works then.

    python benchmarks/bench_late_errors.py [--output DIR]   writes DIR/late_errors.json, benchmarks/results by default

Such a store leaves nothing of a process's CUDA alive, so the calls are made in a process of their own.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numba import cuda

from autograder.backend import gpu_available
from benchmarks.record import RESULTS, device_name, record

FAR = 1 << 40  # elements past the end: 4 TiB, which no allocation of any GPU reaches
INSIDE = "--inside"
SECONDS = 60  # for a process to come up, compile and make its calls
RETURNS = "returns"
DRIVER_SAID = re.compile(r"CUDA_ERROR_\w+")


@cuda.jit
def far_beyond(x):
    """x[i + FAR] = 1, where there is no memory. x: (n,) float32."""
    x[cuda.grid(1) + FAR] = 1


@cuda.jit
def add_one(y):
    """y += 1. y: (n,) float32."""
    i = cuda.grid(1)
    if i < y.size:
        y[i] += 1


def calls(wrong: bool) -> Iterator[tuple[str, Callable[[], object]]]:
    """What a program does after a launch, as text and to be called. wrong: that launch is one of `far_beyond`."""
    x, y = (cuda.to_device(np.zeros(8, np.float32)) for _ in range(2))
    add_one[1, 8](y)  # compiles
    cuda.synchronize()
    if wrong:
        yield "far_beyond[1, 8](x)", lambda: far_beyond[1, 8](x)
    yield "add_one[1, 8](y)", lambda: add_one[1, 8](y)
    yield "cuda.synchronize()", cuda.synchronize
    yield "y.copy_to_host()", y.copy_to_host
    yield "cuda.to_device(np.zeros(8))", lambda: cuda.to_device(np.zeros(8))


def outcome(call: Callable[[], object]) -> str:
    """ "returns", or "fails: " with the driver's word for it, else with the error in one line."""
    try:
        call()
    except Exception as error:
        said = DRIVER_SAID.search(str(error))
        return f"fails: {said[0] if said else str(error).splitlines()[0]}"
    return RETURNS


def inside(wrong: bool) -> None:
    """Make the calls, a line for each."""
    for text, call in calls(wrong):
        print(text, outcome(call), sep="\t", flush=True)


def lines_of(wrong: bool) -> list[list[str]]:
    """What each call of a process of its own came to: (the call, "returns" or the error)."""
    command = [sys.executable, __file__, INSIDE, *(["wrong"] if wrong else [])]
    told = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    return [line.split("\t") for line in told.stdout.splitlines() if "\t" in line]


def main(arguments: list[str] | None = None) -> int:
    """Try and record. Returns 2 without a GPU."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder that late_errors.json goes to")
    folder = parser.parse_args(arguments).output
    if not gpu_available():
        print("bench_late_errors needs an NVIDIA GPU: there is nothing to see here.", file=sys.stderr)
        return 2
    rows = [
        *(("the process of the mistake", *line) for line in lines_of(wrong=True)),
        *(("another process, later", *line) for line in lines_of(wrong=False)),
    ]
    device = device_name()
    record("late_errors", {"device": device, "columns": ["where", "call", "it"], "rows": rows}, folder)
    for row in rows:
        print(*row, sep="   ")
    return 0


if __name__ == "__main__":
    sys.exit(inside("wrong" in sys.argv) if INSIDE in sys.argv else main())
