"""What CUDA hardware is and has room for: the one table, by compute capability.

Source: CUDA C++ Programming Guide, "Compute Capabilities", tables "Technical Specifications per Compute Capability";
allocation granularities: the occupancy calculator of Nsight Compute; lanes: the architecture whitepapers.
What the makers publish about single GPUs is in `simt/timing/gpus.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024

# The same on every GPU that CUDA compiles for today.
WARP_SIZE = 32
SECTOR_BYTES = 32  # what moves between the memory chips, the L2 cache and the L1 cache, at least
BANKS, BANK_BYTES = 32, 4  # of shared memory
REGISTER_UNIT = 256  # registers are handed out to a warp in units of this many
MAX_REGISTERS_PER_THREAD = 255
MAX_THREADS_PER_BLOCK = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_MULTIPROCESSORS = 192  # of any GPU so far: a whole GB202, RTX Blackwell architecture whitepaper
MAX_CONSTANT_BYTES = 64 * KIB  # of the constant arrays of a kernel, of any compute capability
PRINT_BUFFER_BYTES = 2**20  # CUDA C++ Programming Guide, "Formatted Output": the limit unless a program sets another
MAX_LOCAL_BYTES = 512 * KIB  # of one thread, of any compute capability
MAX_STATIC_SHARED_BYTES = 48 * KIB  # of a block that does not ask for more at its launch


@dataclass(frozen=True)
class Limits:
    """What one multiprocessor of a compute capability offers.

    float*_lanes: fused multiply-adds that it finishes in a clock, tensor cores left out. tensor_lanes: those of its
    tensor cores, on dense float16.
    """

    warps: int
    blocks: int
    registers: int  # 32-bit
    shared_bytes: int  # per multiprocessor
    block_shared_bytes: int  # per block, with opt-in
    reserved_shared_bytes: int  # that the system takes from every block
    shared_unit_bytes: int  # shared memory is handed out to a block in units of this many
    float16_lanes: int
    float32_lanes: int
    float64_lanes: int
    tensor_lanes: int


LIMITS: dict[tuple[int, int], Limits] = {
    (7, 5): Limits(32, 16, 65536, 64 * KIB, 64 * KIB, 0, 256, 128, 64, 2, 512),
    (8, 0): Limits(64, 32, 65536, 164 * KIB, 163 * KIB, KIB, 128, 256, 64, 32, 1024),
    (8, 6): Limits(48, 16, 65536, 100 * KIB, 99 * KIB, KIB, 128, 128, 128, 2, 512),
    (8, 9): Limits(48, 24, 65536, 100 * KIB, 99 * KIB, KIB, 128, 128, 128, 2, 512),
    (9, 0): Limits(64, 32, 65536, 228 * KIB, 227 * KIB, KIB, 128, 256, 128, 64, 2048),
    (10, 0): Limits(64, 32, 65536, 228 * KIB, 227 * KIB, KIB, 128, 256, 128, 64, 4096),
    (12, 0): Limits(48, 24, 65536, 100 * KIB, 99 * KIB, KIB, 128, 128, 128, 2, 512),
}

MAX_DYNAMIC_SHARED_BYTES = max(limits.block_shared_bytes for limits in LIMITS.values())  # after opting in


class UnknownCapabilityError(ValueError):
    """A compute capability that the table does not have. `known` lists those it has."""

    def __init__(self, compute_capability: tuple[int, int]):
        self.compute_capability, self.known = compute_capability, tuple(LIMITS)
        names = ", ".join(f"{major}.{minor}" for major, minor in LIMITS)
        major, minor = compute_capability
        super().__init__(f"no limits on record for compute capability {major}.{minor}; known are {names}.")


def limits_of(compute_capability: tuple[int, int]) -> Limits:
    """The limits of a compute capability. Raises: UnknownCapabilityError when the table does not have it."""
    if compute_capability not in LIMITS:
        raise UnknownCapabilityError(compute_capability)
    return LIMITS[compute_capability]
