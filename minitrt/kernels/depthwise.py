"""Depthwise convolution in INT8 and FP16, NHWC with channels padded to 16: each channel with a window of its own.

There is nothing for tensor cores to share. A thread has 16 bytes of channels of one output pixel: a 16-byte load for
each tap, and for int8 a dp4a with three bytes of the weights masked out for each product. `depthwise_walk.py` is
faster where its window fits.
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
    load_v4_b32,
    load_v4_f32,
    pack_f16,
    pack_s8,
    ptx,
    store_v4_b32,
    u32,
    u64,
    udiv,
)

THREADS = 256
SIGNATURE = types.void(u64, u64, u64, u64, f32, f32, *[i32] * 12)
BYTES = (0xFF, 0xFF00, 0xFF0000, 0xFF000000)
B0, B1, B2, B3 = (uint32(mask) for mask in BYTES)


# 16 bytes, or zeros where the last operand is 0: without a branch, so that every load is in flight at once
load_or_zeros = ptx(
    "{ .reg .pred p; setp.ne.u32 p, $5, 0; mov.b32 $0, 0; mov.b32 $1, 0; mov.b32 $2, 0; mov.b32 $3, 0; "
    "@p ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$4]; }",
    (u32, 4), u64, u32,
)  # fmt: skip


@inline
def multiply(sums, x, w):
    """Four channels' sums plus the products of the bytes of x and w."""
    return (
        dp4a(x, w & B0, sums[0]),
        dp4a(x, w & B1, sums[1]),
        dp4a(x, w & B2, sums[2]),
        dp4a(x, w & B3, sums[3]),
    )


@inline
def finish(sums, constants, low, high):
    """Four sums as four int8: scale, bias, limits. constants: address of four scales, then of four biases 16 on."""
    scale, bias = load_v4_f32(constants), load_v4_f32(constants + uint64(16))
    return pack_s8(
        min(max(float32(sums[0]) * scale[0] + bias[0], low), high),
        min(max(float32(sums[1]) * scale[1] + bias[1], low), high),
        min(max(float32(sums[2]) * scale[2] + bias[2], low), high),
        min(max(float32(sums[3]) * scale[3] + bias[3], low), high),
    )


@inline
def place_of(i, groups, out_height, out_width):
    """-> output pixel, group of channels, image, row and column of thread i, groups fastest."""
    pixel = int32(udiv(i, groups))
    group = int32(i - pixel * groups)
    line = int32(udiv(pixel, out_width))
    column = int32(pixel - line * out_width)
    image = int32(udiv(line, out_height))
    return pixel, group, image, int32(line - image * out_height), column


def int8_depthwise(kernel_h: int, kernel_w: int, dependent: bool) -> Any:
    """depthwise(x, w, table, y, low, high, then sizes, strides, pads and dilations).

    w: int8 (taps, channels); table: float32 (channels / 4, 8), four scales and four biases. dependent: whether the
    kernel may start before its predecessor has ended (Hopper).
    """
    KERNEL_H, KERNEL_W, DEPENDENT = kernel_h, kernel_w, dependent

    def depthwise(
        x, w, table, y, low, high, images, height, width, channels, out_height, out_width,
        stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
    ):  # fmt: skip
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        pixel, group, image, line, column = place_of(i, channels >> 4, out_height, out_width)
        channel, row, column = group * 16, line * stride_h - pad_h, column * stride_w - pad_w
        if DEPENDENT:
            sync.let_successor_start()
            sync.wait_for_predecessor()
        if image >= images:
            return
        source = x + uint64(image) * uint64(height * width * channels) + uint64(channel)
        a = b = c = d = (int32(0), int32(0), int32(0), int32(0))
        for r in range(KERNEL_H):
            for s in range(KERNEL_W):
                at_row, at_column = row + r * dilation_h, column + s * dilation_w
                inside = at_row >= 0 and at_row < height and at_column >= 0 and at_column < width
                at = source + uint64((at_row * width + at_column if inside else 0) * channels)
                v = load_or_zeros(at, uint32(1 if inside else 0))
                u = load_v4_b32(w + uint64((r * KERNEL_W + s) * channels + channel))
                a, b = multiply(a, v[0], u[0]), multiply(b, v[1], u[1])
                c, d = multiply(c, v[2], u[2]), multiply(d, v[3], u[3])
        at = table + uint64(channel * 8)
        store_pixel(y + uint64(pixel) * uint64(channels) + uint64(channel), a, b, c, d, at, low, high)

    return depthwise


