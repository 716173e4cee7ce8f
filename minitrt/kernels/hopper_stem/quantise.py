"""A 2x2 block of every channel from rows in shared memory, quantised as `blocks.py` does, without a division.

ptxas makes a call of a division's rare cases, and runs every wgmma of a kernel that calls one by one (C7509). So the
quotient is computed with the reciprocal: once x / scale is known to within one unit in the last place, the remainder,
which a fused multiply-add gives exactly, corrects it to what a division would have rounded to.
Source: P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990, theorem 8.2.
"""

from __future__ import annotations

from typing import Any

from numba import float32, uint32

from minitrt.kernels.hopper_stem.tile import SOURCE_BYTES, RawStemTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import f32, pack_s8, ptx, u32

# (x, scale, 1 / scale, 256 * scale) -> x / scale, rounded once; what lies beyond 256 steps becomes 256 of them
QUOTIENT = (
    "{ .reg .f32 x, l, s, q, r; neg.f32 l, $4; neg.f32 s, $2; max.NaN.f32 x, $1, l; min.NaN.f32 x, x, $4; "
    "mul.rn.f32 q, x, $3; "
    "fma.rn.f32 r, s, q, x; fma.rn.f32 q, r, $3, q; "  # to within one unit in the last place
    "fma.rn.f32 r, s, q, x; fma.rn.f32 $0, r, $3, q; }"
)
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
    """block(at, i, scale, inverse, limit) -> four words of int8: channels 0 to 3 of block i of a stage.

    at: of the stage: for each channel the upper and the lower row. limit: 256 scales.
    """
    pair, CHANNELS, LINE, STEP = PAIR_OF[tile.source], tile.channels, tile.line_bytes, 2 * SOURCE_BYTES[tile.source]

    @inline
    def channel(at, scale, inverse, limit):
        top, bottom = pair(at), pair(uint32(at + LINE))
        return pack_s8(
            quotient(top[0], scale, inverse, limit),
            quotient(top[1], scale, inverse, limit),
            quotient(bottom[0], scale, inverse, limit),
            quotient(bottom[1], scale, inverse, limit),
        )

    @inline
    def block(at, i, scale, inverse, limit):
        at = uint32(at + i * STEP)
        w0 = channel(at, scale, inverse, limit)
        w1 = w2 = w3 = uint32(0)
        if CHANNELS > 1:
            w1 = channel(uint32(at + 2 * LINE), scale, inverse, limit)
        if CHANNELS > 2:
            w2 = channel(uint32(at + 4 * LINE), scale, inverse, limit)
        if CHANNELS > 3:
            w3 = channel(uint32(at + 6 * LINE), scale, inverse, limit)
        return w0, w1, w2, w3

    return block
