"""A convolution in FP16 as a product whose matrix is nowhere: unit 12's matmul_tensor on rows that a window gathers.

Activations are rows of channels, one for each pixel (NHWC), weights are (taps * channels, outputs). A stage has 32
channels of one tap: a row for each output pixel, wherever that tap finds it, or zeros. Four warps multiply 64 x 64 each
while the next stages arrive, as in unit 18's conv_ring; then bias, residual and ReLU, 16 bytes per thread.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda, float32, int32, uint32

from autograder.notebook.intrinsics import (
    bits16,
    commit_copies,
    copy16_async,
    halves,
    ldmatrix,
    ldmatrix_transposed,
    load16,
    store16,
    wait_copies,
)
from benchmarks.capstone.course import part_of

mma_row = part_of("matmul.matmul_tensor", "mma_row")
float16 = np.float16
THREADS, DEEP, RING = 128, 32, 4  # threads of a block, channels of a stage, stages
AHEAD = RING - 2


@cuda.jit(device=True, forceinline=True)
def put_fragment(tiles, at, below, x, addend, out):
    """One lane's four sums and their channels' addends as float16: two channels of a pixel, and of the pixel eight rows
    further down, `below` elements on."""
    out = min(out, addend.size - 2)
    low, high = addend[out], addend[out + 1]
    tiles[at], tiles[at + 1] = float16(x[0] + low), float16(x[1] + high)
    tiles[at + below], tiles[at + below + 1] = float16(x[2] + low), float16(x[3] + high)


@cuda.jit(device=True, forceinline=True)
def put_row(tiles, at, below, x, addend, out):
    """One lane's part of 16 pixels of 64 channels."""
    put_fragment(tiles, at, below, x[0], addend, out)
    put_fragment(tiles, at + 8, below, x[1], addend, out + 8)
    put_fragment(tiles, at + 16, below, x[2], addend, out + 16)
    put_fragment(tiles, at + 24, below, x[3], addend, out + 24)
    put_fragment(tiles, at + 32, below, x[4], addend, out + 32)
    put_fragment(tiles, at + 40, below, x[5], addend, out + 40)
    put_fragment(tiles, at + 48, below, x[6], addend, out + 48)
    put_fragment(tiles, at + 56, below, x[7], addend, out + 56)


@cuda.jit(device=True, forceinline=True)
def finished(word, residual, low):
    """Two float16 of a result: the residual is added, and what is below `low` is cut."""
    a, b = halves(word)
    c, d = halves(residual)
    return bits16(float16(max(a + c, low))) | (bits16(float16(max(b + d, low))) << uint32(16))


