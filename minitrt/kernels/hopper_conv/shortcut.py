"""A residual that is a 1x1 convolution of another tensor, computed in the tile that it will be added to.

Before a tile's own products a block multiplies the shortcut's pixels and weights, requantises the sums and leaves them
in the output slot, where the epilogue then finds its residual. So the shortcut's result never goes through memory, and
its numbers are those of two kernels.

The weights of both lie behind each other along K, the shortcut's first; so do the constants of the table, the
shortcut's last. A thread reads from the slot what it wrote itself with its warp: no barrier of more threads is needed.
"""

from __future__ import annotations

from typing import Any

from numba import int32, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import mbarrier, sync, tma, wgmma
from minitrt.kernels.hopper.block import make_advance
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY
from minitrt.kernels.hopper_conv.epilogue import make_epilogue
from minitrt.kernels.hopper_conv.loaders import make_loader
from minitrt.kernels.hopper_conv.products import make_main_loop
from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import udiv

BARRIER_OF_GROUP = 1  # number of the first warpgroup's barrier
TABLE_CHANNELS, BYTES_OF_CHANNEL = 256, 8  # the table of one convolution is padded to so many channels


def make_shortcut(tile: ConvTile, sums: wgmma.Accumulators, load_constants: Any) -> Any:
    """shortcut(base, table, channel, ..., address) -> (stage, phase): the shortcut's tile, in the slot at `address`.

    Nothing where the tile has none.
    """
    if not tile.shortcut:
        return inline(lambda base, table, channel, out_channels, stage, phase, warp, lane, address: (stage, phase))
    main_loop, epilogue = make_main_loop(tile.of_shortcut), make_epilogue(tile.of_shortcut)
    zero, wait_for_products, STEPS, PING_PONG = sums.zero, sums.wait, tile.shortcut, tile.ping_pong

    @inline
    def shortcut(base, table, channel, out_channels, stage, phase, warp, lane, address):
        group = warp >> 2
        behind = uint32(out_channels + (TABLE_CHANNELS - 1)) & uint32(0x100000000 - TABLE_CHANNELS)
        constants = load_constants(table + uint64(behind * uint32(BYTES_OF_CHANNEL)), channel, warp & 3, lane)
        team = 0 if PING_PONG else group
        values, stage, phase, used = main_loop(base, zero(), STEPS, stage, phase, team, lane)
        values = wait_for_products(values)
        mbarrier.arrive_if_zero(used, uint32(lane))
        tma.wait_stores_read()  # this thread's earlier stores have left the slot
        sync.warpgroup_barrier(BARRIER_OF_GROUP + group)
        epilogue(values, constants, 0.0, 0.0, 0.0, address)
        cuda.syncwarp()
        return stage, phase

    return shortcut


def make_shortcut_origin(tile: Any) -> Any:
    """origin(pixel, out_width, out_pixels) -> image, row, column of the shortcut's input where a tile begins.

    tile: of a convolution, or of a chain.
    """
    SHORTCUT, STRIDE = tile.shortcut, tile.shortcut_stride

    @inline
    def origin(pixel, out_width, out_pixels):
        if SHORTCUT:
            image = int32(udiv(pixel, out_pixels))
            row = int32(udiv(pixel - image * out_pixels, out_width))
            column = int32(pixel - image * out_pixels - row * out_width)
            return image, int32(row * STRIDE), int32(column * STRIDE)
        else:
            return int32(0), int32(0), int32(0)

    return origin


def make_shortcut_loader(tile: ConvTile, load_streamed: Any) -> Any:
    """load(base, x, w, ..., stage, phase, ahead) -> (stage, phase, ahead): the shortcut's stages of one tile."""
    if not tile.shortcut:
        return inline(lambda base, x, w, channel_tile, pixel, origin, stage, phase, ahead: (stage, phase, ahead))
    load_pixels, STEPS = make_loader(tile.of_shortcut), tile.shortcut
    STAGE, RING, TRAFFIC, next_stage = tile.stage_bytes, tile.ring, tile.stage_traffic, make_advance(tile.stages)
    RESIDENT, K_ELEMENTS = tile.resident, tile.k_elements

    @inline
    def load(base, x, w, channel_tile, pixel, origin, stage, phase, ahead):
        image, row, column = origin
        for k in range(STEPS):
            full, to = uint32(base + stage * BARRIER_PAIR), uint32(base + RING + stage * STAGE)
            if ahead > 0:
                ahead = int32(ahead - 1)
            else:
                mbarrier.wait(full + EMPTY, phase)
                mbarrier.expect_bytes(full, TRAFFIC)
                if RESIDENT == 0:
                    load_streamed(to, w, k, channel_tile, full)
            load_pixels(to, x, k * K_ELEMENTS, pixel, column, row, image, 0, 0, 0, 0, full)
            stage, phase = next_stage(stage, phase)
        return stage, phase, ahead

    return load
