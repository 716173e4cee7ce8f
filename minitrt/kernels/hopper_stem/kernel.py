"""The first convolution of an image network with the max pool behind it.

    y = maximum over 3x3 windows at stride 2 of saturate(rint(max(fma(float(sum), scale[k], bias[k]), 0)))

A block walks down a band of pooled rows. Each needs two new rows of the convolution and the one above them, whose sums
stay in registers: the convolution's result never leaves the multiprocessor.
"""

from __future__ import annotations

from typing import Any

from numba import int32, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import mbarrier, sync, tma, wgmma
from minitrt.kernels.hopper.block import aligned_base, make_advance, make_start
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, WEIGHTS, WEIGHTS_BARRIER
from minitrt.kernels.hopper_conv.consumer import BARRIER_OF_GROUP, make_constants_loader
from minitrt.kernels.hopper_conv.order import directed
from minitrt.kernels.hopper_conv.products import steps_of
from minitrt.kernels.hopper_stem.pooling import make_larger, make_pooled_epilogue, pixel_of
from minitrt.kernels.hopper_stem.tile import StemTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import i32, u64, udiv, urem

# Arguments in order: (name, numba type). x: the address of the blocks; w, output: of tensor maps; units: bands of all
# images; bands: of one.
ARGUMENTS = (
    *((name, u64) for name in ("x", "w", "output", "table")),
    *((name, i32) for name in ("units", "bands", "image_bytes", "row_bytes", "direction")),
)
SIGNATURE = types.void(*(kind for _, kind in ARGUMENTS))
K_ELEMENTS = 128  # of a sub-tile of weights
pixel = inline(pixel_of)


def make_producer(tile: StemTile) -> Any:
    """produce(base, x, w, units, bands, image_bytes, row_bytes, direction, block, blocks): for one thread."""
    STAGE, RING, TRAFFIC, next_stage = tile.stage_bytes, tile.ring, tile.row.pixel_bytes, make_advance(tile.stages)
    WEIGHT_BYTES, COUNT, ROWS = tile.row.weight_bytes, tile.row.resident, tile.pooled_rows

    @inline
    def produce(base, x, w, units, bands, image_bytes, row_bytes, direction, block, blocks):
        mbarrier.expect_bytes(base + WEIGHTS_BARRIER, COUNT * WEIGHT_BYTES)
        for i in range(COUNT):
            tma.load_2d(base + WEIGHTS + i * WEIGHT_BYTES, w, i * K_ELEMENTS, 0, base + WEIGHTS_BARRIER)
        sync.wait_for_predecessor()
        stage, phase = int32(0), uint32(1)
        unit = block
        while unit < units:
            one = directed(unit, units, direction)
            image = int32(udiv(one, bands))
            first = (one - image * bands) * (2 * ROWS) - 1
            for i in range(2 * ROWS + 1):
                row = max(first + i, 0)  # above the image: the first row twice
                full = uint32(base + stage * BARRIER_PAIR)
                mbarrier.wait(full + EMPTY, phase)
                mbarrier.expect_bytes(full, TRAFFIC)
                source = x + uint64(image) * uint64(image_bytes) + uint64(row * row_bytes)
                tma.load_bytes(uint32(base + RING + stage * STAGE), source, TRAFFIC, full)
                stage, phase = next_stage(stage, phase)
            unit += blocks

    return produce


