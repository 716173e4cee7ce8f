"""One kernel for convolutions and matrix products in NHWC: an implicit product of pixels by channels.

Rows of A are output pixels, gathered from x as K runs over the taps of the window and their channels; rows of B are
output channels. Both move to shared memory 16 bytes at a time, some steps of K ahead. Chunk c of row r lies at place
c ^ (r / 2 % 4), so that the eight rows of a matrix touch all banks once.
"""

from __future__ import annotations

from typing import Any

from numba import int32, types, uint32

from minitrt.backend import cuda
from minitrt.kernels import words
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import udiv
from minitrt.kernels.tensor_conv import epilogue, fragments, gathering
from minitrt.kernels.tensor_conv.tile import CHUNK_WORDS, ROW_WORDS, WARP_CHANNELS, Tile

WORDS, FLOATS = types.Array(types.uint32, 1, "C"), types.Array(types.float32, 1, "C")
# x, weights, table, residual, y as words, y as floats; numbers of the epilogue; counts and the window (`kernel`)
SIGNATURE = types.void(*[WORDS] * 2, FLOATS, WORDS, WORDS, FLOATS, *[types.float32] * 6, *[types.int32] * 19)


def make_product(tile: Tile, pointwise: bool) -> Any:
    """product(shared, sums, ...): the sums of a block's pixels and channels, all of K."""
    aim, (fetch, keep) = gathering.make_aim(pointwise), gathering.make_moves(tile, pointwise)
    multiply = fragments.multiplier(tile)
    PIXELS, CHANNELS, ROWS, OF_A = tile.pixels, tile.channels, tile.rows_at_once, tile.chunks_of_pixels
    STAGES, STAGE, A_WORDS, HELD = tile.stages, tile.stage_words, tile.pixel_words, tile.held_words
    WARPS_N, WARP_WORDS = tile.warps_n, tile.row_groups * 16 * ROW_WORDS
    ASYNC, wait = tile.instruction == "ampere", words.WAITS[max(tile.stages - 2, 0)]
    AHEAD, ROW_NUMBERS = STAGES - 1 if ASYNC else 1, 3 * OF_A

    @inline
    def product(shared, sums, x, w, thread, block_m, block_n, pixels, steps, chunks, pitch, window):
        rows, held = cuda.local.array(ROW_NUMBERS, types.int32), cuda.local.array(HELD, types.uint32)
        column, line = int32(thread & 3), int32(thread >> 2)  # my chunk of each row, my first row
        for i in range(OF_A):
            p = int32(block_m * PIXELS + line + i * ROWS)
            rows[3 * i], rows[3 * i + 1], rows[3 * i + 2] = aim(p, pixels, window)
        place = int32((column ^ ((line >> 1) & 3)) * CHUNK_WORDS + line * ROW_WORDS)  # ROWS is a multiple of 8
        from_w = int32(((block_n * CHANNELS + line) * pitch + column) * CHUNK_WORDS)
        warp, lane = thread >> 5, thread & 31
        warp_m, warp_n = warp // WARPS_N, warp % WARPS_N
        for step in range(-AHEAD, steps):
            ahead = int32(step + AHEAD)
            to = int32(ahead % STAGES) * STAGE + place
            if step >= 0:
                if ASYNC:
                    wait()
                cuda.syncthreads()  # the step's tiles are there, and everybody has read those of the step before
            if ahead < steps:
                fetch(shared, to, ahead, column, x, chunks, rows, w, from_w, pitch, window, held)
            if ASYNC:
                words.commit()
            if step >= 0:
                base = int32(step % STAGES) * STAGE
                from_b = base + A_WORDS + warp_n * (WARP_CHANNELS * ROW_WORDS)
                multiply(shared, base + warp_m * WARP_WORDS, from_b, lane, sums)
            if ahead < steps:
                keep(shared, to, held)

    return product


def tensor_conv(tile: Tile, pointwise: bool, output: str, residual: str, name: str) -> Any:
    """The kernel. output, residual: NumPy's names of their elements ("none" without a residual); name: of the
    activation that is not a mere pair of limits."""
    product, finish = make_product(tile, pointwise), epilogue.make_finish(tile, output, residual, name)
    WHOLE, SUMS, WARPS_N = tile.stages * tile.stage_words, tile.row_groups * 16, tile.warps_n
    PIXELS, CHANNELS, WARP_PIXELS = tile.pixels, tile.channels, tile.row_groups * 16
    KIND = types.int32 if tile.element == "int8" else types.float32

    def kernel(
        x, w, table, r, y, y_float, residual_multiplier, alpha, beta, low, high, y_scale,
        pixels, out_channels, stored_out, channel_tiles, steps, chunks, pitch, taps, tap_columns, height, width,
        out_height, out_width, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
    ):  # fmt: skip
        shared, sums = cuda.shared.array(WHOLE, types.uint32), cuda.local.array(SUMS, KIND)
        for i in range(SUMS):
            sums[i] = 0
        thread, block = int32(cuda.threadIdx.x), int32(cuda.blockIdx.x)
        block_m = int32(udiv(uint32(block), uint32(channel_tiles)))
        block_n = int32(block - block_m * channel_tiles)
        window = (
            taps, tap_columns, height, width, out_height, out_width, stride_h, stride_w, pad_h, pad_w,
            dilation_h, dilation_w,
        )  # fmt: skip
        product(shared, sums, x, w, thread, block_m, block_n, pixels, steps, chunks, pitch, window)
        warp, lane = thread >> 5, thread & 31
        row = int32(block_m * PIXELS + warp // WARPS_N * WARP_PIXELS + (lane >> 2))
        channel = int32(block_n * CHANNELS + warp % WARPS_N * WARP_CHANNELS + (lane & 3) * 8)
        numbers = (residual_multiplier, alpha, beta, low, high, y_scale)
        finish(sums, row, channel, table, r, y, y_float, numbers, pixels, out_channels, stored_out)

    return kernel


def factory(pointwise: bool, output: str, residual: str, name: str, **tile: Any) -> tuple:
    """(kernel, signature, threads)"""
    made = Tile(**tile)
    return tensor_conv(made, pointwise, output, residual, name), SIGNATURE, made.threads
