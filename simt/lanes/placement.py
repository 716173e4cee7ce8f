"""Which thread of which block each lane of a batch is. Small batches that are equal share it, also between launches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from simt.hardware import WARP_SIZE
from simt.launching.geometry import Dim3, coordinates, volume

if TYPE_CHECKING:
    from simt.values import Value

KEPT_LANES = 1 << 12  # of a batch whose placement is kept for other launches: 44 bytes each


@dataclass(frozen=True)
class Placement:
    """What is known of the lanes of a batch before anything runs. Nobody writes to it.

    registers: threadIdx, blockIdx, blockDim, gridDim, the linear thread id, the block's index within the batch, slots.
    slots: (width,) position of each lane when warps are padded to 32, or None if none is.
    exists: (n_warps, 32) bool, which lanes of each warp exist.
    """

    registers: dict[str, Value]
    slots: np.ndarray | None
    exists: np.ndarray


def placement_of(block: Dim3, grid: Dim3, block_ids: np.ndarray, of_threads: dict[int, Placement]) -> Placement:
    """Of a batch. of_threads: what large batches of this launch share, by their number of blocks."""
    n_blocks = len(block_ids)
    if n_blocks * volume(block) <= KEPT_LANES:
        return _kept(block, grid, block_ids.tobytes())
    if n_blocks not in of_threads:
        of_threads[n_blocks] = _of_threads(block, n_blocks)
    return _with_blocks(of_threads[n_blocks], block, grid, block_ids)


@lru_cache(maxsize=64)
def _kept(block: Dim3, grid: Dim3, block_ids: bytes) -> Placement:
    ids = np.frombuffer(block_ids, np.int64)
    placed = _with_blocks(_of_threads(block, len(ids)), block, grid, ids)
    for values in (*placed.registers.values(), placed.slots, placed.exists):
        if isinstance(values, np.ndarray):
            values.flags.writeable = False
    return placed


def _of_threads(block: Dim3, n_blocks: int) -> Placement:
    """threadIdx, the linear thread id, the index of the block within the batch, and where each lane is in its warp."""
    n_threads = volume(block)
    warps_per_block = -(-n_threads // WARP_SIZE)
    dx, dy, dz = block
    thread = np.arange(n_threads, dtype=np.int32)
    per_block = {"tx": thread % dx, "ty": thread // dx % dy, "tz": thread // (dx * dy), "thread": thread}
    registers: dict[str, Value] = {name: np.tile(value, n_blocks) for name, value in per_block.items()}
    for name, extent in (("tx", dx), ("ty", dy), ("tz", dz)):
        if extent == 1:
            registers[name] = np.int32(0)
    index = np.repeat(np.arange(n_blocks), n_threads) if n_blocks > 1 else np.intp(0)
    slot = registers["thread"] + index * (warps_per_block * WARP_SIZE)
    registers |= {"block": index, "slot": slot}
    exists = np.ones((n_blocks * warps_per_block, WARP_SIZE), bool)
    if n_threads % WARP_SIZE == 0:
        return Placement(registers, None, exists)
    exists[:] = False
    exists.reshape(-1)[slot] = True
    return Placement(registers, slot, exists)


def _with_blocks(placed: Placement, block: Dim3, grid: Dim3, block_ids: np.ndarray) -> Placement:
    """The same with blockIdx, blockDim and gridDim; blockIdx is uniform along an axis where all blocks agree."""
    names = ("dx", "dy", "dz", "gx", "gy", "gz")
    registers: dict[str, Value] = {name: np.int32(n) for name, n in zip(names, (*block, *grid), strict=True)}
    for name, ids in zip(("bx", "by", "bz"), coordinates(block_ids, grid), strict=True):
        ids = ids.astype(np.int32)
        uniform = (ids == ids[0]).all()
        registers[name] = ids[0] if uniform else np.repeat(ids, volume(block))
    return replace(placed, registers=placed.registers | registers)