def make_row(tile: StemTile) -> Any:
    """row(base, stage, phase, lane) -> (sums, stage, phase): the next row of the convolution."""
    weights, pixels = wgmma.descriptor(128, 1024), wgmma.descriptor(0, 128, 16)
    sums = wgmma.accumulators("int8", tile.pixels // 2)
    products = wgmma.products("int8", tile.pixels, 1, 0, steps_of(tile.row))
    zero, wait = sums.zero, sums.wait
    STAGE, RING, next_stage = tile.stage_bytes, tile.ring, make_advance(tile.stages)

    @inline
    def row(base, stage, phase, lane):
        full, x = uint32(base + stage * BARRIER_PAIR), uint32(base + RING + stage * STAGE)
        mbarrier.wait(full, phase)
        at = weights | uint64(uint32(base + WEIGHTS) >> uint32(4))
        values = wait(products(zero(), at, pixels | uint64(x >> uint32(4))))
        mbarrier.arrive_if_zero(uint32(full + EMPTY), uint32(lane))
        stage, phase = next_stage(stage, phase)
        return values, stage, phase

    return row


def make_store(tile: StemTile) -> Any:
    """store(base, output, values, constants, lane, mine, turn, row, image, thread): a pooled row, on its way out.

    values: the largest sums of its three rows; mine: where this lane's bytes of a slot lie; turn: stores before it.
    """
    epilogue = make_pooled_epilogue(tile.row)
    SLOTS, SLOT, SLOTS_AT = tile.slots, tile.slot_bytes, tile.slots_at

    @inline
    def store(base, output, values, constants, lane, mine, turn, row, image, thread):
        to = uint32(base + SLOTS_AT + urem(turn, SLOTS) * SLOT)
        if SLOTS > 1:
            tma.wait_stores_read_but_one()
        else:
            tma.wait_stores_read()
        sync.warpgroup_barrier(BARRIER_OF_GROUP)
        epilogue(values, constants, lane, uint32(to + mine))
        tma.fence_shared()
        sync.warpgroup_barrier(BARRIER_OF_GROUP)
        tma.store_4d_if_zero(to, output, 0, 0, row, image, thread)

    return store


@inline
def place_of(warp, lane):
    """Where a lane's bytes of a slot lie, under the swizzle of rows of 64 bytes."""
    place = pixel(lane)
    return place * 64 + ((warp ^ ((place >> 1) & 3)) << 4)


def make_consumer(tile: StemTile) -> Any:
    """consume(base, output, table, units, bands, direction, block, blocks, ...): multiplies and stores."""
    row, larger, store = make_row(tile), make_larger(tile.pixels // 2), make_store(tile)
    load_constants, ROWS = make_constants_loader(tile.row), tile.pooled_rows

    @inline
    def consume(base, output, table, units, bands, direction, block, blocks, warp, lane, thread):
        mbarrier.wait(base + WEIGHTS_BARRIER, 0)
        constants, mine = load_constants(table, 0, warp, lane), place_of(warp, lane)
        stage, phase, turn = int32(0), uint32(0), 0
        unit = block
        while unit < units:
            one = directed(unit, units, direction)
            image = int32(udiv(one, bands))
            first = (one - image * bands) * ROWS
            above, stage, phase = row(base, stage, phase, lane)
            for i in range(ROWS):
                values, stage, phase = row(base, stage, phase, lane)
                above = larger(above, values)
                values, stage, phase = row(base, stage, phase, lane)
                store(base, output, larger(above, values), constants, lane, mine, turn, first + i, image, thread)
                above = values
                turn += 1
            unit += blocks
        tma.wait_stores()

    return consume


def hopper_stem(tile: StemTile) -> Any:
    """The kernel for a tile; its signature is SIGNATURE, its block `tile.threads`. Never more blocks than units."""
    produce, consume = make_producer(tile), make_consumer(tile)
    start = make_start(tile.stages, 0, 1)
    assert tile.stages > 0 and tile.pixels % 16 == 0

    def stem(x, w, output, table, units, bands, image_bytes, row_bytes, direction):
        base = aligned_base()
        thread, lane = cuda.threadIdx.x, cuda.threadIdx.x & 31
        warp = cuda.shfl_sync(0xFFFFFFFF, thread >> 5, 0)  # a shuffle's result is uniform: addresses need no registers
        start(base, thread)
        if warp == 4:
            if lane == 0:
                tma.prefetch_map(w)
                tma.prefetch_map(output)
                produce(base, x, w, units, bands, image_bytes, row_bytes, direction, cuda.blockIdx.x, cuda.gridDim.x)
        else:
            consume(
                base, output, table, units, bands, direction, cuda.blockIdx.x, cuda.gridDim.x, warp, lane,
                uint32(thread),
            )  # fmt: skip

    return stem


def factory(**constants: Any) -> tuple:
    """(kernel, signature, threads) for a tile given by the fields that differ from StemTile's defaults."""
    tile = StemTile(**constants)
    return hopper_stem(tile), SIGNATURE, tile.threads
