"""How long one load takes: a pointer chase on the GPU and on the CPU, for `bench_performance`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numba import cuda, njit

from benchmarks import performance_kernels as kernels
from benchmarks.performance_clocks import median_us

LINE = 32  # int32 cells of one 128-byte line: a chase takes one cell of each
LATENCY_ROUNDS = 3
FOOTPRINTS_KIB = (16, 128, 1024, 8192, 32_768, 131_072, 524_288)


@njit
def chase_on_cpu(succ, start, steps):
    """The cell `steps` steps after start."""
    p = start
    for _ in range(steps):
        p = succ[p]
    return p


def circle(lines: int) -> np.ndarray:
    """succ: (32 * lines,) int32, one circle through the first cell of every line, in random order."""
    order = LINE * np.random.default_rng(1).permutation(lines).astype(np.int32)
    succ = np.zeros(LINE * lines, np.int32)
    succ[order] = np.roll(order, -1)
    return succ


def latency() -> dict[str, Any]:
    """Nanoseconds per step of a pointer chase, by footprint, on the GPU and on this machine's CPU."""
    end = cuda.device_array(1, np.int32)
    rows, nanoseconds = [], 0.0
    for kib in FOOTPRINTS_KIB:
        lines = kib * 1024 // 128
        succ, steps = circle(lines), min(100_000, max(20_000, lines))
        d_succ, around = cuda.to_device(succ), min(lines, 400_000)
        starts = legs(succ, around, steps, 1 + LATENCY_ROUNDS)
        kernels.chase[1, 1](d_succ, np.int32(0), around, end)
        begin = iter(starts)
        chase = partial(leg_on_gpu, d_succ, begin, steps, end)
        nanoseconds = 1e3 * median_us(chase, LATENCY_ROUNDS) / steps
        assert end.copy_to_host()[0] == starts[-1]
        began = time.perf_counter()
        chase_on_cpu(succ, starts[-1], steps)
        cpu = 1e9 * (time.perf_counter() - began) / steps
        rows.append((f"{kib:,} KiB", f"{nanoseconds:.0f}", f"{cpu:.1f}"))
    columns = ["footprint", "GPU, ns per step", "CPU, ns per step"]
    return {"columns": columns, "rows": rows, "memory_ns": round(nanoseconds, 1)}


def legs(succ: np.ndarray, around: int, steps: int, count: int) -> list[np.int32]:
    """Where `count` legs of a walk begin after its first `around` steps, and where the last one ends.

    No leg goes where an earlier one went, unless the circle is short: what was walked may lie in a cache, and a second
    walk over it would time the cache, whatever the footprint.
    """
    starts = [np.int32(chase_on_cpu(succ, np.int32(0), around))]
    for _ in range(count):
        starts.append(np.int32(chase_on_cpu(succ, starts[-1], steps)))
    return starts


def leg_on_gpu(succ: Any, begin: Iterator[np.int32], steps: int, end: Any) -> None:
    """One leg, from the next beginning on."""
    kernels.chase[1, 1](succ, next(begin), steps, end)
