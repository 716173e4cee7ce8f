"""Depthwise convolution with windows of 3 x 3 and a stride of 1 or 2: a thread walks down the rows of an image.

It has 8 bytes of channels of two neighbouring columns of the result. Rows of the window that the next result needs,
too, stay in registers, and so do weights and scales; the rows after them are under way while it multiplies.
`depthwise.py` is the same sum for any window, each result on its own.
"""

from __future__ import annotations

from typing import Any

from numba import int32, int64, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.depthwise_windows import CHANNELS, OF_TYPE
from minitrt.kernels.hopper import sync
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import f32, i32, ptx, u32, u64, udiv

THREADS = 64
SIGNATURE = types.void(u64, u64, u64, u64, f32, f32, *[i32] * 9)

# 8 bytes, or zeros where the last operand is 0: without a branch, so that every load is in flight at once
load8 = ptx(
    "{ .reg .pred p; setp.ne.u32 p, $3, 0; mov.b32 $0, 0; mov.b32 $1, 0; @p ld.global.nc.v2.b32 {$0, $1}, [$2]; }",
    (u32, 2), u64, u32,
)  # fmt: skip
store8 = ptx("{ .reg .pred p; setp.ne.u32 p, $3, 0; @p st.global.v2.b32 [$0], {$1, $2}; }", None, u64, u32, u32, u32)


def make_load(stride: int) -> Any:
    """load(at, wanted, row, height, step, columns) -> five pixels from an address.

    Zeros where the row is outside the image, a bit of `columns` is 0, or `wanted` is. step: bytes from pixel to pixel.
    """
    FIFTH = uint32(16 if stride == 2 else 0)

    @inline
    def load(at, wanted, row, height, step, columns):
        bits = columns if wanted and row >= 0 and row < height else uint32(0)
        return (
            load8(at, bits & uint32(1)), load8(at + step, bits & uint32(2)), load8(at + step + step, bits & uint32(4)),
            load8(at + step + step + step, bits & uint32(8)), load8(at + step + step + step + step, bits & FIFTH),
        )  # fmt: skip

    return load


@inline
def inside(left, width):
    """A bit for each of five columns from `left` on that the image has."""
    bits = uint32(0)
    for k in range(5):
        bits |= uint32(1 << k) if left + k >= 0 and left + k < width else uint32(0)
    return bits


@inline
def place_of(i, groups, pairs, parts):
    """-> group of channels, pair of columns, part of the rows and image of thread i, groups fastest."""
    pair = int32(udiv(i, groups))
    part = int32(udiv(pair, pairs))
    image = int32(udiv(part, parts))
    return int32(i - pair * groups), int32(pair - part * pairs), int32(part - image * parts), image


def make_walk(element: str, stride: int) -> Any:
    """walk(at, to, row, line, last, height, edges, sizes, weights, constants): results from `line` to `last`.

    at: the thread's first pixel of image row `row`; to: its first result. edges: columns of `load`, and whether there
    is a second result; sizes: bytes from pixel to pixel, from row to row, and the same of the result; weights: of three
    rows, as `depthwise_windows.py` loads them; constants: scales, biases, low, high.
    """
    STRIDE, load, (first, second, _, _, result) = stride, make_load(stride), OF_TYPE[element](stride)

    @inline
    def walk(at, to, row, line, last, height, edges, sizes, weights, constants):
        (columns, paired), (step, pitch, result_pitch) = edges, sizes
        (u, u2), (v, v2), (w, w2) = weights
        raw = load(at, True, row, height, step, columns)
        a, a2 = first(raw), second(raw)
        row, at, b, b2 = row + 1, at + pitch, a, a2
        if STRIDE == 1:
            raw = load(at, True, row, height, step, columns)
            row, at, b, b2 = row + 1, at + pitch, first(raw), second(raw)
        raw = load(at, True, row, height, step, columns)
        more = load(at + pitch, STRIDE == 2, row + 1, height, step, columns)
        while line < last:
            if STRIDE == 2:
                b, b2, raw = first(raw), second(raw), more
            c, c2 = first(raw), second(raw)
            row, at = row + STRIDE, at + pitch * uint64(STRIDE)
            raw = load(at, True, row, height, step, columns)
            more = load(at + pitch, STRIDE == 2, row + 1, height, step, columns)
            one, two = result(a, b, c, u, v, w, constants)
            store8(to, one, two, uint32(1))
            one, two = result(a2, b2, c2, u2, v2, w2, constants)
            store8(to + step, one, two, paired)
            a, a2 = (b, b2) if STRIDE == 1 else (c, c2)
            b, b2 = c, c2
            line, to = line + 1, to + result_pitch

    return walk


def factory(element: str, stride: int, dependent: bool) -> tuple:
    """(kernel, signature, threads) for one type and one stride of both axes.

    kernel(x, w, table, y, low, high, images, height, width, channels, out_height, out_width, pad_h, pad_w, rows)
    w: as `depthwise_windows.py` says for the type; table: float32 (channels / 4, 8), four scales and four biases;
    rows: of the result that a thread walks over. dependent: whether the kernel may start before its predecessor has
    ended (Hopper).
    """
    STRIDE, DEPENDENT, OWN, ITEM = stride, dependent, CHANNELS[element], 8 // CHANNELS[element]
    walk_down, (_, _, load_weights, load_constants, _) = make_walk(element, stride), OF_TYPE[element](stride)

    def walk(x, w, table, y, low, high, images, height, width, channels, out_height, out_width, pad_h, pad_w, rows):
        i, parts = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x, int32(udiv(out_height + rows - 1, rows))
        group, pair, part, image = place_of(i, int32(udiv(channels, OWN)), (out_width + 1) >> 1, parts)
        if DEPENDENT:
            sync.let_successor_start()
        if image >= images:
            return
        channel, column, line = group * OWN, pair * 2, part * rows
        weights = load_weights(w, channel, channels)
        scales, biases = load_constants(table, channel)

        row, left, step = line * STRIDE - pad_h, column * STRIDE - pad_w, uint64(channels * ITEM)
        sizes = step, uint64(width) * step, uint64(out_width) * step
        pixel = int64(row) * int64(width) + int64(left)
        at = x + uint64(image) * uint64(height) * sizes[1] + uint64(pixel * int64(channels * ITEM)) + uint64(group * 8)
        to = y + uint64((image * out_height + line) * out_width + column) * step + uint64(group * 8)
        edges = inside(left, width), uint32(1 if column + 1 < out_width else 0)
        if DEPENDENT:
            sync.wait_for_predecessor()
        constants, last = (scales, biases, low, high), min(line + rows, out_height)
        walk_down(at, to, row, line, last, height, edges, sizes, weights, constants)

    return walk, SIGNATURE, THREADS
