"""Depthwise convolution in INT8 and FP16, NHWC with channels padded to 16: each channel with a window of its own.

There is nothing for tensor cores to share. A thread has 16 bytes of channels of one output pixel: a 16-byte load for
each tap, and for int8 a dp4a with three bytes of the weights masked out for each product.
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


low_pairs = ptx("prmt.b32 $0, $1, $2, 0x5140;", u32, u32, u32, pure=True)  # bytes 0 and 1 of both, in turns
high_pairs = ptx("prmt.b32 $0, $1, $2, 0x7362;", u32, u32, u32, pure=True)
low_halves = ptx("prmt.b32 $0, $1, $2, 0x5410;", u32, u32, u32, pure=True)
high_halves = ptx("prmt.b32 $0, $1, $2, 0x7632;", u32, u32, u32, pure=True)


@inline
def turned(a, b, c, d):
    """Four pixels of four channels as four channels of four pixels."""
    ab, cd, ab_high, cd_high = low_pairs(a, b), low_pairs(c, d), high_pairs(a, b), high_pairs(c, d)
    return low_halves(ab, cd), high_halves(ab, cd), low_halves(ab_high, cd_high), high_halves(ab_high, cd_high)


@inline
def add_row(sums, x, w):
    """Four channels' sums plus a row of the window: x has four pixels of each channel, w their weights."""
    return dp4a(x[0], w[0], sums[0]), dp4a(x[1], w[1], sums[1]), dp4a(x[2], w[2], sums[2]), dp4a(x[3], w[3], sums[3])


@inline
def later(w):
    """The weights for an output one pixel further on."""
    return uint32(w[0] << uint32(8)), uint32(w[1] << uint32(8)), uint32(w[2] << uint32(8)), uint32(w[3] << uint32(8))


def make_add_pair(stride: int) -> Any:
    """add(sums, next_sums, columns, w): a row of two neighbouring outputs of four channels; w: 3 weights and a 0 each.

    With stride 1 both are inside the same four pixels, and the second one's weights are a byte further on.
    """
    if stride == 1:

        @inline
        def add(one, two, a, b, c, d, e, w):
            x = turned(a, b, c, d)
            return add_row(one, x, w), add_row(two, x, later(w))

    else:

        @inline
        def add(one, two, a, b, c, d, e, w):
            nothing = uint32(0)
            return add_row(one, turned(a, b, c, nothing), w), add_row(two, turned(c, d, e, nothing), w)

    return add


def int8_three_wide(kernel_h: int, stride: int, dependent: bool) -> Any:
    """The same for windows of 3 columns, stride 1 or 2 and no dilation; a thread has 16 channels of two outputs.

    A dp4a then multiplies a whole row of the window. w: (kernel_h, channels) words of three weights and a 0.
    """
    KERNEL_H, STRIDE, DEPENDENT, add_pair = kernel_h, stride, dependent, make_add_pair(stride)

    def depthwise(
        x, w, table, y, low, high, images, height, width, channels, out_height, out_width,
        stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w,
    ):  # fmt: skip
        i, pairs = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x, (out_width + 1) >> 1
        pair = int32(udiv(i, channels >> 4))
        channel = int32(i - pair * (channels >> 4)) * 16
        line = int32(udiv(pair, pairs))
        first = int32(pair - line * pairs) * 2
        column = first * STRIDE - pad_w
        image = int32(udiv(line, out_height))
        row = int32(line - image * out_height) * STRIDE - pad_h
        if DEPENDENT:
            sync.let_successor_start()
            sync.wait_for_predecessor()
        if image >= images:
            return
        source = x + uint64(image) * uint64(height * width * channels) + uint64(channel)
        weights = w + uint64(channel * 4)
        a = b = c = d = a2 = b2 = c2 = d2 = (int32(0), int32(0), int32(0), int32(0))
        for r in range(KERNEL_H):
            p, q, s, t, u = load_five(source, row + r, column, height, width, channels, STRIDE == 2)
            of = weights + uint64(r * channels * 4)
            a, a2 = add_pair(a, a2, p[0], q[0], s[0], t[0], u[0], load_v4_b32(of))
            b, b2 = add_pair(b, b2, p[1], q[1], s[1], t[1], u[1], load_v4_b32(of + uint64(16)))
            c, c2 = add_pair(c, c2, p[2], q[2], s[2], t[2], u[2], load_v4_b32(of + uint64(32)))
            d, d2 = add_pair(d, d2, p[3], q[3], s[3], t[3], u[3], load_v4_b32(of + uint64(48)))
        at, to = table + uint64(channel * 8), y + (uint64(line * out_width) + uint64(first)) * uint64(channels)
        store_pixel(to + uint64(channel), a, b, c, d, at, low, high)
        if first + 1 < out_width:
            store_pixel(to + uint64(channels + channel), a2, b2, c2, d2, at, low, high)

    return depthwise


@inline
def load_column(row, column, width, channels, inside):
    """16 channels of a pixel of a row, zeros outside the image."""
    exists = inside and column >= 0 and column < width
    return load_or_zeros(row + uint64((column if exists else 0) * channels), uint32(1 if exists else 0))


@inline
def load_five(image, row, column, height, width, channels, fifth):
    """The same of five neighbours from (row, column) on; fifth: whether the last of them is wanted."""
    inside = 0 <= row and row < height
    at = image + uint64(max(min(row, height - 1), 0) * width * channels)
    return (
        load_column(at, column, width, channels, inside),
        load_column(at, column + 1, width, channels, inside),
        load_column(at, column + 2, width, channels, inside),
        load_column(at, column + 3, width, channels, inside),
        load_column(at, column + 4, width, channels, inside and fifth),
    )


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


def factory(kernel_h: int, kernel_w: int, dependent: bool, element: str = "int8", pair_stride: int = 0) -> tuple:
    """(kernel, signature, threads); pair_stride: of a kernel that makes two outputs a thread."""
    if pair_stride:
        return int8_three_wide(kernel_h, pair_stride, dependent), SIGNATURE, THREADS
    make = int8_depthwise if element == "int8" else half_depthwise
    return make(kernel_h, kernel_w, dependent), SIGNATURE, THREADS
