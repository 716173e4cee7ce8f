"""The matrix products of one stage, and the loop over stages that the consumers run."""

from __future__ import annotations

from typing import Any

from numba import uint32, uint64

from minitrt.kernels.hopper import mbarrier, wgmma
from minitrt.kernels.hopper.block import make_advance
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, WEIGHTS
from minitrt.kernels.hopper_conv.tile import ROW_GROUP, STEM_TAPS, ConvTile
from minitrt.kernels.inline import inline

UNIT = 16  # bytes that one step of a descriptor's address means
K_STEP = 32  # bytes of K in one wgmma


def steps_of(tile: ConvTile) -> list[tuple[int, int]]:
    """Where the weights and the pixels of each wgmma of a stage begin, in units of 16 bytes.

    halo: tap (r, s) begins r rows and s pixels further; the swizzle is a function of the address, so it needs no care.
    stem: a row's 64 bytes of K are 4 pixels of 16 bytes, so windows overlap in memory and nothing is copied.
    strip: a row of the window is one row of K, already side by side.
    """
    if tile.kind == "halo":
        return [
            (
                (r * 3 + s) * tile.weight_bytes // UNIT + k // UNIT,
                (r * tile.pitch + s) * tile.k_bytes // UNIT + k // UNIT,
            )
            for r in range(3)
            for s in range(3)
            for k in range(0, tile.k_bytes, K_STEP)
        ]
    if tile.kind == "strip":
        return [
            (r * tile.weight_bytes // UNIT + k // UNIT, r * tile.pitch * tile.k_bytes // UNIT + k // UNIT)
            for r in range(STEM_TAPS)
            for k in range(0, tile.k_bytes, K_STEP)
        ]
    if tile.kind == "stem":
        return [
            (r // 2 * tile.weight_bytes // UNIT + (r % 2 * 64 + k) // UNIT, r * tile.pitch + k // UNIT)
            for r in range(STEM_TAPS)
            for k in range(0, 64, K_STEP)
        ]
    return [
        (i * tile.weight_bytes // UNIT + k // UNIT, i * tile.pixel_room // UNIT + k // UNIT)
        for i in range(tile.sub_tiles)
        for k in range(0, tile.k_bytes, K_STEP)
    ]


def make_main_loop(tile: ConvTile, first: int = 0) -> Any:
    """main_loop(base, sums, k_steps, stage, phase, team, lane) -> (sums, stage, phase, the last stage's barrier).

    first: which of the resident sub-tiles of weights, where they stay, belongs to the first step.

    A stage is handed back once the products of the next one are under way, so two are always in the pipe. The caller
    waits for the last products and hands back the last stage.
    """
    weights = wgmma.descriptor(tile.k_bytes, 8 * tile.k_bytes)
    pixels = wgmma.descriptor(0, 128, 16) if tile.kind == "stem" else weights
    group_offset = ROW_GROUP * tile.k_bytes // UNIT
    products = wgmma.products(tile.element, tile.pixels, tile.row_groups, group_offset, steps_of(tile))
    STAGE, RING, RESIDENT, next_stage = tile.stage_bytes, tile.ring, tile.resident, make_advance(tile.stages)
    STAGE_WEIGHTS, STREAMED = tile.sub_tiles * tile.weight_bytes, tile.sub_tiles * tile.pixel_room
    TEAM_WEIGHTS = tile.row_groups * ROW_GROUP * tile.k_bytes
    FIRST_WEIGHTS = WEIGHTS + first * STAGE_WEIGHTS

    @inline
    def main_loop(base, sums, k_steps, stage, phase, team, lane):
        used = uint32(0)
        for k in range(k_steps):
            full, x = uint32(base + stage * BARRIER_PAIR), uint32(base + RING + stage * STAGE)
            mbarrier.wait(full, phase)
            w = uint32(base + FIRST_WEIGHTS + k * STAGE_WEIGHTS) if RESIDENT else uint32(x + STREAMED)
            at = weights | uint64(uint32(w + team * TEAM_WEIGHTS) >> uint32(4))
            sums = products(sums, at, pixels | uint64(x >> uint32(4)))
            wgmma.wait_all_but_one()
            mbarrier.arrive_if_zero(used, uint32(lane) | uint32(k == 0))
            used = uint32(full + EMPTY)
            stage, phase = next_stage(stage, phase)
        return sums, stage, phase, used

    return main_loop
