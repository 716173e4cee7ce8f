"""A 2x2 block of every channel from rows in shared memory, quantised as `blocks.py` does, without a division.

ptxas makes a call of a division's rare cases, and runs every wgmma of a kernel that calls one by one (C7509). So x is
multiplied by the reciprocal in two parts, which differs from the quotient by 2^-47 of it at most before it is rounded.
`minitrt.tactics.hopper.reciprocal` finds out whether that ever rounds to another int8 for a given scale.
"""

from __future__ import annotations

from typing import Any

from numba import float32, uint32

from minitrt.kernels.hopper_stem.tile import SOURCE_BYTES, RawStemTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import f32, pack_s8, ptx, u32

# (x, high, low, limit) -> x * (high + low), rounded once, its magnitude at most limit * (high + low); NaN stays NaN
QUOTIENT = "{ .reg .f32 x, t; min.NaN.xorsign.abs.f32 x, $1, $4; mul.rn.f32 t, x, $3; fma.rn.f32 $0, x, $2, t; }"
quotient = ptx(QUOTIENT, f32, f32, f32, f32, f32, pure=True)
load_floats = ptx("ld.shared.v2.f32 {$0, $1}, [$2];", (f32, 2), u32)
load_bytes = ptx("{ .reg .u16 t; ld.shared.u16 t, [$1]; cvt.u32.u16 $0, t; }", u32, u32)


@inline
def two_floats(at):
    return load_floats(at)


@inline
def two_bytes(at):
    both = load_bytes(at)
    return float32(both & uint32(255)), float32(both >> uint32(8))


PAIR_OF = {"float32": two_floats, "uint8": two_bytes}


def make_block(tile: RawStemTile) -> Any:
    """block(at, i, high, low, limit) -> four words of int8: channels 0 to 3 of block i of a stage.

    at: of the stage, for each channel the upper and the lower row; high, low: the scale's reciprocal; limit: 256 of the
    scale.
    """
    pair, CHANNELS, LINE, STEP = PAIR_OF[tile.source], tile.channels, tile.line_bytes, 2 * SOURCE_BYTES[tile.source]

    @inline
    def channel(at, high, low, limit):
        top, bottom = pair(at), pair(uint32(at + LINE))
        return pack_s8(
            quotient(top[0], high, low, limit),
            quotient(top[1], high, low, limit),
            quotient(bottom[0], high, low, limit),
            quotient(bottom[1], high, low, limit),
        )

    @inline
    def block(at, i, high, low, limit):
        at = uint32(at + i * STEP)
        w0 = channel(at, high, low, limit)
        w1 = w2 = w3 = uint32(0)
        if CHANNELS > 1:
            w1 = channel(uint32(at + 2 * LINE), high, low, limit)
        if CHANNELS > 2:
            w2 = channel(uint32(at + 4 * LINE), high, low, limit)
        if CHANNELS > 3:
            w3 = channel(uint32(at + 6 * LINE), high, low, limit)
        return w0, w1, w2, w3

    return block
