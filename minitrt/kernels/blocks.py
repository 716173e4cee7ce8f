"""From a network's input to the first convolution: NCHW becomes pixels of 16 elements, 2x2 space to depth.

A 7x7 convolution of stride 2 over 3 channels is a 4x4 one of stride 1 over the 12 numbers of each 2x2 block, padded in
memory (2 before, 1 after) so that whole rows can be copied. Layout: (N, H/2 + 3, W/2 + 3, 16) int8 or float16, element
4 c + 2 dy + dx of block (i, j) at [n, i + 2, j + 2]. The input is float32 or uint8.
"""

from __future__ import annotations

from typing import Any

from numba import float32, int32, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import sync
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import (
    divide,
    f32,
    i32,
    load_b16,
    load_b32,
    load_v2_f32,
    pack_f16,
    pack_s8,
    store_v4_b32,
    u64,
    udiv,
)

THREADS = 256
BEFORE, BLOCK_PADDING, PIXEL_BYTES = 2, 3, 16
SIGNATURE = types.void(u64, u64, f32, f32, i32, i32, i32)  # see `blocks`


@inline
def block_f32(at, row_bytes, scale, zero):
    """The four numbers of one channel's 2x2 block, quantised: q = saturate(rint(x / scale))."""
    top, bottom = load_v2_f32(at), load_v2_f32(at + row_bytes)
    return pack_s8(divide(top[0], scale), divide(top[1], scale), divide(bottom[0], scale), divide(bottom[1], scale))


@inline
def block_u8(at, row_bytes, scale, zero):
    """The same of bytes: q = saturate(rint((u - zero) / scale)), scale in steps of the input."""
    top, bottom = load_b16(at), load_b16(at + row_bytes)
    t0, t1 = float32(top & uint32(255)) - zero, float32(top >> uint32(8)) - zero
    b0, b1 = float32(bottom & uint32(255)) - zero, float32(bottom >> uint32(8)) - zero
    return pack_s8(divide(t0, scale), divide(t1, scale), divide(b0, scale), divide(b1, scale))


BLOCK_OF = {"float32": (block_f32, 4), "uint8": (block_u8, 1)}  # dtype -> reader, bytes of an element


@inline
def half_of_floats(at, row_bytes):
    """The four numbers of one channel's 2x2 block as float16, in two words."""
    top, bottom = load_v2_f32(at), load_v2_f32(at + row_bytes)
    return pack_f16(top[0], top[1]), pack_f16(bottom[0], bottom[1])


@inline
def half_of_halves(at, row_bytes):
    """The same where they are float16 already."""
    return load_b32(at), load_b32(at + row_bytes)


HALF_OF = {"float32": (half_of_floats, 4), "float16": (half_of_halves, 2)}  # dtype -> reader, bytes of an element


def halve_to_blocks(channels: int, dtype: str) -> Any:
    """blocks(x, y, scale, zero, images, height, width) as below, to float16; scale and zero are unused."""
    CHANNELS, (half_block, ELEMENT) = channels, HALF_OF[dtype]

    def blocks(x, y, scale, zero, images, height, width):
        sync.let_successor_start()
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        columns, rows = (width >> 1) + BLOCK_PADDING, (height >> 1) + BLOCK_PADDING
        line = int32(udiv(i, columns))
        column = int32(i - line * columns) - BEFORE
        image = int32(udiv(line, rows))
        row = int32(line - image * rows) - BEFORE
        sync.wait_for_predecessor()
        if image >= images:
            return
        inside = row >= 0 and row < height >> 1 and column >= 0 and column < width >> 1
        plane, line_bytes = uint64(height * width * ELEMENT), uint64(width * ELEMENT)
        at = x + uint64(image) * plane * uint64(CHANNELS) + uint64((row * 2 * width + column * 2) * ELEMENT)
        to = y + uint64(i) * uint64(2 * PIXEL_BYTES)
        for half in range(2):  # two channels are 16 bytes
            w = (uint32(0), uint32(0), uint32(0), uint32(0))
            if inside and 2 * half < CHANNELS:
                first = half_block(at + plane * uint64(2 * half), line_bytes)
                second = (uint32(0), uint32(0))
                if 2 * half + 1 < CHANNELS:
                    second = half_block(at + plane * uint64(2 * half + 1), line_bytes)
                w = first + second
            store_v4_b32(to + uint64(half * PIXEL_BYTES), w[0], w[1], w[2], w[3])

    return blocks


def quantize_to_blocks(channels: int, dtype: str) -> Any:
    """blocks(x, y, scale, zero, images, height, width): x (N, C, H, W), H and W even; C = `channels`, 1 to 4.

    One thread a block of pixels: a 16-byte store, and neighbouring loads for neighbouring threads. The border is 0.
    """
    CHANNELS, (block, ELEMENT) = channels, BLOCK_OF[dtype]

    def blocks(x, y, scale, zero, images, height, width):
        sync.let_successor_start()
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        columns, rows = (width >> 1) + BLOCK_PADDING, (height >> 1) + BLOCK_PADDING
        line = int32(udiv(i, columns))
        column = int32(i - line * columns) - BEFORE
        image = int32(udiv(line, rows))
        row = int32(line - image * rows) - BEFORE
        sync.wait_for_predecessor()
        if image >= images:
            return
        w0 = w1 = w2 = w3 = uint32(0)
        if row >= 0 and row < height >> 1 and column >= 0 and column < width >> 1:
            plane, line_bytes = uint64(height * width * ELEMENT), uint64(width * ELEMENT)
            at = x + uint64(image) * plane * uint64(CHANNELS) + uint64((row * 2 * width + column * 2) * ELEMENT)
            w0 = block(at, line_bytes, scale, zero)
            if CHANNELS > 1:
                w1 = block(at + plane, line_bytes, scale, zero)
            if CHANNELS > 2:
                w2 = block(at + plane * uint64(2), line_bytes, scale, zero)
            if CHANNELS > 3:
                w3 = block(at + plane * uint64(3), line_bytes, scale, zero)
        store_v4_b32(y + uint64(i) * uint64(PIXEL_BYTES), w0, w1, w2, w3)

    return blocks


def factory(channels: int, dtype: str, target: str = "int8") -> tuple:
    """(kernel, signature, threads)"""
    made = quantize_to_blocks(channels, dtype) if target == "int8" else halve_to_blocks(channels, dtype)
    return made, SIGNATURE, THREADS
