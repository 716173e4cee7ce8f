"""The first convolution with its max pool, of images that are not quantised yet.

    q = saturate(rint(x / scale));  y = as in `kernel.py`

The int8 image is written nowhere: a few warps (`quantisers.py`) fill a ring in shared memory with rows of 2x2 blocks. A
row of windows reads four of them, so each is made once for four.
"""

from __future__ import annotations

from typing import Any

from numba import int32, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import mbarrier, tma, wgmma
from minitrt.kernels.hopper.block import aligned_base, make_advance, make_start
from minitrt.kernels.hopper.shared_memory import BARRIER_PAIR, EMPTY, WEIGHTS, WEIGHTS_BARRIER
from minitrt.kernels.hopper_conv.consumer import make_constants_loader
from minitrt.kernels.hopper_conv.order import directed
from minitrt.kernels.hopper_conv.products import K_STEP, UNIT, steps_of
from minitrt.kernels.hopper_conv.tile import STEM_TAPS
from minitrt.kernels.hopper_stem.kernel import make_store, place_of
from minitrt.kernels.hopper_stem.pooling import make_larger
from minitrt.kernels.hopper_stem.quantisers import make_quantisers
from minitrt.kernels.hopper_stem.tile import RawStemTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import f32, i32, u64, udiv

# Arguments in order: (name, numba type). x: the address of the images; high, low: the reciprocal of the scale;
# limit: 256 scales; plane_bytes: of one channel; height: rows of blocks of an image; others as in `kernel.py`.
ARGUMENTS = (
    *((name, u64) for name in ("x", "w", "output", "table")),
    *((name, f32) for name in ("high", "low", "limit")),
    *((name, i32) for name in ("units", "bands", "plane_bytes", "height", "direction")),
)
SIGNATURE = types.void(*(kind for _, kind in ARGUMENTS))


def make_row(tile: RawStemTile) -> Any:
    """row(base, slot, phase, lane, stay) -> (sums, slot, phase): the next row of the convolution.

    slot, phase: of the first of its four rows of blocks, which is handed back unless `stay`. Rows come in order, so the
    last one is all there is to wait for.
    """
    weights, pixels = wgmma.descriptor(128, 1024), wgmma.descriptor(0, 128, 16)
    sums = wgmma.accumulators("int8", tile.pixels // 2)
    steps = [(at, k // UNIT) for (at, _), k in zip(steps_of(tile.row), (0, K_STEP) * STEM_TAPS, strict=True)]
    products = wgmma.products("int8", tile.pixels, 1, 0, steps, STEM_TAPS)
    zero, wait = sums.zero, sums.wait
    ROW_BYTES, BLOCKS_AT, BLOCK_ROWS = tile.block_row_bytes, tile.blocks_at, tile.block_rows

    @inline
    def place(base, slot):
        return pixels | uint64(uint32(base + BLOCKS_AT + (slot & (BLOCK_ROWS - 1)) * ROW_BYTES) >> uint32(4))

    @inline
    def row(base, slot, phase, lane, stay):
        newest = int32(slot + (STEM_TAPS - 1))
        full = uint32(base + (newest & (BLOCK_ROWS - 1)) * BARRIER_PAIR)
        mbarrier.wait(full, uint32(phase ^ uint32(newest >= BLOCK_ROWS)))
        at = weights | uint64(uint32(base + WEIGHTS) >> uint32(4))
        four = place(base, slot), place(base, slot + 1), place(base, slot + 2), place(base, newest)
        values = wait(products(zero(), at, four))
        mbarrier.arrive_if_zero(uint32(base + slot * BARRIER_PAIR + EMPTY), uint32(lane) | uint32(stay))
        return values

    return row


def make_consumer(tile: RawStemTile) -> Any:
    """consume(base, output, table, units, bands, direction, block, blocks, ...): multiplies and stores."""
    row, larger, store_row = make_row(tile), make_larger(tile.pixels // 2), make_store(tile)
    load_constants, ROWS = make_constants_loader(tile.row), tile.pooled_rows
    next_row = make_advance(tile.block_rows)

    @inline
    def consume(base, output, table, units, bands, direction, block, blocks, warp, lane, thread):
        mbarrier.wait(base + WEIGHTS_BARRIER, 0)
        constants, mine = load_constants(table, 0, warp, lane), place_of(warp, lane)
        slot, phase, turn = int32(0), uint32(0), 0
        unit = block
        while unit < units:
            one = directed(unit, units, direction)
            image = int32(udiv(one, bands))
            first = (one - image * bands) * ROWS
            stay = int32(first == 0)  # above the image: the first row of the convolution twice
            above = row(base, slot, phase, lane, stay)
            if not stay:
                slot, phase = next_row(slot, phase)
            for i in range(ROWS):
                values = row(base, slot, phase, lane, 0)
                above = larger(above, values)
                slot, phase = next_row(slot, phase)
                values = row(base, slot, phase, lane, 0)
                slot, phase = next_row(slot, phase)
                store_row(base, output, larger(above, values), constants, lane, mine, turn, first + i, image, thread)
                above = values
                turn += 1
            for _ in range(STEM_TAPS - 1):  # what only the last row still read
                mbarrier.arrive_if_zero(uint32(base + slot * BARRIER_PAIR + EMPTY), uint32(lane))
                slot, phase = next_row(slot, phase)
            unit += blocks
        tma.wait_stores()

    return consume


def hopper_raw_stem(tile: RawStemTile) -> Any:
    """The kernel for a tile; its signature is SIGNATURE, its block `tile.threads`. Never more blocks than units."""
    quantise, consume = make_quantisers(tile), make_consumer(tile)
    start = make_start(tile.block_rows, tile.stages, 1)
    assert tile.stages > 0 and tile.pixels % 16 == 0 and tile.block_rows & (tile.block_rows - 1) == 0

    def raw_stem(x, w, output, table, high, low, limit, units, bands, plane_bytes, height, direction):
        base = aligned_base()
        thread, lane = cuda.threadIdx.x, cuda.threadIdx.x & 31
        warp = cuda.shfl_sync(0xFFFFFFFF, thread >> 5, 0)  # a shuffle's result is uniform: addresses need no registers
        start(base, thread)
        if warp >= 4:
            if thread == 128:
                tma.prefetch_map(w)
                tma.prefetch_map(output)
            images = x, units, bands, plane_bytes, height, direction, int32(cuda.gridDim.x)
            quantise(base, images, w, (high, low, limit), cuda.blockIdx.x, int32(thread - 128))
        else:
            consume(
                base, output, table, units, bands, direction, cuda.blockIdx.x, cuda.gridDim.x, warp, lane,
                uint32(thread),
            )  # fmt: skip

    return raw_stem


def factory(**constants: Any) -> tuple:
    """(kernel, signature, threads) for a tile given by the fields that differ from RawStemTile's defaults.

    threads: of all blocks that a multiprocessor is to hold, which bounds a thread's registers.
    """
    tile = RawStemTile(**constants)
    return hopper_raw_stem(tile), SIGNATURE, tile.threads * tile.blocks_per_sm
