"""The convolution for Hopper: a persistent kernel with one loading warp and one or two multiplying warpgroups.

    y = convert(activation(fma(residual, residual_multiplier, fma(float(sum), scale[k], bias[k]))))

Pixels are NHWC, int8 or float16, with channels padded to a multiple of 16; convert is saturate(rint(v)) for int8.
Blocks walk over tiles; `producer.py` fills a ring of stages, `consumer.py` empties it, `epilogue.py` requantises.
`minitrt.kernels.plain.products.convolution` is the same sum in plain loops.
"""

from __future__ import annotations

from typing import Any

from numba import int32, types, uint32

from minitrt.backend import cuda
from minitrt.kernels.hopper import mbarrier, sync, tma
from minitrt.kernels.hopper.block import aligned_base, make_start
from minitrt.kernels.hopper.shared_memory import SUMS_BARRIER
from minitrt.kernels.hopper_conv.consumer import make_consumer
from minitrt.kernels.hopper_conv.producer import make_producer
from minitrt.kernels.hopper_conv.tile import KINDS, ConvTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import f32, i32, u64, udiv

# Arguments in order: (name, numba type). Maps are addresses of tensor maps; the stem's x is the tensor's own address.
ARGUMENTS = (
    *((name, u64) for name in ("x", "w", "residual", "output", "table")),
    *((name, f32) for name in ("residual_multiplier", "low", "high")),
    *((name, i32) for name in ("tiles", "channel_tiles", "k_steps", "channels", "kernel_width", "out_width")),
    *((name, i32) for name in ("out_pixels", "stride_h", "stride_w", "pad_h", "pad_w", "dilation_h", "dilation_w")),
    *((name, i32) for name in ("image_bytes", "row_bytes", "out_channels", "total_pixels", "direction")),
)
SIGNATURE = types.void(*(kind for _, kind in ARGUMENTS))


def make_begin(tile: ConvTile) -> Any:
    """begin(base, thread) -> block, blocks, rank, for the whole block: its barriers are there.

    A cluster that divides K has one tile, so then clusters are counted; rank is the block's in its cluster, 0 without.
    """
    start, SPLIT, SUM_BYTES = make_start(tile.stages, tile.slots, tile.teams), tile.split, tile.sum_bytes

    @inline
    def begin(base, thread):
        block, blocks, rank = cuda.blockIdx.x, cuda.gridDim.x, uint32(0)
        if SPLIT > 1:
            rank = sync.cluster_rank()
            block, blocks = int32(udiv(block, SPLIT)), int32(udiv(blocks, SPLIT))
        start(base, thread)
        if SPLIT > 1:
            if thread == 0 and rank == 0:
                mbarrier.expect_bytes(base + SUMS_BARRIER, (SPLIT - 1) * SUM_BYTES)
            sync.cluster_arrive()  # for which nobody waits before there is something to send
        return block, blocks, rank

    return begin


def make_map_fetch(tile: ConvTile) -> Any:
    """fetch(x, w, residual, output): all tensor maps, which need nothing of the kernel before."""
    MAPPED, OTHER, FLOAT = tile.kind != "stem", tile.residual or tile.shortcut > 0, tile.float_output

    @inline
    def fetch(x, w, residual, output):
        tma.prefetch_map(w)
        if MAPPED:
            tma.prefetch_map(x)
        if OTHER:
            tma.prefetch_map(residual)
        if not FLOAT:
            tma.prefetch_map(output)

    return fetch


def hopper_conv(tile: ConvTile) -> Any:
    """The kernel for a tile; its signature is SIGNATURE, its block `tile.threads`.

    Never launch more blocks than tiles: the early weights of a block without work would land in a dead block.
    """
    assert tile.kind in KINDS and tile.stages > 0 and tile.pixels % 16 == 0
    begin, fetch_maps, PRODUCER, SPLIT = make_begin(tile), make_map_fetch(tile), 4 * tile.warpgroups, tile.split
    produce, consume = make_producer(tile), make_consumer(tile)

    def conv(
        x, w, residual, output, table, residual_multiplier, low, high, tiles, channel_tiles, k_steps,
        channels, kernel_width, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
        image_bytes, row_bytes, out_channels, total_pixels, direction,
    ):  # fmt: skip
        base = aligned_base()
        thread, lane = cuda.threadIdx.x, cuda.threadIdx.x & 31
        warp = cuda.shfl_sync(0xFFFFFFFF, thread >> 5, 0)  # a shuffle's result is uniform: addresses need no registers
        block, blocks, rank = begin(base, thread)
        if warp == PRODUCER:
            if lane == 0:
                fetch_maps(x, w, residual, output)
                produce(
                    base, x, w, residual, tiles, channel_tiles, k_steps, int32(rank * k_steps), block, blocks,
                    channels, kernel_width, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w,
                    dilation_h, dilation_w, image_bytes, row_bytes, direction,
                )  # fmt: skip
            if SPLIT > 1:
                sync.cluster_wait()
        else:
            if SPLIT > 1:
                sync.cluster_wait()
            consume(
                base, output, table, residual_multiplier, low, high, tiles, channel_tiles, k_steps, out_pixels,
                out_channels, total_pixels, direction, block, blocks, rank, warp, lane, uint32(thread & 127),
            )  # fmt: skip

    return conv


def factory(**constants: Any) -> tuple:
    """(kernel, signature, threads) for a tile given by the fields that differ from ConvTile's defaults."""
    tile = ConvTile(**constants)
    return hopper_conv(tile), SIGNATURE, tile.threads
