"""The producer: one thread that keeps the ring of stages full through the tensor memory accelerator.

For every tile of its block it waits until a stage is empty, says how many bytes will come, and asks for pixels and (if
they do not stay) weights. Weights need not wait for the previous kernel, so the first ones are asked for before
`wait_for_predecessor`.
"""

from __future__ import annotations

from typing import Any

from numba import int32, uint32

from minitrt.kernels.hopper import mbarrier, sync, tma
from minitrt.kernels.hopper.block import make_advance
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, SLOT_BARRIERS, WEIGHTS, WEIGHTS_BARRIER
from minitrt.kernels.hopper_conv.loaders import make_loader
from minitrt.kernels.hopper_conv.order import make_order
from minitrt.kernels.hopper_conv.shortcut import make_shortcut_loader, make_shortcut_origin
from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import udiv


def make_weight_loaders(tile: ConvTile) -> tuple[Any, Any]:
    """(resident, streamed): all of a block's weights once; one stage's weights behind its pixels."""
    COUNT, K_ELEMENTS, BYTES, CHANNELS = tile.resident, tile.k_elements, tile.weight_bytes, tile.channels
    SUB_TILES, PIXELS = tile.sub_tiles, tile.sub_tiles * tile.pixel_room

    @inline
    def load_resident(base, weights, channel_tile):
        mbarrier.expect_bytes(base + WEIGHTS_BARRIER, COUNT * BYTES)
        for i in range(COUNT):
            tma.load_2d(
                base + WEIGHTS + i * BYTES, weights, i * K_ELEMENTS, channel_tile * CHANNELS, base + WEIGHTS_BARRIER
            )

    @inline
    def load_streamed(stage, weights, step, channel_tile, full):
        for i in range(SUB_TILES):
            to = stage + PIXELS + i * BYTES
            tma.load_2d(to, weights, (step * SUB_TILES + i) * K_ELEMENTS, channel_tile * CHANNELS, full)

    return load_resident, load_streamed


def make_first_weights(tile: ConvTile, load_resident: Any, load_streamed: Any) -> Any:
    """first_weights(...) -> stages whose weights are already under way."""
    RESIDENT, STAGES, STAGE, RING, TRAFFIC = tile.resident, tile.stages, tile.stage_bytes, tile.ring, tile.stage_traffic

    @inline
    def first_weights(base, weights, channel_tile, first_step, k_steps):
        ahead = 0
        if RESIDENT:
            load_resident(base, weights, channel_tile)
        else:
            while ahead < STAGES and ahead < k_steps:
                full = uint32(base + ahead * BARRIER_PAIR)
                mbarrier.expect_bytes(full, TRAFFIC)
                load_streamed(base + RING + ahead * STAGE, weights, first_step + ahead, channel_tile, full)
                ahead += 1
        return ahead

    return first_weights


def make_residual_loader(tile: ConvTile) -> Any:
    """load_residual(...): the residual's tile into the slot that the result will leave from."""
    TEAMS, TEAM_SLOT, SLOT, SLOTS = tile.teams, tile.team_slot, tile.slot_bytes, tile.slots_at
    PANELS, PANEL, PANEL_CHANNELS = tile.panels, tile.panel_bytes, tile.channels // tile.teams // tile.panels
    BYTES = tile.channels * tile.pixels * tile.element_bytes

    @inline
    def load_residual(base, residual, channel_tile, pixel, slot, phase):
        full = uint32(base + SLOT_BARRIERS + slot * BARRIER_PAIR)
        mbarrier.wait(full + EMPTY, phase)
        mbarrier.expect_bytes(full, BYTES)
        for team in range(TEAMS):
            to = base + SLOTS + slot * SLOT + team * TEAM_SLOT
            for panel in range(PANELS):
                channel = ((channel_tile * TEAMS + team) * PANELS + panel) * PANEL_CHANNELS
                tma.load_2d(to + panel * PANEL, residual, channel, pixel, full)

    return load_residual


def make_origin(tile: ConvTile) -> Any:
    """origin(...) -> image, row, column of the input where a tile of pixels begins; the last two for its first tap."""
    OWN_ROWS, ROWS = tile.own_rows, tile.rows

    @inline
    def origin(pixel_tile, pixel, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w):
        if OWN_ROWS:  # out_pixels: tiles an image
            image = int32(udiv(pixel_tile, out_pixels))
            return image, (pixel_tile - image * out_pixels) * ROWS, 0
        else:
            image = int32(udiv(pixel, out_pixels))
            row = int32(udiv(pixel - image * out_pixels, out_width))
            column = (pixel - image * out_pixels - row * out_width) * stride_w - pad_w
            return image, row * stride_h - pad_h, column

    return origin


