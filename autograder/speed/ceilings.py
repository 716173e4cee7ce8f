"""The roof of this GPU, measured: bytes per second of a copy, and flops per second of multiply-adds in registers.

Runs in the process that asks: nothing here is judged.
"""

from __future__ import annotations

from typing import Any

from autograder.speed.profile import device_profile
from simt.hardware import limits_of
from simt.timing.gpus import FLOPS_OF_AN_FMA, Gpu


def measured_gpu() -> Gpu:
    """This GPU with the rates that it reaches in place of those that its maker names."""
    device = device_profile()
    profile = {
        "name": device.name,
        "compute_capability": device.compute_capability,
        "multiprocessors": device.multiprocessors,
        "memory_bytes": device.memory_bytes,
        "l2_bytes": device.l2_bytes,
        "copy_bytes_per_s": device.copy_rate,
        "float32_flops_per_s": device.flops_per_s,
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
