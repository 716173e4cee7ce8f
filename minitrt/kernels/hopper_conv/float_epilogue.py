"""The other end of an INT8 convolution: its sums as float32 in global memory, for an output that is not quantised.

    y[pixel, channel] = activation(fma(float(sum), scale[k], bias[k]))

Each thread stores its own sums, eight rows of 32 bytes at a time; what lies outside the output is not stored. Meant for
small outputs such as logits: a large one costs four times the bytes anyway.
"""

from __future__ import annotations

from typing import Any

from minitrt.kernels.hopper import wgmma
from minitrt.kernels.hopper_conv.epilogue import CHANNELS_APART, as_float
from minitrt.kernels.hopper_conv.tile import ROW_GROUP, ConvTile
from minitrt.kernels.ptx import F32, I32, I64, VOID, emit, emit_pure, f32, i32, u64
from simt.compilers.low_level import intrinsic, ir, types

LIMITED = {
    "none": "mov.f32 $0, $1;",
    "relu": "max.NaN.f32 $0, $1, 0f00000000;",
    "clip": "{ .reg .f32 t; max.NaN.f32 t, $1, $2; min.NaN.f32 $0, t, $3; }",
}
# stored where the pixel ($2 of $3) and the channel ($4 of $5) are inside the output
STORE = "{ .reg .pred p, q; setp.lt.s32 p, $2, $3; setp.lt.and.s32 q, $4, $5, p; @q st.global.f32 [$0], $1; }"


def make_float_epilogue(tile: ConvTile) -> Any:
    """An intrinsic (sums, constants, low, high, address, row_bytes, pixel, pixels, channel, channels).

    address: of y[pixel, channel] for the thread's first pixel 2t and its first channel 2g.
    """
    registers, neighbour = tile.pixels // 2, CHANNELS_APART[tile.element]
    kind = wgmma.sums_of(tile.element, registers * tile.row_groups)
    constants_kind = types.UniTuple(f32, 4 * tile.row_groups)
    signature = types.void(kind, constants_kind, f32, f32, u64, i32, i32, i32, i32, i32)

    @intrinsic
    def epilogue(typing_context, sums, constants, low, high, address, row_bytes, pixel, pixels, channel, channels):
        def codegen(context, b, s, a):
            sums, constants, low, high, address, row_bytes, pixel, pixels, channel, channels = a
            pitch = b.sext(row_bytes, I64)
            for group in range(tile.row_groups):
                for of in range(registers):
                    second, odd = of % 4 // 2, of % 2
                    shift = ROW_GROUP * group + neighbour * second
                    number = as_float(b, b.extract_value(sums, group * registers + of))
                    scale = b.extract_value(constants, 4 * group + second)
                    bias = b.extract_value(constants, 4 * group + 2 + second)
                    value = emit_pure(
                        b, F32, LIMITED[tile.activation], [b.fma(number, scale, bias), low, high], "=f,f,f,f"
                    )
                    row = of // 4 * 8 + odd
                    at = b.add(address, b.add(b.mul(pitch, ir.Constant(I64, row)), ir.Constant(I64, 4 * shift)))
                    where = [
                        b.add(pixel, ir.Constant(I32, row)),
                        pixels,
                        b.add(channel, ir.Constant(I32, shift)),
                        channels,
                    ]
                    emit(b, VOID, STORE, [at, value, *where], "l,f,r,r,r,r,~{memory}")
            return context.get_dummy_value()

        return signature, codegen

    return epilogue
