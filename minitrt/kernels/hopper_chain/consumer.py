"""The multiplying warpgroups of the chain: the first result into a slot, panel by panel, then the second from there."""

from __future__ import annotations

from typing import Any

from numba import int32, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import mbarrier, sync, tma, wgmma
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, SLOT_BARRIERS, WEIGHTS, WEIGHTS_BARRIER
from minitrt.kernels.hopper_chain.tile import ChainTile
from minitrt.kernels.hopper_conv.consumer import BARRIER_OF_GROUP, make_constants_loader, make_lane_offset
from minitrt.kernels.hopper_conv.epilogue import make_epilogue
from minitrt.kernels.hopper_conv.order import directed
from minitrt.kernels.hopper_conv.products import K_STEP, UNIT
from minitrt.kernels.hopper_conv.shortcut import BYTES_OF_CHANNEL, TABLE_CHANNELS
from minitrt.kernels.hopper_conv.tile import ROW_GROUP, round_up
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import udiv, urem

BARRIER_OF_ALL = 3  # its number; 1 and 2 are the warpgroups'
PANEL = 128  # channels


def make_multiply(pixels: int, row_groups: int, row_bytes: int, steps: list[tuple[int, int]]) -> Any:
    """multiply(weights, pixels) -> sums over `steps` of K; row_bytes: of K in a row of either operand."""
    form, sums = wgmma.descriptor(row_bytes, 8 * row_bytes), wgmma.accumulators("int8", pixels // 2 * row_groups)
    products = wgmma.products("int8", pixels, row_groups, ROW_GROUP * row_bytes // UNIT, steps)
    zero, wait = sums.zero, sums.wait

    @inline
    def multiply(weights, pixels):
        values = products(zero(), form | uint64(weights >> uint32(4)), form | uint64(pixels >> uint32(4)))
        return wait(values)

    return multiply


def make_products(tile: ChainTile, first: int, count: int) -> Any:
    """multiply(weights, pixels) -> sums of one panel over sub-tiles first .. first + count of K."""
    steps = [
        (i * PANEL * tile.k_bytes // UNIT + k // UNIT, i * tile.sub_tile_bytes // UNIT + k // UNIT)
        for i in range(first, first + count)
        for k in range(0, tile.k_bytes, K_STEP)
    ]
    return make_multiply(tile.pixels, 2, tile.k_bytes, steps)


def make_second_products(tile: ChainTile) -> Any:
    """multiply(weights, pixels) -> sums of the second convolution over all panels of the first result."""
    second = tile.second
    steps = [
        (panel * tile.second_weights // UNIT + k // UNIT, panel * tile.panel_bytes // UNIT + k // UNIT)
        for panel in range(tile.panels)
        for k in range(0, PANEL, K_STEP)
    ]
    return make_multiply(second.pixels, second.row_groups, PANEL, steps)


def make_shortcut(tile: ChainTile) -> Any:
    """shortcut(table, panel, weights, x, at, first, group, warp, lane): a panel of the shortcut's result, at `at`.

    first: whether it is the first panel of a tile, before which the slot must be free.
    """
    multiply, epilogue = make_products(tile, 0, tile.shortcut), make_epilogue(tile.of_shortcut)
    load_constants, BEHIND = make_constants_loader(tile.first), round_up(tile.channels, TABLE_CHANNELS)

    @inline
    def shortcut(table, panel, weights, x, at, first, group, warp, lane):
        constants = load_constants(table + uint64(BEHIND * BYTES_OF_CHANNEL), panel * PANEL, warp, lane)
        values = multiply(weights, x)
        if first:
            tma.wait_stores_read()  # this thread's earlier stores have left shared memory
            sync.warpgroup_barrier(BARRIER_OF_GROUP + group)
        epilogue(values, constants, 0.0, 0.0, 0.0, at)
        cuda.syncwarp()

    return shortcut


def make_first(tile: ChainTile) -> Any:
    """first(base, table, ..., slot_empty, group, ...): this warpgroup's panels of the slot at `to`.

    slot_empty: the barrier of the slot that the tile before left, 0 for none.
    """
    multiply, shortcut = make_products(tile, tile.shortcut, tile.sub_tiles), make_shortcut(tile)
    epilogue, load_constants, lane_offset = (
        make_epilogue(tile.first),
        make_constants_loader(tile.first),
        make_lane_offset(tile.first),
    )
    PASSES, TEAMS, PANEL_WEIGHTS, PANEL_BYTES = tile.passes, tile.warpgroups, tile.panel_weights, tile.panel_bytes
    RESIDUAL, SHORTCUT = tile.residual, tile.shortcut

    @inline
    def first(
        base, table, multiplier, low, high, x, to, stage_full, slot_full, parity, slot_empty, group, warp, lane, thread
    ):
        for turn in range(PASSES):
            panel = int32(turn * TEAMS) + group
            constants = load_constants(table, panel * PANEL, warp, lane)
            weights = uint32(base + WEIGHTS + panel * PANEL_WEIGHTS)
            at = uint32(to + panel * PANEL_BYTES + lane_offset(warp, lane, 0))
            if SHORTCUT:
                shortcut(table, panel, weights, x, at, turn == 0, group, warp, lane)
            values = multiply(weights, x)
            if turn == PASSES - 1:
                mbarrier.arrive_if_zero(uint32(stage_full + EMPTY), uint32(lane))
            if turn == 0 and SHORTCUT == 0:
                tma.wait_stores_read()
                if RESIDUAL:
                    mbarrier.arrive_if_zero(slot_empty, thread | uint32(slot_empty == 0))
                    mbarrier.wait(slot_full, parity)
                else:
                    sync.warpgroup_barrier(BARRIER_OF_GROUP + group)
            epilogue(values, constants, multiplier, low, high, at)

    return first


def make_second(tile: ChainTile) -> Any:
    """second(base, table, tail_output, slot, pixel, ...): this warpgroup's part of the second result, stored."""
    second, multiply = tile.second, make_second_products(tile)
    epilogue, load_constants, lane_offset = (
        make_epilogue(second),
        make_constants_loader(second),
        make_lane_offset(second),
    )
    HALVES, PIXELS, CHANNELS = tile.halves, second.pixels, second.row_groups * ROW_GROUP
    SECOND_AT, TAIL_AT, TAIL = tile.second_at, tile.tail_at, tile.tail_bytes
    BEHIND = round_up(tile.channels, TABLE_CHANNELS) * BYTES_OF_CHANNEL * (2 if tile.shortcut else 1)

    @inline
    def run(base, table, tail_output, slot, pixel, group, warp, lane, thread):
        if HALVES:
            channel, ahead = 0, group * PIXELS
        else:
            channel, ahead = group * CHANNELS, 0
        constants = load_constants(table + uint64(BEHIND), channel, warp, lane)
        to = uint32(base + TAIL_AT + group * TAIL)
        values = multiply(uint32(base + SECOND_AT + channel * PANEL), uint32(slot + ahead * PANEL))
        epilogue(values, constants, 0.0, 0.0, 0.0, uint32(to + lane_offset(warp, lane, 0)))
        tma.fence_shared()
        sync.warpgroup_barrier(BARRIER_OF_GROUP + group)
        tma.store_2d_if_zero(to, tail_output, channel, pixel + ahead, thread)

    return run


def make_consumer(tile: ChainTile) -> Any:
    """consume(base, output, tail_output, table, multiplier, low, high, tiles, direction, block, blocks, ...)."""
    first, second = make_first(tile), make_second(tile)
    STAGES, STAGE, RING, PIXELS = tile.stages, tile.stage_bytes, tile.ring, tile.pixels
    SLOTS, SLOT, SLOTS_AT, PANEL_BYTES = tile.slots, tile.slot_bytes, tile.slots_at, tile.panel_bytes
    PASSES, TEAMS = tile.passes, tile.warpgroups

    @inline
    def consume(
        base, output, tail_output, table, multiplier, low, high, tiles, direction, block, blocks, warp, lane, thread
    ):
        group, warp_of_group = warp >> 2, warp & 3
        mbarrier.wait(base + WEIGHTS_BARRIER, 0)
        slot_empty, turn = uint32(0), 0
        t = block
        while t < tiles:
            stage, slot = urem(turn, STAGES), urem(turn, SLOTS)
            full, slot_full = uint32(base + stage * BARRIER_PAIR), uint32(base + SLOT_BARRIERS + slot * BARRIER_PAIR)
            to = uint32(base + SLOTS_AT + slot * SLOT)
            mbarrier.wait(full, udiv(turn, STAGES) & 1)
            first(
                base, table, multiplier, low, high, uint32(base + RING + stage * STAGE), to, full, slot_full,
                udiv(turn, SLOTS) & 1, slot_empty, group, warp_of_group, lane, thread,
            )  # fmt: skip
            slot_empty = uint32(slot_full + EMPTY)
            tma.fence_shared()
            if TEAMS == 1:
                sync.warpgroup_barrier(BARRIER_OF_GROUP + group)
            else:
                sync.turn_wait(BARRIER_OF_ALL)
            pixel = int32(directed(t, tiles, direction) * PIXELS)
            for i in range(PASSES):
                panel = int32(i * TEAMS) + group
                tma.store_2d_if_zero(uint32(to + panel * PANEL_BYTES), output, panel * PANEL, pixel, thread)
            second(base, table, tail_output, to, pixel, group, warp_of_group, lane, thread)
            turn, t = turn + 1, t + blocks
        tma.wait_stores()

    return consume
