"""The warps that quantise for the first convolution: a row of 2x2 blocks after the other, into a ring in shared memory.

The copy engine brings each row as it came, two lines of every channel, into a ring of stages; thread 0 keeps those
under way. A row of blocks is handed to the consumers once all threads have written their part of it.
"""

from __future__ import annotations

from typing import Any

from numba import int32, uint32, uint64

from minitrt.kernels.blocks import BEFORE, PIXEL_BYTES
from minitrt.kernels.hopper import mbarrier, sync, tma
from minitrt.kernels.hopper.block import make_advance
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, SLOT_BARRIERS, WEIGHTS, WEIGHTS_BARRIER
from minitrt.kernels.hopper_conv.order import directed
from minitrt.kernels.hopper_conv.tile import STEM_TAPS
from minitrt.kernels.hopper_stem.kernel import K_ELEMENTS
from minitrt.kernels.hopper_stem.quantise import make_block
from minitrt.kernels.hopper_stem.tile import RawStemTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import ptx, u32, udiv

BARRIER_OF_QUANTISERS = 2  # a named one; the consumers have 1
PADDED = BEFORE * PIXEL_BYTES  # of a row of blocks, before its first
store = ptx("st.shared.v4.b32 [$0], {$1, $2, $3, $4};", None, u32, u32, u32, u32, u32)


def make_loader(tile: RawStemTile) -> Any:
    """load(base, at, plane_bytes, stage): one row of blocks, unquantised: two rows of every channel."""
    CHANNELS, TRAFFIC, STAGE, RING = tile.channels, tile.stage_traffic, tile.stage_bytes, tile.ring
    TWO_LINES = 2 * tile.line_bytes

    @inline
    def load(base, at, plane_bytes, stage):
        full = uint32(base + SLOT_BARRIERS + stage * BARRIER_PAIR)
        mbarrier.expect_bytes(full, TRAFFIC)
        for c in range(CHANNELS):
            to = uint32(base + RING + stage * STAGE + c * TWO_LINES)
            tma.load_bytes(to, at + uint64(c) * uint64(uint32(plane_bytes)), TWO_LINES, full)

    return load


def make_band(tile: RawStemTile) -> Any:
    """band(unit, units, bands, direction, height) -> (image, first row of blocks, rows of them, first and last + 1 of
    those in the image). Rows are counted from the first one of the padding."""
    ROWS = tile.pooled_rows

    @inline
    def band(unit, units, bands, direction, height):
        one = directed(unit, units, direction)
        image = int32(udiv(one, bands))
        above = int32((one - image * bands) * (2 * ROWS) - 1)
        first, end = max(above, int32(0)), int32(above + 2 * ROWS + STEM_TAPS)
        return image, first, end, max(first, int32(BEFORE)), min(end, int32(height + BEFORE))

    return band


def make_prologue(tile: RawStemTile) -> Any:
    """begin(base, w, thread): the weights are under way, and the padding of every row of blocks is 0, and stays so."""
    WEIGHT_BYTES, COUNT, THREADS = tile.row.weight_bytes, tile.row.resident, tile.threads - 128
    BLOCKS_AT, BLOCKS = tile.blocks_at, tile.block_rows * tile.pitch

    @inline
    def begin(base, w, thread):
        if thread == 0:
            mbarrier.expect_bytes(base + WEIGHTS_BARRIER, COUNT * WEIGHT_BYTES)
            for i in range(COUNT):
                tma.load_2d(base + WEIGHTS + i * WEIGHT_BYTES, w, i * K_ELEMENTS, 0, base + WEIGHTS_BARRIER)
        zero = uint32(0)
        for i in range(thread, BLOCKS, THREADS):
            store(uint32(base + BLOCKS_AT + i * PIXEL_BYTES), zero, zero, zero, zero)

    return begin