def make_taps(tile: ConvTile) -> tuple[Any, Any]:
    """(first_tap, next_tap), both -> row, column and channel: where a block's share of K begins; the next sub-tile."""
    SPLIT, STEP, K_ELEMENTS = tile.split, tile.sub_tiles * tile.k_elements, tile.k_elements

    @inline
    def first_tap(first_step, channels, kernel_width):
        tap_row, tap_column, channel = 0, 0, 0
        if SPLIT > 1:
            tap = int32(udiv(first_step * STEP, channels))
            channel = int32(first_step * STEP - tap * channels)
            tap_row = int32(udiv(tap, kernel_width))
            tap_column = int32(tap - tap_row * kernel_width)
        return tap_row, tap_column, channel

    @inline
    def next_tap(tap_row, tap_column, channel, channels, kernel_width):
        channel += K_ELEMENTS
        if channel >= channels:
            channel, tap_column = 0, tap_column + 1
            if tap_column == kernel_width:
                tap_column, tap_row = 0, tap_row + 1
        return tap_row, tap_column, channel

    return first_tap, next_tap


def make_producer(tile: ConvTile) -> Any:
    """produce(base, x, w, residual, tiles, ..., block, blocks): for the one thread that loads."""
    load_pixels, load_residual = make_loader(tile), make_residual_loader(tile)
    load_resident, load_streamed = make_weight_loaders(tile)
    first_weights, place = make_first_weights(tile, load_resident, load_streamed), make_order(tile)
    STAGE, RING, TRAFFIC = tile.stage_bytes, tile.ring, tile.stage_traffic
    next_stage, next_slot = make_advance(tile.stages), make_advance(tile.slots)
    SUB_TILES, PIXEL_ROOM, PIXELS = tile.sub_tiles, tile.pixel_room, tile.pixels
    RESIDENT, RESIDUAL, origin, (first_tap, next_tap) = tile.resident, tile.residual, make_origin(tile), make_taps(tile)
    SHORTCUT, load_shortcut = tile.shortcut, make_shortcut_loader(tile, load_streamed)
    shortcut_origin = make_shortcut_origin(tile)

    @inline
    def produce(
        base, x, w, residual, tiles, channel_tiles, k_steps, first_step, block, blocks,
        channels, kernel_width, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
        image_bytes, row_bytes, direction,
    ):  # fmt: skip
        ahead = first_weights(base, w, place(block, tiles, channel_tiles, direction)[1], first_step, SHORTCUT + k_steps)
        stage, phase, slot, slot_phase = 0, 1, 0, 1
        t = block
        while t < tiles:
            pixel_tile, channel_tile = place(t, tiles, channel_tiles, direction)
            pixel = int32(pixel_tile * PIXELS)
            image, row, column = origin(pixel_tile, pixel, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w)
            tap_row, tap_column, channel = first_tap(first_step, channels, kernel_width)
            short = shortcut_origin(pixel, out_width, out_pixels)
            if t == block:
                sync.wait_for_predecessor()  # behind the divisions, which need nothing of its
            stage, phase, ahead = load_shortcut(base, residual, w, channel_tile, pixel, short, stage, phase, ahead)
            for k in range(k_steps):
                full, to = uint32(base + stage * BARRIER_PAIR), uint32(base + RING + stage * STAGE)
                if ahead > 0:
                    ahead -= 1
                else:
                    mbarrier.wait(full + EMPTY, phase)
                    mbarrier.expect_bytes(full, TRAFFIC)
                    if RESIDENT == 0:
                        load_streamed(to, w, first_step + SHORTCUT + k, channel_tile, full)
                for i in range(SUB_TILES):
                    load_pixels(
                        to + i * PIXEL_ROOM, x, channel, pixel, column, row, image,
                        tap_column * dilation_w, tap_row * dilation_h, image_bytes, row_bytes, full,
                    )  # fmt: skip
                    tap_row, tap_column, channel = next_tap(tap_row, tap_column, channel, channels, kernel_width)
                stage, phase = next_stage(stage, phase)
            if RESIDUAL:
                load_residual(base, residual, channel_tile, pixel, slot, slot_phase)
                slot, slot_phase = next_slot(slot, slot_phase)
            t += blocks

    return produce
