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
from minitrt.kernels.hopper import sync, tma
from minitrt.kernels.hopper.block import aligned_base, make_start
from minitrt.kernels.hopper_conv.consumer import make_consumer
from minitrt.kernels.hopper_conv.producer import make_producer
from minitrt.kernels.hopper_conv.tile import KINDS, ConvTile
from minitrt.kernels.ptx import f32, i32, u64, udiv

# Arguments in order: (name, numba type). Maps are addresses of tensor maps; the stem's x is the tensor's own address.
ARGUMENTS = (
    *((name, u64) for name in ("x", "w", "residual", "output", "table")),
    *((name, f32) for name in ("residual_multiplier", "low", "high")),
    *((name, i32) for name in ("tiles", "channel_tiles", "k_steps", "channels", "kernel_width", "out_width")),
    *((name, i32) for name in ("out_pixels", "stride_h", "stride_w", "pad_h", "pad_w", "dilation_h", "dilation_w")),
    *((name, i32) for name in ("image_bytes", "row_bytes", "out_channels", "total_pixels")),
)
SIGNATURE = types.void(*(kind for _, kind in ARGUMENTS))


def hopper_conv(tile: ConvTile) -> Any:
    """The kernel for a tile; its signature is SIGNATURE, its block `tile.threads`.

    Never launch more blocks than tiles: the early weights of a block without work would land in a dead block.
    """
    assert tile.kind in KINDS and tile.stages > 0 and tile.pixels % 16 == 0
    start = make_start(tile.stages, tile.slots, tile.teams)
    produce, consume = make_producer(tile), make_consumer(tile)
    PRODUCER, SPLIT, FLOAT = 4 * tile.warpgroups, tile.split, tile.float_output

    def conv(
        x, w, residual, output, table, residual_multiplier, low, high, tiles, channel_tiles, k_steps,
        channels, kernel_width, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
        image_bytes, row_bytes, out_channels, total_pixels,
    ):  # fmt: skip
        base = aligned_base()
        thread, lane = cuda.threadIdx.x, cuda.threadIdx.x & 31
        warp = cuda.shfl_sync(0xFFFFFFFF, thread >> 5, 0)  # a shuffle's result is uniform: addresses need no registers
        block, blocks, rank = cuda.blockIdx.x, cuda.gridDim.x, uint32(0)
        if SPLIT:  # a cluster has one tile: count clusters
            rank = sync.cluster_rank()
            block, blocks = int32(udiv(block, sync.cluster_size())), int32(udiv(blocks, sync.cluster_size()))
        start(base, thread)
        if warp == PRODUCER:
            if lane == 0:
                tma.prefetch_map(w)
                if not FLOAT:
                    tma.prefetch_map(output)
                produce(
                    base, x, w, residual, tiles, channel_tiles, k_steps, int32(rank * k_steps), block, blocks,
                    channels, kernel_width, out_width, out_pixels, stride_h, stride_w, pad_h, pad_w,
                    dilation_h, dilation_w, image_bytes, row_bytes,
                )  # fmt: skip
        else:
            consume(
                base, output, table, residual_multiplier, low, high, tiles, channel_tiles, k_steps, out_pixels,
                out_channels, total_pixels, block, blocks, rank, warp, lane, uint32(thread & 127),
            )  # fmt: skip

    return conv


def factory(**constants: Any) -> tuple:
    """(kernel, signature, threads) for a tile given by the fields that differ from ConvTile's defaults."""
    tile = ConvTile(**constants)
    return hopper_conv(tile), SIGNATURE, tile.threads
