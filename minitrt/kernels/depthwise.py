"""INT8 depthwise convolution, NHWC with channels padded to 16: each channel with a window of its own.

There is nothing for tensor cores to share. A thread has 16 channels of one output pixel: a 16-byte load for each tap,
and a dp4a with three bytes of the weights masked out for each product.
"""

from __future__ import annotations

from typing import Any

from numba import float32, int32, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import sync
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import dp4a, f32, i32, load_v4_b32, load_v4_f32, pack_s8, store_v4_b32, u64, udiv

THREADS = 256
SIGNATURE = types.void(u64, u64, u64, u64, f32, f32, *[i32] * 12)
BYTES = (0xFF, 0xFF00, 0xFF0000, 0xFF000000)
B0, B1, B2, B3 = (uint32(mask) for mask in BYTES)


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
        pixel = int32(udiv(i, channels >> 4))
        channel = int32(i - pixel * (channels >> 4)) * 16
        line = int32(udiv(pixel, out_width))
        column = int32(pixel - line * out_width) * stride_w - pad_w
        image = int32(udiv(line, out_height))
        row = int32(line - image * out_height) * stride_h - pad_h
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
                if at_row >= 0 and at_row < height and at_column >= 0 and at_column < width:
                    v = load_v4_b32(source + uint64((at_row * width + at_column) * channels))
                    u = load_v4_b32(w + uint64((r * KERNEL_W + s) * channels + channel))
                    a, b = multiply(a, v[0], u[0]), multiply(b, v[1], u[1])
                    c, d = multiply(c, v[2], u[2]), multiply(d, v[3], u[3])
        at = table + uint64(channel * 8)
        store_v4_b32(y + uint64(pixel) * uint64(channels) + uint64(channel), finish(a, at, low, high),
                     finish(b, at + uint64(32), low, high), finish(c, at + uint64(64), low, high),
                     finish(d, at + uint64(96), low, high))  # fmt: skip

    return depthwise


def factory(kernel_h: int, kernel_w: int, dependent: bool) -> tuple:
    """(kernel, signature, threads)"""
    return int8_depthwise(kernel_h, kernel_w, dependent), SIGNATURE, THREADS
