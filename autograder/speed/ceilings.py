"""The roof of this GPU, measured: bytes per second of a copy, and flops per second of multiply-adds in registers.

Runs in the process that asks: nothing here is judged.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import float32

from autograder.backend import cuda
from autograder.speed.measure import device_profile
from simt.hardware import limits_of
from simt.timing.gpus import FLOPS_OF_AN_FMA, Gpu

TURNS = 4096  # of the loop; long enough that the launch does not count
CHAINS = 8  # sums of a thread that do not wait for each other
BLOCKS_EACH, THREADS = 8, 256  # on each multiprocessor: all the threads that it holds
REPEATS = 7


@cuda.jit
def multiply_adds(x, out, turns):
    """Nothing but fused multiply-adds, eight chains a thread. x, out: (threads,) float32."""
    i = cuda.grid(1)
    y = x[i]
    a, b, c, d = y, y + float32(1), y + float32(2), y + float32(3)
    e, f, g, h = y + float32(4), y + float32(5), y + float32(6), y + float32(7)
    for _ in range(turns):
        a, b, c, d = a * y + y, b * y + y, c * y + y, d * y + y
        e, f, g, h = e * y + y, f * y + y, g * y + y, h * y + y
    out[i] = a + b + c + d + e + f + g + h


def flops_per_s() -> float:
    """The most float32 flops per second that multiply-adds reach here, out of a few launches."""
    n_threads = cuda.get_current_device().MULTIPROCESSOR_COUNT * BLOCKS_EACH * THREADS
    x = cuda.to_device(np.full(n_threads, 0.5, np.float32))
    out = cuda.device_array_like(x)
    launch = multiply_adds[n_threads // THREADS, THREADS]
    launch(x, out, TURNS)
    events = [cuda.event() for _ in range(REPEATS + 1)]
    for event in events:
        event.record()
        launch(x, out, TURNS)
    cuda.synchronize()
    times_ms = [cuda.event_elapsed_time(a, b) for a, b in zip(events, events[1:], strict=False)]
    return FLOPS_OF_AN_FMA * CHAINS * TURNS * n_threads / (1e-3 * min(times_ms))


def measured_gpu() -> Gpu:
    """This GPU with the rates that it reaches in place of those that its maker names."""
    device = device_profile()
    count = int(cuda.get_current_device().MULTIPROCESSOR_COUNT)
    profile = {
        "name": device.name,
        "compute_capability": device.compute_capability,
        "multiprocessors": count,
        "memory_bytes": device.memory_bytes,
        "l2_bytes": device.l2_bytes,
        "copy_bytes_per_s": device.copy_rate,
        "float32_flops_per_s": flops_per_s(),
    }
    return gpu_of(profile)


def gpu_of(profile: dict[str, Any]) -> Gpu:
    """A GPU from a profile that was measured, as `profile_of` writes it: its clock is the one its flops amount to."""
    capability = tuple(profile["compute_capability"])
    per_clock = FLOPS_OF_AN_FMA * limits_of(capability).float32_lanes * profile["multiprocessors"]
    return Gpu(
        key="measured",
        name=profile["name"],
        compute_capability=capability,
        multiprocessors=profile["multiprocessors"],
        clock_hz=profile["float32_flops_per_s"] / per_clock,
        memory_bytes=profile["memory_bytes"],
        memory_bytes_per_s=profile["copy_bytes_per_s"],
        l2_bytes=profile["l2_bytes"],
        source="measured",
    )


def profile_of(gpu: Gpu) -> dict[str, Any]:
    """The same as plain data, to be recorded."""
    return {
        "name": gpu.name,
        "compute_capability": list(gpu.compute_capability),
        "multiprocessors": gpu.multiprocessors,
        "memory_bytes": gpu.memory_bytes,
        "l2_bytes": gpu.l2_bytes,
        "copy_bytes_per_s": gpu.memory_bytes_per_s,
        "float32_flops_per_s": gpu.flops_per_s("float32"),
    }
