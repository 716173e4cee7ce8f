"""The consumers: warpgroups that multiply what the producer brings, requantise the sums and store them.

Ping-pong: two warpgroups with a tile each share the ring. One multiplies while the other is in its epilogue. A turn is
passed only after every stage of the tile was seen full: a wait by parity must never run two phases ahead.
"""

from __future__ import annotations

from typing import Any

from numba import int32, uint32, uint64

from minitrt.kernels.hopper import mbarrier, sync, tma, wgmma
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, SLOT_BARRIERS, SUMS_BARRIER, WEIGHTS_BARRIER
from minitrt.kernels.hopper_conv.epilogue import make_epilogue
from minitrt.kernels.hopper_conv.float_epilogue import make_float_epilogue
from minitrt.kernels.hopper_conv.order import make_order
from minitrt.kernels.hopper_conv.products import make_main_loop
from minitrt.kernels.hopper_conv.shortcut import make_shortcut
from minitrt.kernels.hopper_conv.tile import ROW_GROUP, ConvTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import load_v4_f32, udiv, urem

CONSTANT_BYTES = 16  # scale and bias of two channels
BARRIER_OF_GROUP, BARRIER_OF_TURN = 1, 8  # numbers of named barriers; 0 is syncthreads


def make_constants_loader(tile: ConvTile) -> Any:
    """load(table, channel, warp, lane) -> scale, scale, bias, bias of the lane's two channels, for each row group."""
    TWO = tile.row_groups == 2

    @inline
    def load(table, channel, warp, lane):
        at = table + uint64(((channel >> 1) + warp * 8 + (lane >> 2)) * CONSTANT_BYTES)
        constants = load_v4_f32(at)
        if TWO:
            return constants + load_v4_f32(at + uint64(ROW_GROUP // 2 * CONSTANT_BYTES))
        else:
            return constants

    return load


def make_lane_offset(tile: ConvTile) -> Any:
    """offset(warp, lane, team): the lane's row and 16-byte chunk of the output tile, under the tile's swizzle.

    int8: 32 lanes, 32 pixels, one chunk of 16 channels. float16: 16 pixels and the two chunks of 16 channels.
    """
    TEAM_SLOT, WIDE, HALF = tile.team_slot, tile.output_row == 128, tile.element == "float16"

    @inline
    def offset(warp, lane, team):
        if HALF:
            pixel, chunk = (lane >> 4) * 8 + (lane & 7), warp * 2 + ((lane >> 3) & 1)
            return uint32(team * TEAM_SLOT + pixel * 128 + ((chunk ^ (lane & 7)) << 4))
        elif WIDE:
            return uint32(team * TEAM_SLOT + lane * 128 + ((warp ^ (lane & 7)) << 4))
        else:
            return uint32(team * TEAM_SLOT + lane * 64 + ((warp ^ ((lane >> 1) & 3)) << 4))

    return offset


def make_cluster_sum(tile: ConvTile, sums: wgmma.Accumulators) -> Any:
    """add(base, values, rank, thread) -> the leader's sum over the blocks of its cluster, through shared memory.

    The others send theirs and are done; a barrier of the leader counts the bytes, so nobody waits for anybody else.
    The leader adds in the order of ranks: a result is the same in every run, and for integers the same as unsplit.
    """
    SPLIT, SUMS_AT, SUM_BYTES = tile.split, tile.sums_at, tile.sum_bytes
    send, add_sent = sums.send, sums.add

    @inline
    def add(base, values, rank, thread):
        mine = uint32(base + SUMS_AT + thread * 16)
        if rank != 0:
            to = uint32(mine + (rank - uint32(1)) * uint32(SUM_BYTES))
            send(values, sync.cluster_address(to, 0), sync.cluster_address(uint32(base + SUMS_BARRIER), 0))
        else:
            mbarrier.wait_for_cluster(base + SUMS_BARRIER, 0)
            for other in range(SPLIT - 1):
                values = add_sent(values, uint32(mine + other * SUM_BYTES))
        return values

    return add


def make_store(tile: ConvTile) -> Any:
    """store(...): one thread of the warpgroup sends its tile of the slot; what lies outside the output is clipped."""
    OWN_ROWS, ROWS, PIXELS, PANELS, PANEL = tile.own_rows, tile.rows, tile.pixels, tile.panels, tile.panel_bytes

    @inline
    def store(source, output, channel, pixel_tile, image_tiles, thread):
        for panel in range(PANELS):
            at, first = uint32(source + panel * PANEL), channel + panel * ROW_GROUP
            if OWN_ROWS:
                image = int32(udiv(pixel_tile, image_tiles))
                row = (pixel_tile - image * image_tiles) * ROWS
                tma.store_4d_if_zero(at, output, first, 0, row, image, thread)
            else:
                tma.store_2d_if_zero(at, output, first, pixel_tile * PIXELS, thread)

    return store


def make_float_store(tile: ConvTile) -> Any:
    """store(values, constants, low, high, output, ...): a thread's sums as floats, straight to global memory."""
    PIXELS, epilogue, NEIGHBOURS = tile.pixels, make_float_epilogue(tile), 1 if tile.element == "float16" else 2

    @inline
    def store(values, constants, low, high, output, channel, pixel_tile, out_channels, total_pixels, warp, lane):
        first = int32(channel + warp * 16 + (lane >> 2) * NEIGHBOURS)
        pixel = int32(pixel_tile * PIXELS + (lane & 3) * 2)
        at = output + (uint64(pixel) * uint64(out_channels) + uint64(first)) * uint64(4)
        epilogue(values, constants, low, high, at, out_channels * 4, pixel, total_pixels, first, out_channels)

    return store


def make_position(tile: ConvTile) -> Any:
    """position(turn, k_steps) -> (stage, phase) of the ring where a tile of this block begins."""
    STAGES, SHORTCUT = tile.stages, tile.shortcut

    @inline
    def position(turn, k_steps):
        done = turn * (SHORTCUT + k_steps)
        return int32(urem(done, STAGES)), uint32(udiv(done, STAGES) & uint32(1))

    return position


def make_consumer(tile: ConvTile) -> Any:
    """consume(base, output, table, residual_multiplier, low, high, tiles, ..., warp, lane, thread)."""
    sums = wgmma.accumulators(tile.element, tile.pixels // 2 * tile.row_groups)
    zero, wait_for_products = sums.zero, sums.wait
    main_loop, epilogue, store, float_store = (
        make_main_loop(tile, tile.shortcut),
        make_epilogue(tile.of_both),
        make_store(tile),
        make_float_store(tile),
    )
    load_constants, lane_offset, cluster_sum = (
        make_constants_loader(tile),
        make_lane_offset(tile),
        make_cluster_sum(tile, sums),
    )
    place, position = make_order(tile), make_position(tile)
    PING_PONG, RESIDENT, RESIDUAL, SPLIT, FLOAT = (
        tile.ping_pong,
        tile.resident,
        tile.residual,
        tile.split,
        tile.float_output,
    )
    SLOTS, SLOT, TEAM_SLOT, SLOTS_AT = tile.slots, tile.slot_bytes, tile.team_slot, tile.slots_at
    GROUPS, ROW_GROUPS, STRIDE = tile.channel_groups, tile.row_groups, 2 if tile.ping_pong else 1
    SHORTCUT, shortcut = tile.shortcut, make_shortcut(tile, sums, load_constants)

    @inline
    def consume(
        base, output, table, residual_multiplier, low, high, tiles, channel_tiles, k_steps, image_tiles, out_channels,
        total_pixels, direction, block, blocks, rank, warp, lane, thread,
    ):  # fmt: skip
        group, warp_of_group = warp >> 2, warp & 3
        team = 0 if PING_PONG else group
        mine = lane_offset(warp_of_group, lane, team)
        if RESIDENT:
            mbarrier.wait(base + WEIGHTS_BARRIER, 0)
        stage, phase, slot_barrier = int32(0), uint32(0), uint32(0)
        turn = group if PING_PONG else 0  # counts tiles of this block
        t = block + turn * blocks
        while t < tiles:
            pixel_tile, channel_tile = place(t, tiles, channel_tiles, direction)
            channel = (channel_tile * GROUPS + team * ROW_GROUPS) * ROW_GROUP
            constants = load_constants(table, channel, warp_of_group, lane)
            if PING_PONG:
                stage, phase = position(turn, k_steps)
                if turn > 0:
                    sync.turn_wait(BARRIER_OF_TURN + group)
            slot = urem(turn, SLOTS)
            to = uint32(base + SLOTS_AT + slot * SLOT)
            stage, phase = shortcut(base, table, channel, out_channels, stage, phase, warp, lane, uint32(to + mine))
            values, stage, phase, used = main_loop(base, zero(), k_steps, stage, phase, team, lane)
            if PING_PONG:
                sync.turn_pass(BARRIER_OF_TURN + 1 - group)  # its products may still run
            values = wait_for_products(values)
            mbarrier.arrive_if_zero(used, uint32(lane))
            if SPLIT > 1:
                values = cluster_sum(base, values, rank, thread)
                if rank != 0:
                    return
            if FLOAT:
                float_store(values, constants, low, high, output, channel, pixel_tile, out_channels, total_pixels,
                            warp_of_group, lane)  # fmt: skip
                turn, t = turn + STRIDE, t + STRIDE * blocks
                continue
            tma.wait_stores_read()  # this thread's earlier stores have left shared memory
            if RESIDUAL:
                mbarrier.arrive_if_zero(slot_barrier, thread | uint32(slot_barrier == 0))
                slot_barrier = uint32(base + SLOT_BARRIERS + EMPTY + slot * BARRIER_PAIR)
                mbarrier.wait(uint32(slot_barrier - EMPTY), udiv(turn, SLOTS) & 1)
            elif SHORTCUT == 0:
                sync.warpgroup_barrier(BARRIER_OF_GROUP + group)
            epilogue(values, constants, residual_multiplier, low, high, uint32(to + mine))
            tma.fence_shared()
            sync.warpgroup_barrier(BARRIER_OF_GROUP + group)
            store(to + team * TEAM_SLOT, output, channel, pixel_tile, image_tiles, thread)
            turn, t = turn + STRIDE, t + STRIDE * blocks
        tma.wait_stores()

    return consume
