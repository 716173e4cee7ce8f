"""The end of an INT8 convolution: int32 sums to int8 pixels in shared memory, with scale, bias, residual, activation.

    v = fma(float(sum), scale[k], bias[k]);  v = fma(residual, residual_multiplier, v);  v = activation(v)
    y = saturate(rint(v))

**No transposes.** Within each 16 rows of weights, row g is channel 2g and row 8 + g channel 2g + 1. A thread's four
sums are then two neighbouring channels of two neighbouring pixels: packed to bytes they are one register of an 8x8
fragment of 16-bit elements, and `stmatrix.trans` writes 16 contiguous channels of each pixel. `ldmatrix.trans` reads
the residual the same way, from the slot that the result then overwrites.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.cuda.extending import intrinsic

from minitrt.kernels.int8_conv.tile import ConvTile
from minitrt.kernels.ptx import F32, I32, VOID, emit, emit_pure, f32, i32, struct, u32, unpack

PIXELS_PER_FRAGMENT = 8
# The four bytes of a packed register in the order of the sums: (channel 2g, 2g+1) of pixel 2t, then of pixel 2t+1.
SUM_OF_BYTE = (0, 2, 1, 3)
PACK = (
    "{ .reg .s32 a, b, c, d; cvt.rni.s32.f32 a, $1; cvt.rni.s32.f32 b, $2; cvt.rni.s32.f32 c, $3; "
    "cvt.rni.s32.f32 d, $4; cvt.pack.sat.s8.s32.b32 c, d, c, 0; cvt.pack.sat.s8.s32.b32 $0, b, a, c; }"
)


def make_epilogue(tile: ConvTile) -> Any:
    """An intrinsic (sums, constants, residual_multiplier, low, high, address): one warpgroup's tile into shared memory.

    constants: scale of channels 2g and 2g+1, bias of both, for each row group. address: this lane's 16 bytes of the
    first eight pixels, swizzle included.
    """
    registers, row = tile.pixels // 2, tile.output_row
    kind = types.UniTuple(i32, registers * tile.row_groups)
    signature = types.void(kind, types.UniTuple(f32, 4 * tile.row_groups), f32, f32, f32, u32)
    stores = list(_stores(tile.pixels // PIXELS_PER_FRAGMENT))

    @intrinsic
    def epilogue(typing_context, sums, constants, residual_multiplier, low, high, address):
        def codegen(context, b, s, a):
            sums, constants, multiplier, low, high, address = a
            for group in range(tile.row_groups):
                k = [b.extract_value(constants, 4 * group + i) for i in range(4)]
                base = b.xor(address, ir.Constant(I32, 64 * group))  # the second 64 channels of a row of 128 bytes
                for first, count in stores:
                    at = b.add(base, ir.Constant(I32, first * PIXELS_PER_FRAGMENT * row))
                    residual = _load_fragments(b, at, count) if tile.residual else [None] * count
                    words = []
                    for fragment in range(count):
                        start = group * registers + 4 * (first + fragment)
                        four = [b.extract_value(sums, start + i) for i in range(4)]
                        values = _scaled(b, four, k, residual[fragment], multiplier)
                        words.append(_packed(b, values, tile.activation, low, high))
                    _store_fragments(b, at, words)
            return context.get_dummy_value()

        return signature, codegen

    return epilogue


def _stores(fragments: int) -> Iterator[tuple[int, int]]:
    """(first fragment, how many) of each stmatrix: four at a time, then two, then one."""
    first = 0
    while first < fragments:
        count = next(size for size in (4, 2, 1) if first + size <= fragments)
        yield first, count
        first += count


def _load_fragments(b: Any, address: Any, count: int) -> list:
    operands = ", ".join(f"${i}" for i in range(count))
    text = f"ldmatrix.sync.aligned.m8n8.x{count}.trans.shared.b16 {{{operands}}}, [${count}];"
    loaded = emit(b, struct(I32, count), text, [address], ",".join(["=r"] * count + ["r", "~{memory}"]))
    return unpack(b, loaded, count)


def _store_fragments(b: Any, address: Any, words: list) -> None:
    operands = ", ".join(f"${i + 1}" for i in range(len(words)))
    text = f"stmatrix.sync.aligned.m8n8.x{len(words)}.trans.shared.b16 [$0], {{{operands}}};"
    emit(b, VOID, text, [address, *words], ",".join(["r"] * (len(words) + 1) + ["~{memory}"]))


def _scaled(b: Any, sums: list, constants: list, residual: Any, multiplier: Any) -> list:
    """The four values of one register, in byte order."""
    values = []
    for byte, of in enumerate(SUM_OF_BYTE):
        channel = byte % 2
        value = b.fma(b.sitofp(sums[of], F32), constants[channel], constants[2 + channel])
        if residual is not None:
            value = b.fma(_byte_to_float(b, residual, byte), multiplier, value)
        values.append(value)
    return values


def _byte_to_float(b: Any, word: Any, byte: int) -> Any:
    """A signed byte of a register as a float, exactly.

    The byte, its sign bit flipped, becomes the low mantissa of 2^23; subtracting 2^23 + 128 leaves its value. PRMT and
    FADD run at four and eight times the rate of I2F on bytes.
    """
    flipped = b.xor(word, ir.Constant(I32, 0x80808080))
    text = f"prmt.b32 $0, $1, 0x4B000000, 0x{0x7440 | byte:x};"
    return b.fsub(b.bitcast(emit_pure(b, I32, text, [flipped], "=r,r"), F32), ir.Constant(F32, 8388736.0))


def _packed(b: Any, values: list, activation: str, low: Any, high: Any) -> Any:
    """Four floats as four int8 after the activation. ReLU clears the bytes whose sign bit is set: two instructions."""
    if activation == "clip":
        values = [
            emit_pure(b, F32, "{ .reg .f32 t; max.f32 t, $1, $2; min.f32 $0, t, $3; }", [v, low, high], "=f,f,f,f")
            for v in values
        ]
    word = emit_pure(b, I32, PACK, values, "=r,f,f,f,f")
    if activation == "relu":
        signs = emit_pure(b, I32, "prmt.b32 $0, $1, 0, 0xBA98;", [word], "=r,r")
        word = b.and_(word, b.not_(signs))
    return word
