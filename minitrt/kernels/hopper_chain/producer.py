"""The loading warp of the chain: weights once, then pixels of both inputs and the residual, tile by tile."""

from __future__ import annotations

from typing import Any

from numba import int32, uint32

from minitrt.kernels.hopper import mbarrier, sync, tma
from minitrt.kernels.hopper.block import make_advance
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, SLOT_BARRIERS, WEIGHTS, WEIGHTS_BARRIER
from minitrt.kernels.hopper_chain.tile import ChainTile
from minitrt.kernels.hopper_conv.loaders import make_loader
from minitrt.kernels.hopper_conv.order import directed
from minitrt.kernels.hopper_conv.shortcut import make_shortcut_origin
from minitrt.kernels.inline import inline

PANEL = 128  # channels


def make_weights_loader(tile: ChainTile) -> Any:
    """load(base, w, tail_w): all weights of both convolutions, which one barrier counts."""
    PANELS, SUB_TILES, SUB_TILE, K = tile.panels, tile.k_sub_tiles, PANEL * tile.k_bytes, tile.k_bytes
    TRAFFIC, SECOND_AT, SECOND = tile.weight_traffic, tile.second_at, tile.second_weights

    @inline
    def load(base, w, tail_w):
        full = base + WEIGHTS_BARRIER
        mbarrier.expect_bytes(full, TRAFFIC)
        for panel in range(PANELS):
            for i in range(SUB_TILES):
                to = base + WEIGHTS + (panel * SUB_TILES + i) * SUB_TILE
                tma.load_2d(to, w, i * K, panel * PANEL, full)
            tma.load_2d(base + SECOND_AT + panel * SECOND, tail_w, panel * PANEL, 0, full)

    return load


def make_pixels_loader(tile: ChainTile) -> Any:
    """load(x, other, pixel, origin, to, full): one stage, the shortcut's pixels first."""
    SHORTCUT, SUB_TILES, SUB_TILE = tile.shortcut, tile.sub_tiles, tile.sub_tile_bytes
    K, TRAFFIC = tile.k_bytes, tile.stage_bytes
    load_shortcut = make_loader(tile.of_shortcut)

    @inline
    def load(x, other, pixel, origin, to, full):
        mbarrier.expect_bytes(full, TRAFFIC)
        if SHORTCUT:
            image, row, column = origin
            for i in range(SHORTCUT):
                load_shortcut(to + i * SUB_TILE, other, i * K, pixel, column, row, image, 0, 0, 0, 0, full)
        for i in range(SUB_TILES):
            tma.load_2d(to + (SHORTCUT + i) * SUB_TILE, x, i * K, pixel, full)

    return load


def make_residual_loader(tile: ChainTile) -> Any:
    """load(base, residual, pixel, slot, phase): the residual's panels into the slot that the first result leaves."""
    SLOT, SLOTS_AT, PANELS, PANEL_BYTES = tile.slot_bytes, tile.slots_at, tile.panels, tile.panel_bytes

    @inline
    def load(base, residual, pixel, slot, phase):
        full = uint32(base + SLOT_BARRIERS + slot * BARRIER_PAIR)
        mbarrier.wait(full + EMPTY, phase)
        mbarrier.expect_bytes(full, SLOT)
        for panel in range(PANELS):
            tma.load_2d(base + SLOTS_AT + slot * SLOT + panel * PANEL_BYTES, residual, panel * PANEL, pixel, full)

    return load


def make_producer(tile: ChainTile) -> Any:
    """produce(base, x, w, tail_w, other, tiles, out_width, out_pixels, direction, block, blocks): for one thread.

    other: the map of the residual, or of the shortcut's pixels.
    """
    load_weights, load_pixels = make_weights_loader(tile), make_pixels_loader(tile)
    STAGE, RING, PIXELS = tile.stage_bytes, tile.ring, tile.pixels
    RESIDUAL, load_residual = tile.residual, make_residual_loader(tile)
    next_stage, next_slot = make_advance(tile.stages), make_advance(tile.slots)
    shortcut_origin = make_shortcut_origin(tile)

    @inline
    def produce(base, x, w, tail_w, other, tiles, out_width, out_pixels, direction, block, blocks):
        load_weights(base, w, tail_w)
        stage, phase, slot, slot_phase = int32(0), uint32(1), int32(0), uint32(1)
        t = int32(block)
        while t < tiles:
            pixel = int32(directed(t, tiles, direction) * PIXELS)
            origin = shortcut_origin(pixel, out_width, out_pixels)
            if t == block:
                sync.wait_for_predecessor()  # behind the divisions, which need nothing of its
            full = uint32(base + stage * BARRIER_PAIR)
            mbarrier.wait(full + EMPTY, phase)
            load_pixels(x, other, pixel, origin, uint32(base + RING + stage * STAGE), full)
            stage, phase = next_stage(stage, phase)
            if RESIDUAL:
                load_residual(base, other, pixel, slot, slot_phase)
                slot, slot_phase = next_slot(slot, slot_phase)
            t = int32(t + blocks)

    return produce
