"""From a lane's sums to its outputs: scale, bias, residual, activation, and 8 neighbouring channels in one store."""

from __future__ import annotations

from typing import Any

from numba import float32, int32, types

from minitrt.backend import cuda
from minitrt.kernels import words
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.activations import activation
from minitrt.kernels.ptx import pack_f16, pack_s8
from minitrt.kernels.tensor_conv.tile import Tile

CHANNELS = 8  # of a lane, in a row
ZERO, ONE = float32(0), float32(1)


def make_residual(kind: str) -> Any:
    """add(v, r, word, multiplier): v[0:8] += what lies from word `word` of r on."""
    B, H = words.BYTE, words.HALF
    B0, B1, B2, B3, H0, H1 = *B, *H
    if kind == "int8":

        @inline
        def add(v, r, at, multiplier):
            got = words.load2(r, at // 4)
            for n in range(2):
                v[4 * n] += float32(B0(got[n])) * multiplier
                v[4 * n + 1] += float32(B1(got[n])) * multiplier
                v[4 * n + 2] += float32(B2(got[n])) * multiplier
                v[4 * n + 3] += float32(B3(got[n])) * multiplier

    else:

        @inline
        def add(v, r, at, multiplier):
            got = words.load4(r, at // 2)
            for n in range(4):
                v[2 * n] += H0(got[n]) * multiplier
                v[2 * n + 1] += H1(got[n]) * multiplier

    return add


def make_writer(output: str) -> Any:
    """write(v, y, y_float, at, count): v[0:8] as elements from `at` on; float32 only `count` of them."""
    if output == "int8":

        @inline
        def write(v, y, y_float, at, count):
            words.store2(y, at // 4, (pack_s8(v[0], v[1], v[2], v[3]), pack_s8(v[4], v[5], v[6], v[7])))

    elif output == "float16":

        @inline
        def write(v, y, y_float, at, count):
            low = pack_f16(v[0], v[1]), pack_f16(v[2], v[3])
            words.store4(y, at // 2, (low[0], low[1], pack_f16(v[4], v[5]), pack_f16(v[6], v[7])))

    else:

        @inline
        def write(v, y, y_float, at, count):
            for n in range(CHANNELS):
                if n < count:
                    y_float[at + n] = v[n]

    return write


def make_finish(tile: Tile, output: str, residual: str, name: str) -> Any:
    """finish(sums, row, channel, ...): every output of a lane, which begins at pixel `row` and channel `channel`.

    numbers: the residual's multiplier, alpha and beta of the activation, low, high, scale of the output.
    """
    add, write, activate = make_residual(residual), make_writer(output), activation(name)
    RESIDUAL, QUANTISED, LIMITS_ALONE = residual != "none", output == "int8", name == "none"
    GROUPS = tile.row_groups

    @inline
    def finish(sums, row, channel, table, r, y, y_float, numbers, pixels, out_channels, stored_out):
        residual_multiplier, alpha, beta, low, high, y_scale = numbers
        scales = cuda.local.array(CHANNELS, types.float32)
        biases = cuda.local.array(CHANNELS, types.float32)
        v = cuda.local.array(CHANNELS, types.float32)
        for n in range(CHANNELS):
            scales[n], biases[n] = table[2 * (channel + n)], table[2 * (channel + n) + 1]
        for i in range(2 * GROUPS):  # upper and lower rows of each group
            p = int32(row + i * 8)
            if p < pixels and channel < stored_out:
                at = p * stored_out + channel
                for n in range(CHANNELS):
                    total = sums[((i // 2) * 4 + n // 2) * 4 + (i % 2) * 2 + n % 2]
                    v[n] = float32(total) * scales[n] + biases[n]
                if RESIDUAL:
                    add(v, r, at, residual_multiplier)
                for n in range(CHANNELS):
                    u = min(max(v[n], low), high) if v[n] == v[n] else v[n]
                    if not LIMITS_ALONE:
                        u = activate(u, alpha, beta) / (y_scale if QUANTISED else ONE)
                    v[n] = u if channel + n < out_channels else ZERO  # padding stays zero
                write(v, y, y_float, at, stored_out - channel)

    return finish
