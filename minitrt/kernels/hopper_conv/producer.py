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
    """(resident, streamed): all of a block's weights once; one stage's behind its pixels, where none stay."""
    COUNT, K_ELEMENTS, BYTES, CHANNELS = tile.resident, tile.k_elements, tile.weight_bytes, tile.channels
    STREAMED, PIXELS = 0 if tile.resident else tile.sub_tiles, tile.sub_tiles * tile.pixel_room
    SUB_TILES = tile.sub_tiles

    @inline
    def load_resident(base, weights, channel_tile):
        mbarrier.expect_bytes(base + WEIGHTS_BARRIER, COUNT * BYTES)
        for i in range(COUNT):
            tma.load_2d(
                base + WEIGHTS + i * BYTES, weights, i * K_ELEMENTS, channel_tile * CHANNELS, base + WEIGHTS_BARRIER
            )

    @inline
    def load_streamed(stage, weights, step, channel_tile, full):
        for i in range(STREAMED):
            to = stage + PIXELS + i * BYTES
            tma.load_2d(to, weights, (step * SUB_TILES + i) * K_ELEMENTS, channel_tile * CHANNELS, full)

    return load_resident, load_streamed


def make_first_weights(tile: ConvTile, load_resident: Any, load_streamed: Any) -> Any:
    """first_weights(...) -> stages whose weights are already under way."""
    RESIDENT, STAGES, STAGE, RING, TRAFFIC = tile.resident, tile.stages, tile.stage_bytes, tile.ring, tile.stage_traffic

    @inline
    def first_weights(base, weights, channel_tile, first_step, k_steps):
        ahead = int32(0)
        if RESIDENT:
            load_resident(base, weights, channel_tile)
        else:
            while ahead < STAGES and ahead < k_steps:
                full = uint32(base + ahead * BARRIER_PAIR)
                mbarrier.expect_bytes(full, TRAFFIC)
                load_streamed(base + RING + ahead * STAGE, weights, first_step + ahead, channel_tile, full)
                ahead = int32(ahead + 1)
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
            return image, int32((pixel_tile - image * out_pixels) * ROWS), int32(0)
        else:
            image = int32(udiv(pixel, out_pixels))
            row = int32(udiv(pixel - image * out_pixels, out_width))
            column = int32((pixel - image * out_pixels - row * out_width) * stride_w - pad_w)
            return image, int32(row * stride_h - pad_h), column

    return origin


def make_taps(tile: ConvTile) -> tuple[Any, Any]:
    """(first_tap, next_tap), both -> row, column and channel: where a block's share of K begins; the next sub-tile."""
    SPLIT, STEP, K_ELEMENTS = tile.split, tile.sub_tiles * tile.k_elements, tile.k_elements

    @inline
    def first_tap(first_step, channels, kernel_width):
        tap_row, tap_column, channel = int32(0), int32(0), int32(0)
        if SPLIT > 1:
            tap = int32(udiv(first_step * STEP, channels))
            channel = int32(first_step * STEP - tap * channels)
            tap_row = int32(udiv(tap, kernel_width))
            tap_column = int32(tap - tap_row * kernel_width)
        return tap_row, tap_column, channel

    @inline
    def next_tap(tap_row, tap_column, channel, channels, kernel_width):
        channel = int32(channel + K_ELEMENTS)
        if channel >= channels:
            channel, tap_column = int32(0), int32(tap_column + 1)
            if tap_column == kernel_width:
                tap_column, tap_row = int32(0), int32(tap_row + 1)
        return tap_row, tap_column, channel

    return first_tap, next_tap


def make_stage_loader(tile: ConvTile, next_tap: Any) -> Any:
    """load(to, x, pixel, corner, tap, window, full) -> the next tap: the pixels of one stage.

    corner: as `origin` returns it; tap: row, column, channel; window: channels, the kernel's width, dilations, and the
    bytes of an image and of a row.
    """
    load_pixels, SUB_TILES, PIXEL_ROOM = make_loader(tile), tile.sub_tiles, tile.pixel_room

    @inline
    def load(to, x, pixel, corner, tap, window, full):
        image, row, column = corner
        tap_row, tap_column, channel = tap
        channels, kernel_width, dilation_h, dilation_w, image_bytes, row_bytes = window
        for i in range(SUB_TILES):
            load_pixels(
                to + i * PIXEL_ROOM, x, channel, pixel, column, row, image,
                int32(tap_column * dilation_w), int32(tap_row * dilation_h), image_bytes, row_bytes, full,
            )  # fmt: skip
            tap_row, tap_column, channel = next_tap(tap_row, tap_column, channel, channels, kernel_width)
        return tap_row, tap_column, channel

    return load