@cache
def conv_taps(pixels: int, outputs: int) -> Any:
    """The kernel for blocks of `pixels` x `outputs`: 128 x 128, or 256 x 64."""
    pitch_a, pitch_b = DEEP + 8, outputs + 8  # elements of a row: 8 more keep banks apart
    at_b = pixels * pitch_a
    stage_size = at_b + DEEP * pitch_b
    n_rows, n_deep = pixels // 32, DEEP * outputs // 8 // THREADS  # pieces that a thread copies, of pixels and weights
    across, step_k = outputs // 8, THREADS * 8 // outputs  # pieces of a row of weights; rows that all threads copy
    warps_across = outputs // 64

    @cuda.jit(device=True, forceinline=True)
    def copy_stage(tiles, stage, src, weights, rows, tap, c, out0):
        """Begin to copy 32 channels of one tap, from channel c on; close the group. rows: where each pixel's window
        begins, (n_rows, 3) of image, row and column; tap: its number, row and column, and the picture's sizes."""
        t, z = cuda.threadIdx.x, uint32(0)
        channel, n_channels = c + 8 * (t % 4), src.shape[1]
        if tap[0] * n_channels < weights.shape[0]:
            for i in range(n_rows):
                y, x = rows[i, 1] + tap[1], rows[i, 2] + tap[2]
                to = stage + (t // 4 + 32 * i) * pitch_a + 8 * (t % 4)
                if 0 <= y and y < tap[3] and 0 <= x and x < tap[4] and channel < n_channels:
                    copy16_async(tiles, to, src, (rows[i, 0] + y * tap[4] + x, channel))
                else:
                    store16(tiles, to, (z, z, z, z))
            col = 8 * (t % across)
            for i in range(n_deep):
                k = t // across + step_k * i
                to = stage + at_b + k * pitch_b + col
                if c + k < n_channels and out0 + col < weights.shape[1]:
                    copy16_async(tiles, to, weights, (tap[0] * n_channels + c + k, out0 + col))
                else:
                    store16(tiles, to, (z, z, z, z))
        commit_copies()

    @cuda.jit(device=True, forceinline=True)
    def multiply(tiles, stage, acc):
        """The products of one stage: 64 pixels of 64 outputs per warp, 16 channels at a time."""
        warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
        row, col = 64 * (warp // warps_across) + lane % 16, 64 * (warp % warps_across) + 8 * (lane // 16)
        for k in range(0, DEEP, 16):
            at_y = stage + at_b + (k + lane % 16) * pitch_b + col
            y0, y1 = ldmatrix_transposed(tiles, at_y), ldmatrix_transposed(tiles, at_y + 16)
            y2, y3 = ldmatrix_transposed(tiles, at_y + 32), ldmatrix_transposed(tiles, at_y + 48)
            at = stage + row * pitch_a + k + 8 * (lane // 16)
            acc = (
                mma_row(acc[0], ldmatrix(tiles, at), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, at + 16 * pitch_a), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tiles, at + 32 * pitch_a), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tiles, at + 48 * pitch_a), y0, y1, y2, y3),
            )
        return acc

    @cuda.jit(device=True, forceinline=True)
    def finish(tiles, acc, addend, residual, adds, low, dst, first, out0):
        """The sums through shared memory, the rest of the layer, and 16 bytes per thread to dst."""
        t, warp, lane, z = cuda.threadIdx.x, cuda.threadIdx.x // 32, cuda.threadIdx.x % 32, uint32(0)
        row, col = 64 * (warp // warps_across) + lane // 4, 64 * (warp % warps_across) + 2 * (lane % 4)
        at, below = row * pitch_b + col, 8 * pitch_b
        put_row(tiles, at, below, acc[0], addend, out0 + col)
        put_row(tiles, at + 2 * below, below, acc[1], addend, out0 + col)
        put_row(tiles, at + 4 * below, below, acc[2], addend, out0 + col)
        put_row(tiles, at + 6 * below, below, acc[3], addend, out0 + col)
        cuda.syncthreads()  # all results of the block are there
        out = out0 + 8 * (t % across)
        for i in range(t // across, pixels, THREADS // across):
            if first + i < dst.shape[0] and out < dst.shape[1]:
                x, r = load16(tiles, i * pitch_b + 8 * (t % across)), (z, z, z, z)
                if adds:
                    r = load16(residual, (first + i, out))
                x = (
                    finished(x[0], r[0], low),
                    finished(x[1], r[1], low),
                    finished(x[2], r[2], low),
                    finished(x[3], r[3], low),
                )
                store16(dst, (first + i, out), x)

    @cuda.jit(launch_bounds=(THREADS, 2))
    def conv_taps(src, sizes, weights, addend, residual, adds, low, dst):
        """A layer of any window. src: (pixels, channels), weights: (taps * channels, outputs), residual, dst: (pixels,
        outputs) float16; sizes: rows and columns of the picture, of its result, of the window, stride, pads, int32."""
        tiles = cuda.shared.array(0, float16)
        rows = cuda.local.array((n_rows, 3), int32)
        t, z = cuda.threadIdx.x, float32(0)
        first, out0 = pixels * cuda.blockIdx.y, outputs * cuda.blockIdx.x
        height, width, out_width, k_cols = sizes[0], sizes[1], sizes[3], sizes[5]
        places = sizes[2] * out_width
        for i in range(n_rows):
            pixel = first + t // 4 + 32 * i
            place = pixel % places
            rows[i, 0] = pixel // places * height * width
            rows[i, 1] = place // out_width * sizes[6] - sizes[7] if pixel < dst.shape[0] else -height - sizes[4]
            rows[i, 2] = place % out_width * sizes[6] - sizes[8]
        fragment = (z, z, z, z)
        row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
        acc = (row, row, row, row)
        number = y = x = c = int32(0)  # of the tap that is copied next
        for ahead in range(RING - 1):
            copy_stage(tiles, ahead * stage_size, src, weights, rows, (number, y, x, height, width), c, out0)
            c += int32(DEEP)
            if c >= src.shape[1]:
                c, number, x = int32(0), number + int32(1), x + int32(1)
                if x == k_cols:
                    x, y = int32(0), y + int32(1)
        now, free = int32(0), int32((RING - 1) * stage_size)
        for _ in range(sizes[4] * k_cols * ((src.shape[1] + DEEP - 1) // DEEP)):
            wait_copies(AHEAD)  # this stage has arrived; the next ones may still be on their way
            cuda.syncthreads()  # for all threads; none still multiplies the stage before it
            copy_stage(tiles, free, src, weights, rows, (number, y, x, height, width), c, out0)
            c += int32(DEEP)
            if c >= src.shape[1]:
                c, number, x = int32(0), number + int32(1), x + int32(1)
                if x == k_cols:
                    x, y = int32(0), y + int32(1)
            acc = multiply(tiles, now, acc)
            free = now
            now = now + int32(stage_size) if now < (RING - 1) * stage_size else int32(0)
        wait_copies(0)
        cuda.syncthreads()  # no thread still reads a stage
        finish(tiles, acc, addend, residual, adds, low, dst, first, out0)

    return conv_taps


def shared_bytes(pixels: int, outputs: int) -> int:
    """Of a block's stages."""
    return 2 * RING * (pixels * (DEEP + 8) + DEEP * (outputs + 8))
