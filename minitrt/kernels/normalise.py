"""Layer normalisation of rows that lie in one piece: a warp a row, 8 elements of it a thread at a time.

    y = (x - mean) / sqrt(variance + epsilon) * scale[i] + bias[i]

Sums of int8 are whole numbers: dp4a counts x and x^2, so mean and variance are exact before one rounding. Floating rows
are read three times, which costs little while they are in L1. `minitrt.kernels.plain.rows` has any other case.
"""

from __future__ import annotations

import math
from typing import Any

from numba import float32, int32, int64, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import sync
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.rows import WARP, plus
from minitrt.kernels.ptx import (
    bytes_of,
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
)

THREADS, LANE_ELEMENTS = 256, 8
SIGNATURE = types.void(u64, u64, u64, f32, f32, i32, i32)
ONES = uint32(0x01010101)

load_v2_b32 = ptx("ld.global.nc.v2.b32 {$0, $1}, [$2];", (u32, 2), u64)
store_v2_b32 = ptx("st.global.v2.b32 [$0], {$1, $2};", None, u64, u32, u32)
store_v4_f32 = ptx("st.global.v4.f32 [$0], {$1, $2, $3, $4};", None, u64, f32, f32, f32, f32)


@inline
def warp_sum(v):
    for distance in (16, 8, 4, 2, 1):
        v = plus(v, cuda.shfl_xor_sync(0xFFFFFFFF, v, distance))
    return v


def make_read(source: str) -> Any:
    """read(address) -> 8 floats."""

    @inline
    def int8(address):
        a, b = load_v2_b32(address)
        return bytes_of(a) + bytes_of(b)

    @inline
    def float16(address):
        a, b, c, d = load_v4_b32(address)
        return halves(a) + halves(b) + halves(c) + halves(d)

    @inline
    def float_32(address):
        return load_v4_f32(address) + load_v4_f32(address + uint64(16))

    return {"int8": int8, "float16": float16, "float32": float_32}[source]


def make_write(target: str) -> Any:
    """write(address, 8 floats)."""

    @inline
    def int8(y, v):
        store_v2_b32(y, pack_s8(v[0], v[1], v[2], v[3]), pack_s8(v[4], v[5], v[6], v[7]))

    @inline
    def float16(y, v):
        store_v4_b32(y, pack_f16(v[0], v[1]), pack_f16(v[2], v[3]), pack_f16(v[4], v[5]), pack_f16(v[6], v[7]))

    @inline
    def float_32(y, v):
        store_v4_f32(y, v[0], v[1], v[2], v[3])
        store_v4_f32(y + uint64(16), v[4], v[5], v[6], v[7])

    return {"int8": int8, "float16": float16, "float32": float_32}[target]


def make_moments(source: str, item: int) -> Any:
    """moments(x, length, lane) -> (mean, variance) of a row, in stored units."""
    read, STEP, ITEM = make_read(source), WARP * LANE_ELEMENTS, item

    @inline
    def whole(x, length, lane):
        total, squares = int32(0), int32(0)
        for i in range(lane * LANE_ELEMENTS, length, STEP):
            a, b = load_v2_b32(x + uint64(i))
            total, squares = dp4a(b, ONES, dp4a(a, ONES, total)), dp4a(b, b, dp4a(a, a, squares))
        total, squares = warp_sum(total), warp_sum(squares)
        spread = int64(length) * int64(squares) - int64(total) * int64(total)
        many = float32(1) / float32(length)
        return float32(total) * many, float32(spread) * many * many

    @inline
    def floating(x, length, lane):
        total = float32(0)
        for i in range(lane * LANE_ELEMENTS, length, STEP):
            v = read(x + uint64(i * ITEM))
            total += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]))
        mean, squares = warp_sum(total) / float32(length), float32(0)
        for i in range(lane * LANE_ELEMENTS, length, STEP):
            for value in read(x + uint64(i * ITEM)):
                squares += (value - mean) * (value - mean)
        return mean, warp_sum(squares) / float32(length)

    return whole if source == "int8" else floating


ITEMS = {"int8": 1, "float16": 2, "float32": 4}


def normalise(source: str, target: str, dependent: bool) -> Any:
    """norm(x, y, table, x_scale, epsilon, rows, length); length is a multiple of 8.

    table: float32 (length / 8, 16), eight scales and eight biases, both over the output's scale.
    """
    read, write, moments = make_read(source), make_write(target), make_moments(source, ITEMS[source])
    IN, OUT, STEP, DEPENDENT = ITEMS[source], ITEMS[target], WARP * LANE_ELEMENTS, dependent

    def norm(x, y, table, x_scale, epsilon, rows, length):
        row, lane = int32(cuda.blockIdx.x * (cuda.blockDim.x >> 5) + (cuda.threadIdx.x >> 5)), cuda.threadIdx.x & 31
        if DEPENDENT:
            sync.let_successor_start()
            sync.wait_for_predecessor()
        if row < rows:
            x += uint64(row) * uint64(length * IN)
            y += uint64(row) * uint64(length * OUT)
            mean, variance = moments(x, length, lane)
            factor = x_scale / math.sqrt(variance * x_scale * x_scale + epsilon)
            for i in range(lane * LANE_ELEMENTS, length, STEP):
                at, v = table + uint64(i * 8), read(x + uint64(i * IN))
                s, t = load_v4_f32(at), load_v4_f32(at + uint64(16))
                b, c = load_v4_f32(at + uint64(32)), load_v4_f32(at + uint64(48))
                write(y + uint64(i * OUT), (
                    (v[0] - mean) * factor * s[0] + b[0], (v[1] - mean) * factor * s[1] + b[1],
                    (v[2] - mean) * factor * s[2] + b[2], (v[3] - mean) * factor * s[3] + b[3],
                    (v[4] - mean) * factor * t[0] + c[0], (v[5] - mean) * factor * t[1] + c[1],
                    (v[6] - mean) * factor * t[2] + c[2], (v[7] - mean) * factor * t[3] + c[3],
                ))  # fmt: skip

    return norm


def factory(source: str, target: str, dependent: bool) -> tuple:
    """(kernel, signature, threads)"""
    return normalise(source, target, dependent), SIGNATURE, THREADS