def make_early_pixels(tile: ConvTile, load_stage: Any) -> Any:
    """early(base, x, pixel, corner, tap, window, stage, phase, count) -> tap, stage, phase.

    Pixels of `count` stages whose weights are under way: a short loop, since the first products wait for them. Those
    stages are the ring's next ones up to its end at most.
    """
    STAGES, STAGE, RING = tile.stages, tile.stage_bytes, tile.ring

    @inline
    def early(base, x, pixel, corner, tap, window, stage, phase, count):
        full, to = uint32(base + stage * BARRIER_PAIR), uint32(base + RING + stage * STAGE)
        for _ in range(count):
            tap = load_stage(to, x, pixel, corner, tap, window, full)
            full, to = uint32(full + BARRIER_PAIR), uint32(to + STAGE)
        stage = int32(stage + count)
        if stage == STAGES:
            stage, phase = int32(0), uint32(phase ^ uint32(1))
        return tap, stage, phase

    return early


def make_producer(tile: ConvTile) -> Any:
    """produce(base, x, w, residual, tiles, ..., block, blocks): for the one thread that loads."""
    origin, (first_tap, next_tap), load_residual = make_origin(tile), make_taps(tile), make_residual_loader(tile)
    load_stage, (load_resident, load_streamed) = make_stage_loader(tile, next_tap), make_weight_loaders(tile)
    first_weights, place = make_first_weights(tile, load_resident, load_streamed), make_order(tile)
    STAGE, RING, TRAFFIC, PIXELS = tile.stage_bytes, tile.ring, tile.stage_traffic, tile.pixels
    next_stage, next_slot, load_early = (
        make_advance(tile.stages), make_advance(tile.slots), make_early_pixels(tile, load_stage),
    )  # fmt: skip
    RESIDENT, RESIDUAL, SHORTCUT = tile.resident, tile.residual, tile.shortcut
    load_shortcut, shortcut_origin = make_shortcut_loader(tile, load_streamed), make_shortcut_origin(tile)

    @inline
    def produce(
        base, x, w, residual, tiles, channel_tiles, k_steps, first_step, block, blocks,
        channels, kernel_width, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
        image_bytes, row_bytes, direction,
    ):  # fmt: skip
        ahead = first_weights(base, w, place(block, tiles, channel_tiles, direction)[1], first_step, SHORTCUT + k_steps)
        stage, phase, slot, slot_phase, t = int32(0), uint32(1), int32(0), uint32(1), int32(block)
        window = channels, kernel_width, dilation_h, dilation_w, image_bytes, row_bytes
        while t < tiles:
            pixel_tile, channel_tile = place(t, tiles, channel_tiles, direction)
            pixel = int32(pixel_tile * PIXELS)
            corner = origin(pixel_tile, pixel, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w)
            tap = first_tap(first_step, channels, kernel_width)
            short = shortcut_origin(pixel, out_width, out_pixels)
            if t == block:
                sync.wait_for_predecessor()  # behind the divisions, which need nothing of its
            stage, phase, ahead = load_shortcut(base, residual, w, channel_tile, pixel, short, stage, phase, ahead)
            early = int32(0) if RESIDENT else min(ahead, k_steps)
            ahead = int32(ahead - early)
            tap, stage, phase = load_early(base, x, pixel, corner, tap, window, stage, phase, early)
            for k in range(early, k_steps):
                full, to = uint32(base + stage * BARRIER_PAIR), uint32(base + RING + stage * STAGE)
                mbarrier.wait(full + EMPTY, phase)
                mbarrier.expect_bytes(full, TRAFFIC)
                load_streamed(to, w, first_step + SHORTCUT + k, channel_tile, full)
                tap = load_stage(to, x, pixel, corner, tap, window, full)
                stage, phase = next_stage(stage, phase)
            if RESIDUAL:
                load_residual(base, residual, channel_tile, pixel, slot, slot_phase)
                slot, slot_phase = next_slot(slot, slot_phase)
            t = int32(t + blocks)

    return produce
