"""What expressions of cards may call: sizes, sectors, banks, occupancy, and figures of GPUs."""

from __future__ import annotations

import math

import numpy as np

from simt.hardware import BANKS, SECTOR_BYTES
from simt.hardware import WARP_SIZE as WARP
from simt.timing.gpus import find_gpu


def size(dtype: str) -> int:
    """Bytes of an element."""
    return np.dtype(dtype).itemsize


def ceil_div(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)


def sectors(stride_bytes: int, access_bytes: int, lanes: int = WARP, first_byte: int = 0) -> int:
    """32-byte sectors that lanes touch which stand `stride_bytes` apart."""
    starts = [first_byte + lane * stride_bytes for lane in range(lanes)]
    return len({byte // SECTOR_BYTES for at in starts for byte in (at, at + access_bytes - 1)})


def degree(words) -> int:
    """Passes over the banks for these words of 4 bytes: the most distinct words in one bank."""
    banks: dict[int, set[int]] = {}
    for word in words:
        banks.setdefault(int(word) % BANKS, set()).add(int(word))
    return max((len(wanted) for wanted in banks.values()), default=0)


def bandwidth(gpu: str) -> float:
    """Bytes a second, as published."""
    return find_gpu(gpu).memory_bytes_per_s


def flops(gpu: str, dtype: str = "float32") -> float:
    """Flops a second without tensor cores, as published."""
    return find_gpu(gpu).flops_per_s(dtype)


def multiprocessors(gpu: str) -> int:
    return find_gpu(gpu).multiprocessors


def gpu_name(gpu: str) -> str:
    return find_gpu(gpu).name


def threads_per_multiprocessor(gpu: str) -> int:
    """The most that can be resident at a time."""
    return limit(gpu, "warps") * WARP


def limit(gpu: str, name: str) -> int:
    """What one multiprocessor has room for: "warps", "blocks", "registers" or "shared_bytes"."""
    from autograder.lint.occupancy import limits_of

    return getattr(limits_of(find_gpu(gpu).compute_capability), name)


def occupancy_blocks(gpu: str, threads: int, registers: int, shared_bytes: int = 0) -> int:
    """Blocks resident on a multiprocessor, by the calculator that `warpbook lint` uses."""
    from autograder.lint.occupancy import theoretical_occupancy

    return theoretical_occupancy(find_gpu(gpu).compute_capability, threads, registers, shared_bytes).blocks


def half_to_even(value: float) -> int:
    """Rounded to the nearest whole number; halves to the even one, as int8 quantisation does."""
    return int(np.rint(value))


def clamp(value, low, high):
    return max(low, min(high, value))


FUNCTIONS = {
    "abs": abs, "min": min, "max": max, "sum": sum, "round": round, "int": int, "float": float, "len": len,
    "range": range, "sorted": sorted, "tuple": tuple, "set": lambda items: tuple(dict.fromkeys(items)),
    "log2": math.log2, "log": math.log, "sqrt": math.sqrt, "exp": math.exp, "gcd": math.gcd, "floor": math.floor,
    "float32": np.float32, "int32": np.int32, "int8": np.int8, "float64": np.float64, "uint32": np.uint32,
    "size": size, "ceil_div": ceil_div, "sectors": sectors, "degree": degree, "bandwidth": bandwidth, "flops": flops,
    "multiprocessors": multiprocessors, "gpu_name": gpu_name, "limit": limit, "occupancy_blocks": occupancy_blocks,
    "threads_per_multiprocessor": threads_per_multiprocessor, "half_to_even": half_to_even, "clamp": clamp,
}  # fmt: skip
