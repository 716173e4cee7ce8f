"""Max pooling and global average pooling of INT8 and FP16 images, NHWC with channels padded to 16.

Pooling keeps the scale for max; an average multiplies by scale_in / (count * scale_out) and rounds once.
"""

from __future__ import annotations

from typing import Any

from numba import float32, int32, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import sync
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import (
    dp4a,
    f32,
    halves,
    i32,
    load_b32,
    load_v4_b32,
    pack_f16,
    pack_s8,
    ptx,
    store_b32,
    store_v4_b32,
    u32,
    u64,
    udiv,
)

THREADS = 256
WARPS = THREADS // 32
MAX_SIGNATURE = types.void(u64, u64, *[i32] * 10)
AVERAGE_SIGNATURE = types.void(u64, u64, f32, i32, i32, i32)

max_f16x2 = ptx("max.NaN.f16x2 $0, $1, $2;", u32, u32, u32, pure=True)
max_s16x2 = ptx("max.s16x2 $0, $1, $2;", u32, u32, u32, pure=True)
merged = ptx("prmt.b32 $0, $1, $2, 0x7351;", u32, u32, u32, pure=True)  # even 1, odd 1, even 3, odd 3: lowest first


@inline
def byte_max(odd, even, word):
    """The running maxima of four signed bytes as two words of 16-bit numbers, each byte in a high half.

    The low half of a 16-bit number decides only between equal high bytes, so it needs no masking.
    """
    return max_s16x2(odd, word), max_s16x2(even, uint32(word << uint32(8)))


def int8_max_pool(kernel_h: int, kernel_w: int) -> Any:
    """max_pool(x, y, images, height, width, channels, out_height, out_width, stride_h, stride_w, pad_h, pad_w).

    channels: as stored, a multiple of 16. One thread an output pixel and 16 channels. A row or column outside the image
    is clamped to one that is inside the window anyway (padding is less than the window), so there is no branch and
    every load is in flight at once.
    """
    KERNEL_H, KERNEL_W = kernel_h, kernel_w

    def max_pool(x, y, images, height, width, channels, out_height, out_width, stride_h, stride_w, pad_h, pad_w):
        sync.let_successor_start()
        sync.wait_for_predecessor()
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        pixel = int32(udiv(i, channels >> 4))
        channel = int32(i - pixel * (channels >> 4)) * 16
        row_of_batch = int32(udiv(pixel, out_width))
        column = int32(pixel - row_of_batch * out_width) * stride_w - pad_w
        image = int32(udiv(row_of_batch, out_height))
        row = int32(row_of_batch - image * out_height) * stride_h - pad_h
        if image >= images:
            return
        source = x + uint64(image) * uint64(height * width * channels) + uint64(channel)
        o0 = o1 = o2 = o3 = e0 = e1 = e2 = e3 = uint32(0x80808080)
        for r in range(KERNEL_H):
            line = source + uint64(min(max(row + r, 0), height - 1) * width * channels)
            for s in range(KERNEL_W):
                word = load_v4_b32(line + uint64(min(max(column + s, 0), width - 1) * channels))
                o0, e0 = byte_max(o0, e0, word[0])
                o1, e1 = byte_max(o1, e1, word[1])
                o2, e2 = byte_max(o2, e2, word[2])
                o3, e3 = byte_max(o3, e3, word[3])
        store_v4_b32(y + uint64(pixel) * uint64(channels) + uint64(channel), merged(e0, o0),
                     merged(e1, o1), merged(e2, o2), merged(e3, o3))  # fmt: skip

    return max_pool


def half_max_pool(kernel_h: int, kernel_w: int) -> Any:
    """The same for float16, with the same arguments: one thread an output pixel and 8 channels; NaN wins."""
    KERNEL_H, KERNEL_W = kernel_h, kernel_w

    def max_pool(x, y, images, height, width, channels, out_height, out_width, stride_h, stride_w, pad_h, pad_w):
        sync.let_successor_start()
        sync.wait_for_predecessor()
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        pixel = int32(udiv(i, channels >> 3))
        channel = int32(i - pixel * (channels >> 3)) * 16  # bytes
        row_of_batch = int32(udiv(pixel, out_width))
        column = int32(pixel - row_of_batch * out_width) * stride_w - pad_w
        image = int32(udiv(row_of_batch, out_height))
        row = int32(row_of_batch - image * out_height) * stride_h - pad_h
        if image >= images:
            return
        source = x + uint64(image) * uint64(height * width) * uint64(2 * channels) + uint64(channel)
        m0 = m1 = m2 = m3 = uint32(0xFC00FC00)  # minus infinity
        for r in range(KERNEL_H):
            line = source + uint64(min(max(row + r, 0), height - 1) * width) * uint64(2 * channels)
            for s in range(KERNEL_W):
                word = load_v4_b32(line + uint64(min(max(column + s, 0), width - 1) * channels * 2))
                m0, m1 = max_f16x2(m0, word[0]), max_f16x2(m1, word[1])
                m2, m3 = max_f16x2(m2, word[2]), max_f16x2(m3, word[3])
        store_v4_b32(y + uint64(pixel) * uint64(2 * channels) + uint64(channel), m0, m1, m2, m3)

    return max_pool


