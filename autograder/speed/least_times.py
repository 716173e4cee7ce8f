"""What can be said about speed without a GPU: the least time that any right answer takes, GPU by GPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from autograder.contract import Case, Exercise
from autograder.running import buffers
from autograder.speed.footprint import Device, timed_sizes
from simt.timing.gpus import GPUS, Gpu
from simt.timing.roofline import ARITHMETIC, FLOAT_TYPES, TENSOR, Work, bound

LARGEST = 1 << 10  # sizes up to this are made; larger ones follow from this and half of it
COUNTED = ("read", "write", *ARITHMETIC)
Items = tuple[tuple[str, int], ...]  # sizes by name
Counts = tuple[int, ...]  # one of each COUNTED


def least_times(exercise: Exercise) -> list[dict[str, Any]]:
    """The bound of an exercise on each GPU that is known, at the size that its race would take there.

    Returns: rows of {"gpu", "name", "sizes", "bytes", "time_us", "limit"}; none where it has no race.
    """
    if exercise.speed is None:
        return []
    counted = _counter(exercise)
    return [_row(exercise, gpu, counted) for gpu in GPUS.values()]


def sizes_on(exercise: Exercise, device: Device) -> dict[str, int]:
    """The sizes that a race takes on a device, from the exercise's own formulas of bytes and flops."""
    return _sizes(exercise, device, _counter(exercise))


def _sizes(exercise: Exercise, device: Device, counted: Callable[[Items], Counts]) -> dict[str, int]:
    def flops(sizes: dict[str, int]) -> int:
        counts = dict(zip(COUNTED, _extrapolated(counted, tuple(sizes.items())), strict=True))
        return sum(counts[dtype] for dtype in ARITHMETIC)

    return timed_sizes(exercise.speed.sizes_for, flops, device)


def _counter(exercise: Exercise) -> Callable[[Items], Counts]:
    return cache(lambda sizes: _counted(exercise, dict(sizes)))


def _row(exercise: Exercise, gpu: Gpu, counted: Callable[[Items], Counts]) -> dict[str, Any]:
    memory = (gpu.l2_bytes, gpu.memory_bytes, gpu.memory_bytes_per_s)
    profiled = gpu.flops_per_s("float32")  # which a device is asked for before a race
    device = Device(gpu.name, gpu.compute_capability, *memory, flops_per_s=profiled)
    sizes = _sizes(exercise, device, counted)
    counts = dict(zip(COUNTED, _extrapolated(counted, tuple(sizes.items())), strict=True))
    work = Work(counts["read"], counts["write"], {dtype: counts[dtype] for dtype in ARITHMETIC})
    found = bound(gpu, work)
    return {
        "gpu": gpu.key, "name": gpu.name, "sizes": dict(sizes), "bytes": work.read_bytes + work.write_bytes,
        "time_us": found.time_us, "limit": found.limit.name,
    }  # fmt: skip


def _extrapolated(counted: Callable[[Items], Counts], sizes: Items) -> Counts:
    """What is asked for at sizes too large to make here, from small ones: exact where it grows with each size in turn.

    Where it grows faster, as flops with the cube of a size, this is too little, so that the time is still a bound.
    """
    large = next((name for name, size in sizes if size > LARGEST), None)
    if large is None:
        return counted(sizes)
    wanted = dict(sizes)[large]
    low, high = (
        _extrapolated(counted, tuple((name, small if name == large else size) for name, size in sizes))
        for small in (LARGEST // 2, LARGEST)
    )
    return tuple(
        a + (b - a) * (wanted - LARGEST // 2) // (LARGEST - LARGEST // 2) for a, b in zip(low, high, strict=True)
    )


def _counted(exercise: Exercise, sizes: dict[str, int]) -> Counts:
    """Bytes of inputs and of outputs, and the exercise's own count of flops, at sizes that are made."""
    values = buffers.make_values(exercise, Case(sizes))
    counts = dict.fromkeys(COUNTED, 0)
    counts["read"], counts["write"] = exercise.must_move(values)
    counts[_float_type(exercise)] += exercise.cost(values).flops if exercise.cost else 0
    return tuple(counts.values())


def _float_type(exercise: Exercise) -> str:
    """The narrowest type of the exercise's floats, the fastest that a right answer could compute in; float16 has the
    tensor cores of every GPU that is known."""
    types = {argument.dtype for argument in exercise.arguments}
    narrowest = next((dtype for dtype in reversed(FLOAT_TYPES) if dtype in types), "float32")
    return TENSOR if narrowest == "float16" else narrowest
