"""Rows of a 3 x 3 window, as the threads of `depthwise_walk.py` multiply them: eight channels in INT8, four in FP16.

Each type has the same five functions:
    first(row), second(row)     -> what of a row of pixels as it is read belongs to each of the thread's two results
    weights(w, channel, channels) -> of three rows, each (for the first result, for the second)
    constants(table, channel)   -> (scales, biases)
    result(x, y, z, u, v, w, (scales, biases, low, high)) -> rows x, y, z with weights u, v, w, in two registers
A row is five pixels of two registers.
"""

from __future__ import annotations

from typing import Any

from numba import float32, int32, uint32, uint64

from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import dp4a, halves, load_v2_b32, load_v4_b32, load_v4_f32, pack_f16, pack_s8, ptx, u32

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
def later(w):
    """The weights for an output one pixel further on."""
    return uint32(w[0] << uint32(8)), uint32(w[1] << uint32(8)), uint32(w[2] << uint32(8)), uint32(w[3] << uint32(8))


@inline
def limited(total, scale, bias, low, high):
    return min(max(float32(total) * scale + bias, low), high)


@inline
def by_channel(a, b, c, d):
    """Four pixels of eight channels as eight channels of four pixels, as dp4a wants them."""
    return turned(a[0], b[0], c[0], d[0]) + turned(a[1], b[1], c[1], d[1])


@inline
def add_words(sums, x, w):
    """Eight channels' sums plus a row of the window: x has four pixels of each, w their weights."""
    return (
        dp4a(x[0], w[0], sums[0]), dp4a(x[1], w[1], sums[1]), dp4a(x[2], w[2], sums[2]), dp4a(x[3], w[3], sums[3]),
        dp4a(x[4], w[4], sums[4]), dp4a(x[5], w[5], sums[5]), dp4a(x[6], w[6], sums[6]), dp4a(x[7], w[7], sums[7]),
    )  # fmt: skip


@inline
def int8_constants(table, channel):
    at = table + uint64(channel * 8)
    return (
        load_v4_f32(at) + load_v4_f32(at + uint64(32)),
        load_v4_f32(at + uint64(16)) + load_v4_f32(at + uint64(48)),
    )


@inline
def int8_result(x, y, z, u, v, w, constants):
    scales, biases, low, high = constants
    nothing = int32(0)
    none = (nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    s = add_words(add_words(add_words(none, x, u), y, v), z, w)
    return pack_s8(
        limited(s[0], scales[0], biases[0], low, high), limited(s[1], scales[1], biases[1], low, high),
        limited(s[2], scales[2], biases[2], low, high), limited(s[3], scales[3], biases[3], low, high),
    ), pack_s8(
        limited(s[4], scales[4], biases[4], low, high), limited(s[5], scales[5], biases[5], low, high),
        limited(s[6], scales[6], biases[6], low, high), limited(s[7], scales[7], biases[7], low, high),
    )  # fmt: skip


def of_int8(stride: int) -> tuple[Any, ...]:
    """The functions for INT8. w: words (3, channels) of three weights and a 0.

    With stride 1 both results' pixels are among the same four, and the second one's weights are a byte further on.
    """
    SHIFTED = stride == 1

    @inline
    def first(row):
        return by_channel(row[0], row[1], row[2], row[3])  # the weight of the fourth is 0, or the second result's

    @inline
    def second(row):
        if SHIFTED:
            return by_channel(row[0], row[1], row[2], row[3])
        else:
            return by_channel(row[2], row[3], row[4], row[4])

    @inline
    def of_row(at):
        low, high = load_v4_b32(at), load_v4_b32(at + uint64(16))
        if SHIFTED:
            return low + high, later(low) + later(high)
        else:
            return low + high, low + high

    @inline
    def weights(w, channel, channels):
        at, row = w + uint64(channel * 4), uint64(channels * 4)
        return of_row(at), of_row(at + row), of_row(at + row + row)

    return first, second, weights, int8_constants, int8_result


@inline
def widened(pixel):
    """Four halves of two registers as floats."""
    return halves(pixel[0]) + halves(pixel[1])


@inline
def add_pixel(sums, x, w):
    """Four channels' sums plus a pixel's products."""
    a = widened(x)
    return sums[0] + a[0] * w[0], sums[1] + a[1] * w[1], sums[2] + a[2] * w[2], sums[3] + a[3] * w[3]


@inline
def add_halves(sums, x, w):
    """The same of a row of three pixels."""
    return add_pixel(add_pixel(add_pixel(sums, x[0], w[0]), x[1], w[1]), x[2], w[2])


@inline
def tap(w, channel, channels, place):
    return widened(load_v2_b32(w + uint64((place * channels + channel) * 2)))


@inline
def half_weights(w, channel, channels):
    a = tap(w, channel, channels, 0), tap(w, channel, channels, 1), tap(w, channel, channels, 2)
    b = tap(w, channel, channels, 3), tap(w, channel, channels, 4), tap(w, channel, channels, 5)
    c = tap(w, channel, channels, 6), tap(w, channel, channels, 7), tap(w, channel, channels, 8)
    return (a, a), (b, b), (c, c)


@inline
def half_constants(table, channel):
    at = table + uint64(channel * 8)
    return load_v4_f32(at), load_v4_f32(at + uint64(16))


@inline
def half_result(x, y, z, u, v, w, constants):
    scales, biases, low, high = constants
    nothing = float32(0)
    s = add_halves(add_halves(add_halves((nothing, nothing, nothing, nothing), x, u), y, v), z, w)
    return pack_f16(
        limited(s[0], scales[0], biases[0], low, high), limited(s[1], scales[1], biases[1], low, high)
    ), pack_f16(
        limited(s[2], scales[2], biases[2], low, high), limited(s[3], scales[3], biases[3], low, high)
    )  # fmt: skip


def of_float16(stride: int) -> tuple[Any, ...]:
    """The functions for FP16, with sums in float32. w: float16 (9, channels)."""
    NEXT = stride == 1

    @inline
    def first(row):
        return row[0], row[1], row[2]

    @inline
    def second(row):
        if NEXT:
            return row[1], row[2], row[3]
        else:
            return row[2], row[3], row[4]

    return first, second, half_weights, half_constants, half_result


OF_TYPE = {"int8": of_int8, "float16": of_float16}
CHANNELS = {"int8": 8, "float16": 4}  # of a thread
