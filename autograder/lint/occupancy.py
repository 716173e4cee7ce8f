"""How many warps of a kernel fit on one multiprocessor, from its registers, shared memory and block size.

What a multiprocessor has room for is in `simt.hardware`.
"""

from __future__ import annotations

from dataclasses import dataclass

from simt.hardware import (
    MAX_REGISTERS_PER_THREAD,
    MAX_THREADS_PER_BLOCK,
    REGISTER_UNIT,
    WARP_SIZE,
    Limits,
    UnknownCapabilityError,
    limits_of,
)


class OccupancyError(ValueError):
    """An unknown compute capability, or a block no GPU launches."""


@dataclass(frozen=True)
class Occupancy:
    """How full one multiprocessor can be.

    limited_by: "warps", "blocks", "registers" or "shared memory"; the first of these that allows no more blocks.
    """

    blocks: int  # resident on a multiprocessor
    warps: int
    fraction: float  # of the warps the multiprocessor has room for, 0 to 1
    limited_by: str


def theoretical_occupancy(
    compute_capability: tuple[int, int], threads_per_block: int, registers: int, shared_bytes: int = 0
) -> Occupancy:
    """The occupancy one multiprocessor reaches when there are blocks enough.

    Args:    compute_capability: a key of `simt.hardware.LIMITS`; threads_per_block: 1 to 1024; registers: per thread,
             0 to 255; shared_bytes: per block, static and dynamic together.
    Returns: Occupancy; zero blocks when a single one does not fit.
    Raises:  OccupancyError outside these ranges.
    """
    try:
        limits = limits_of(compute_capability)
    except UnknownCapabilityError as error:
        raise OccupancyError(str(error)) from None
    if not 1 <= threads_per_block <= MAX_THREADS_PER_BLOCK:
        raise OccupancyError(f"a block has 1 to {MAX_THREADS_PER_BLOCK} threads, not {threads_per_block}.")
    if not 0 <= registers <= MAX_REGISTERS_PER_THREAD:
        raise OccupancyError(f"a thread has 0 to {MAX_REGISTERS_PER_THREAD} registers, not {registers}.")
    warps_per_block = _ceil_div(threads_per_block, WARP_SIZE)
    allowed = {
        "warps": limits.warps // warps_per_block,
        "blocks": limits.blocks,
        "registers": _blocks_by_registers(limits, warps_per_block, registers),
        "shared memory": _blocks_by_shared(limits, shared_bytes),
    }
    limited_by = min(allowed, key=allowed.__getitem__)
    blocks = allowed[limited_by]
    return Occupancy(blocks, blocks * warps_per_block, blocks * warps_per_block / limits.warps, limited_by)


def _blocks_by_registers(limits: Limits, warps_per_block: int, registers: int) -> int:
    """Registers are allocated by the warp, and a multiprocessor keeps them in four equal files."""
    if registers == 0:
        return limits.blocks
    per_warp = _ceil_div(registers * WARP_SIZE, REGISTER_UNIT) * REGISTER_UNIT
    warps = limits.registers // per_warp // 4 * 4
    return warps // warps_per_block


def _blocks_by_shared(limits: Limits, shared_bytes: int) -> int:
    if shared_bytes > limits.block_shared_bytes:
        return 0
    asked = shared_bytes + limits.reserved_shared_bytes
    allocated = _ceil_div(asked, limits.shared_unit_bytes) * limits.shared_unit_bytes
    return limits.shared_bytes // allocated if allocated else limits.blocks


def _ceil_div(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)