@inline
def with_bytes(sums, word, one):
    """Sums of four channels plus the bytes of a word where one is 1: dp4a with a 1 in one byte adds that byte."""
    return (
        dp4a(word, one, sums[0]),
        dp4a(word, uint32(one << uint32(8)), sums[1]),
        dp4a(word, uint32(one << uint32(16)), sums[2]),
        dp4a(word, uint32(one << uint32(24)), sums[3]),
    )


def int8_global_average() -> Any:
    """average(x, y, multiplier, images, pixels, channels): y = saturate(rint(float(sum over pixels) * multiplier)).

    A warp has 32 times four channels of every eighth pixel, so that all loads of a small image are in flight together;
    the eight warps of a block meet in shared memory.
    """
    BATCH = 7  # pixels whose loads a thread has in flight together

    def average(x, y, multiplier, images, pixels, channels):
        sync.let_successor_start()
        shared = cuda.shared.array((4, THREADS), int32)
        thread, lane, first = cuda.threadIdx.x, cuda.threadIdx.x & 31, cuda.threadIdx.x >> 5
        i = cuda.blockIdx.x * 32 + lane
        image = int32(udiv(i, channels >> 2))
        channel = int32(i - image * (channels >> 2)) * 4
        source = x + uint64(image) * uint64(pixels * channels) + uint64(channel)
        there = pixels if image < images else int32(0)
        sums = (int32(0), int32(0), int32(0), int32(0))
        sync.wait_for_predecessor()
        while first < there:
            for j in range(BATCH):
                pixel = first + j * WARPS
                inside = pixel < there
                word = load_b32(source + uint64((pixel if inside else first) * channels))
                sums = with_bytes(sums, word, uint32(1) if inside else uint32(0))
            first += BATCH * WARPS
        shared[0, thread], shared[1, thread], shared[2, thread], shared[3, thread] = sums
        cuda.syncthreads()
        if thread < 32 and image < images:
            a, b, c, d = sums
            for other in range(32 + lane, THREADS, 32):
                a, b = int32(a + shared[0, other]), int32(b + shared[1, other])
                c, d = int32(c + shared[2, other]), int32(d + shared[3, other])
            four = pack_s8(
                float32(a) * multiplier, float32(b) * multiplier, float32(c) * multiplier, float32(d) * multiplier
            )
            store_b32(y + uint64(image * channels + channel), four)

    return average


def half_global_average() -> Any:
    """The same for float16, with the same arguments: one thread two channels, sums in float32."""
    BATCH = 7

    def average(x, y, multiplier, images, pixels, channels):
        sync.let_successor_start()
        sync.wait_for_predecessor()
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        image = int32(udiv(i, channels >> 1))
        channel = int32(i - image * (channels >> 1)) * 2
        if image >= images:
            return
        source = x + (uint64(image) * uint64(pixels * channels) + uint64(channel)) * uint64(2)
        first = second = float32(0)
        for begin in range(0, pixels, BATCH):
            for j in range(BATCH):
                inside = begin + j < pixels
                a, b = halves(load_b32(source + uint64((begin + j if inside else begin) * channels) * uint64(2)))
                first += a if inside else float32(0)
                second += b if inside else float32(0)
        at = y + (uint64(image) * uint64(channels) + uint64(channel)) * uint64(2)
        store_b32(at, pack_f16(first * multiplier, second * multiplier))

    return average


def max_factory(kernel_h: int, kernel_w: int, element: str = "int8") -> tuple:
    """(kernel, signature, threads)"""
    make = int8_max_pool if element == "int8" else half_max_pool
    return make(kernel_h, kernel_w), MAX_SIGNATURE, THREADS


def average_factory(element: str = "int8") -> tuple:
    """(kernel, signature, threads)"""
    make = int8_global_average if element == "int8" else half_global_average
    return make(), AVERAGE_SIGNATURE, THREADS