@inline
def store_pixel(to, a, b, c, d, at, low, high):
    """16 sums as 16 int8."""
    store_v4_b32(to, finish(a, at, low, high), finish(b, at + uint64(32), low, high),
                 finish(c, at + uint64(64), low, high), finish(d, at + uint64(96), low, high))  # fmt: skip


@inline
def add_products(sums, x, w):
    """Four channels' sums plus the products of two registers of halves."""
    a, b, c, d = halves(x[0]), halves(w[0]), halves(x[1]), halves(w[1])
    return sums[0] + a[0] * b[0], sums[1] + a[1] * b[1], sums[2] + c[0] * d[0], sums[3] + c[1] * d[1]


@inline
def finish_halves(sums, constants, low, high):
    """Four sums as two registers of halves; constants as in `finish`."""
    scale, bias = load_v4_f32(constants), load_v4_f32(constants + uint64(16))
    return pack_f16(
        min(max(sums[0] * scale[0] + bias[0], low), high), min(max(sums[1] * scale[1] + bias[1], low), high)
    ), pack_f16(
        min(max(sums[2] * scale[2] + bias[2], low), high), min(max(sums[3] * scale[3] + bias[3], low), high)
    )  # fmt: skip


def half_depthwise(kernel_h: int, kernel_w: int, dependent: bool) -> Any:
    """The same for float16 with sums in float32, and the same arguments; a thread has 8 channels."""
    KERNEL_H, KERNEL_W, DEPENDENT = kernel_h, kernel_w, dependent

    def depthwise(
        x, w, table, y, low, high, images, height, width, channels, out_height, out_width,
        stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
    ):  # fmt: skip
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        pixel, group, image, line, column = place_of(i, channels >> 3, out_height, out_width)
        channel, row, column = group * 8, line * stride_h - pad_h, column * stride_w - pad_w
        if DEPENDENT:
            sync.let_successor_start()
            sync.wait_for_predecessor()
        if image >= images:
            return
        source = x + (uint64(image) * uint64(height * width * channels) + uint64(channel)) * uint64(2)
        a = b = (float32(0), float32(0), float32(0), float32(0))
        for r in range(KERNEL_H):
            for s in range(KERNEL_W):
                at_row, at_column = row + r * dilation_h, column + s * dilation_w
                inside = at_row >= 0 and at_row < height and at_column >= 0 and at_column < width
                at = source + uint64((at_row * width + at_column if inside else 0) * channels) * uint64(2)
                v = load_or_zeros(at, uint32(1 if inside else 0))
                u = load_v4_b32(w + uint64((r * KERNEL_W + s) * channels + channel) * uint64(2))
                a = add_products(a, (v[0], v[1]), (u[0], u[1]))
                b = add_products(b, (v[2], v[3]), (u[2], u[3]))
        at = table + uint64(channel * 8)
        first, second = finish_halves(a, at, low, high), finish_halves(b, at + uint64(32), low, high)
        to = y + (uint64(pixel) * uint64(channels) + uint64(channel)) * uint64(2)
        store_v4_b32(to, first[0], first[1], second[0], second[1])

    return depthwise


def factory(kernel_h: int, kernel_w: int, dependent: bool, element: str = "int8") -> tuple:
    """(kernel, signature, threads)"""
    make = int8_depthwise if element == "int8" else half_depthwise
    return make(kernel_h, kernel_w, dependent), SIGNATURE, THREADS
