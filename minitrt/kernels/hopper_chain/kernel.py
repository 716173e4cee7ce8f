"""Two 1x1 convolutions, one behind the other, in one persistent kernel.

    y = convert(activation(fma(residual, residual_multiplier, fma(float(sum), scale[k], bias[k]))))
    z = convert(activation(fma(float(sum of y), scale[k], bias[k])))

Both are stored. Pixels are NHWC, int8, with channels padded to a multiple of 16.
"""

from __future__ import annotations

from typing import Any

from numba import types, uint32

from minitrt.backend import cuda
from minitrt.kernels.hopper import tma
from minitrt.kernels.hopper.block import aligned_base, make_start
from minitrt.kernels.hopper_chain.consumer import make_consumer
from minitrt.kernels.hopper_chain.producer import make_producer
from minitrt.kernels.hopper_chain.tile import ChainTile
from minitrt.kernels.ptx import f32, i32, u64

# Arguments in order: (name, numba type). All but the table are addresses of tensor maps; other: the residual's, or that
# of the shortcut's pixels.
ARGUMENTS = (
    *((name, u64) for name in ("x", "w", "tail_w", "other", "output", "tail_output", "table")),
    *((name, f32) for name in ("residual_multiplier", "low", "high")),
    *((name, i32) for name in ("tiles", "out_width", "out_pixels", "direction")),
)
SIGNATURE = types.void(*(kind for _, kind in ARGUMENTS))


def hopper_chain(tile: ChainTile) -> Any:
    """The kernel for a tile; its signature is SIGNATURE, its block `tile.threads`. Never more blocks than tiles."""
    assert tile.sound
    start = make_start(tile.stages, tile.slots, tile.warpgroups)
    produce, consume = make_producer(tile), make_consumer(tile)
    PRODUCER, OTHER = 4 * tile.warpgroups, tile.residual or tile.shortcut > 0

    def chain(
        x, w, tail_w, other, output, tail_output, table, residual_multiplier, low, high, tiles, out_width, out_pixels,
        direction,
    ):  # fmt: skip
        base = aligned_base()
        thread, lane = cuda.threadIdx.x, cuda.threadIdx.x & 31
        warp = cuda.shfl_sync(0xFFFFFFFF, thread >> 5, 0)  # a shuffle's result is uniform: addresses need no registers
        start(base, thread)
        if warp == PRODUCER:
            if lane == 0:
                tma.prefetch_map(w)
                tma.prefetch_map(tail_w)
                tma.prefetch_map(x)
                if OTHER:
                    tma.prefetch_map(other)
                tma.prefetch_map(output)
                tma.prefetch_map(tail_output)
                produce(
                    base, x, w, tail_w, other, tiles, out_width, out_pixels, direction, cuda.blockIdx.x, cuda.gridDim.x
                )  # fmt: skip
        else:
            consume(
                base, output, tail_output, table, residual_multiplier, low, high, tiles, direction, cuda.blockIdx.x,
                cuda.gridDim.x, warp, lane, uint32(thread & 127),
            )  # fmt: skip

    return chain


def factory(**constants: Any) -> tuple:
    """(kernel, signature, threads) for a tile given by the fields that differ from ChainTile's defaults."""
    tile = ChainTile(**constants)
    return hopper_chain(tile), SIGNATURE, tile.threads