def make_row_of_blocks(tile: RawStemTile) -> Any:
    """fill(to, at, thread, high, low, limit): a row of blocks from a stage; zeros where there is none (0)."""
    block_of, THREADS, WIDTH = make_block(tile), tile.threads - 128, tile.width

    @inline
    def fill(to, at, thread, high, low, limit):
        zero = uint32(0)
        if at != zero:
            for i in range(thread, WIDTH, THREADS):
                words = block_of(at, i, high, low, limit)
                store(uint32(to + i * PIXEL_BYTES), words[0], words[1], words[2], words[3])
        else:
            for i in range(thread, WIDTH, THREADS):
                store(uint32(to + i * PIXEL_BYTES), zero, zero, zero, zero)

    return fill


def make_lookahead(tile: RawStemTile) -> Any:
    """fetch(base, images, ahead, into, next) -> the last three: every free stage is being loaded.

    images: x, units, bands, plane_bytes, height, direction, blocks; ahead: stages that were asked for and not read yet;
    into: the next one; next: the band, the row of blocks, the band's last row and the address that come next.
    """
    load, band, STAGES, CHANNELS = make_loader(tile), make_band(tile), tile.stages, tile.channels
    TWO_LINES = 2 * tile.line_bytes

    @inline
    def fetch(base, images, ahead, into, next):
        x, units, bands, plane_bytes, height, direction, blocks = images
        unit, row, last, at = next
        while ahead < STAGES and unit < units:
            if row == last:
                image, _, _, row, last = band(unit, units, bands, direction, height)
                at = x + uint64(image) * (uint64(uint32(plane_bytes)) * uint64(CHANNELS))
                at += uint64(uint32(row - BEFORE)) * uint64(TWO_LINES)
            load(base, at, plane_bytes, into)
            into = int32(into + 1) if into + 1 < STAGES else int32(0)
            ahead, row, at = int32(ahead + 1), int32(row + 1), at + uint64(TWO_LINES)
            if row == last:
                unit = int32(unit + blocks)
        return ahead, into, (unit, row, last, at)

    return fetch


def make_quantisers(tile: RawStemTile) -> Any:
    """quantise(base, images, w, reciprocal, block, thread): for some warps, of which thread 0 also asks the copy
    engine for what comes next. images: as for `make_lookahead`; reciprocal: high, low, limit as for `make_block`."""
    begin, fetch, band, fill = make_prologue(tile), make_lookahead(tile), make_band(tile), make_row_of_blocks(tile)
    next_stage, next_row = make_advance(tile.stages), make_advance(tile.block_rows)
    STAGE, RING, BLOCKS, ROW_BYTES = tile.stage_bytes, tile.ring, tile.blocks_at + PADDED, tile.block_row_bytes
    together = ptx(f"bar.sync {BARRIER_OF_QUANTISERS}, {tile.threads - 128};", None)

    @inline
    def quantise(base, images, w, reciprocal, block, thread):
        begin(base, w, thread)
        together()
        sync.wait_for_predecessor()
        x, units, bands, _, height, direction, blocks = images
        ahead, into, next = int32(0), int32(0), (int32(block), int32(0), int32(0), x)
        stage, phase, slot, free = int32(0), uint32(0), int32(0), uint32(1)
        unit = int32(block)
        while unit < units:
            _, first, end, inside, outside = band(unit, units, bands, direction, height)
            for b in range(first, end):
                if thread == 0:
                    ahead, into, next = fetch(base, images, ahead, into, next)
                barrier, source = uint32(base + slot * BARRIER_PAIR), uint32(0)
                mbarrier.wait(barrier + EMPTY, free)
                if b >= inside and b < outside:
                    mbarrier.wait(uint32(base + SLOT_BARRIERS + stage * BARRIER_PAIR), phase)
                    source = uint32(base + RING + stage * STAGE)
                    stage, phase = next_stage(stage, phase)
                    ahead = int32(ahead - 1)
                fill(uint32(base + BLOCKS + slot * ROW_BYTES), source, thread, *reciprocal)
                tma.fence_shared()
                together()
                mbarrier.arrive_if_zero(barrier, uint32(thread))
                slot, free = next_row(slot, free)
            unit = int32(unit + blocks)

    return quantise
