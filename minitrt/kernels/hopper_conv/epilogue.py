"""The end of a convolution: sums to pixels in shared memory, with scale, bias, residual and activation.

    v = fma(float(sum), scale[k], bias[k]);  v = fma(residual, residual_multiplier, v);  v = activation(v)

A curve (`curves.py`) works on real units, so v is divided by the output's scale behind it; low is 1 / scale then.

**No transposes.** A thread has sums of two neighbouring pixels for two channels. `stmatrix.trans` writes 8x8 fragments
of 16-bit elements so that 16 bytes of a pixel's channels end up side by side; `ldmatrix.trans` reads the residual the
same way, from the slot that the result then overwrites. What a 16-bit element holds differs:

* float16: one number. The two channels are 8 apart, as wgmma gives them.
* int8: two neighbouring channels. Within each 16 rows of the weights, row g is channel 2g and row 8 + g channel 2g + 1,
  so that the four sums of a thread pack to one register.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minitrt.kernels.hopper import wgmma
from minitrt.kernels.hopper_conv.curves import CURVES
from minitrt.kernels.hopper_conv.tile import ROW_GROUP, ConvTile
from minitrt.kernels.ptx import F32, I32, PACK_S8, VOID, emit, emit_pure, f32, struct, u32, unpack
from simt.compilers.low_level import intrinsic, ir, types

CHANNELS_APART = {"int8": 1, "float16": 8}  # of a thread's two channels
FRAGMENT = 8  # pixels
# int8: the bytes of a packed register in the order of the sums: (channel 2g, 2g+1) of pixel 2t, then of pixel 2t+1
SUM_OF_BYTE = (0, 2, 1, 3)
CLIP = "{ .reg .f32 t; max.NaN.f32 t, $1, $2; min.NaN.f32 $0, t, $3; }"


def make_epilogue(tile: ConvTile) -> Any:
    """An intrinsic (sums, constants, residual_multiplier, low, high, address): one warpgroup's tile into shared memory.

    constants: scale of the thread's two channels, bias of both, for each row group. address: this lane's 16 bytes of
    the first pixels, swizzle included.
    """
    registers, words = tile.pixels // 2, int8_words if tile.element == "int8" else _half_words
    kind = wgmma.sums_of(tile.element, registers * tile.row_groups)
    signature = types.void(kind, types.UniTuple(f32, 4 * tile.row_groups), f32, f32, f32, u32)
    stores = list(stores_of(tile.pixels // FRAGMENT, 4 if tile.element == "int8" else 2))

    @intrinsic
    def epilogue(typing_context, sums, constants, residual_multiplier, low, high, address):
        def codegen(context, b, s, a):
            sums, constants, multiplier, low, high, address = a
            for group in range(tile.row_groups):
                k = [b.extract_value(constants, 4 * group + i) for i in range(4)]
                base = _group_address(b, tile, address, group)
                for first, count in stores:
                    at = b.add(base, ir.Constant(I32, first * FRAGMENT * tile.output_row))
                    matrices = count * tile.element_bytes
                    residual = _load_fragments(b, at, matrices) if tile.residual else None
                    start = group * registers + 4 * first
                    given = [as_float(b, b.extract_value(sums, start + i)) for i in range(4 * count)]
                    store_fragments(b, at, words(b, tile, given, k, residual, multiplier, low, high))
            return context.get_dummy_value()

        return signature, codegen

    return epilogue


def as_float(b: Any, number: Any) -> Any:
    """A sum as a float."""
    return number if number.type == F32 else b.sitofp(number, F32)


def _group_address(b: Any, tile: ConvTile, address: Any, group: int) -> Any:
    """The lane's address for a row group: the second half of an int8 row (under the swizzle), or the next panel."""
    if tile.element == "int8":
        return b.xor(address, ir.Constant(I32, ROW_GROUP * group))
    return b.add(address, ir.Constant(I32, tile.panel_bytes * group))


def stores_of(fragments: int, most: int) -> Iterator[tuple[int, int]]:
    """(first fragment, how many) of each stmatrix: as many at a time as it takes, then fewer."""
    first = 0
    while first < fragments:
        count = next(size for size in (4, 2, 1) if size <= most and first + size <= fragments)
        yield first, count
        first += count


def _load_fragments(b: Any, address: Any, count: int) -> list:
    operands = ", ".join(f"${i}" for i in range(count))
    text = f"ldmatrix.sync.aligned.m8n8.x{count}.trans.shared.b16 {{{operands}}}, [${count}];"
    loaded = emit(b, struct(I32, count), text, [address], ",".join(["=r"] * count + ["r", "~{memory}"]))
    return unpack(b, loaded, count)


def store_fragments(b: Any, address: Any, words: list) -> None:
    operands = ", ".join(f"${i + 1}" for i in range(len(words)))
    text = f"stmatrix.sync.aligned.m8n8.x{len(words)}.trans.shared.b16 [$0], {{{operands}}};"
    emit(b, VOID, text, [address, *words], ",".join(["r"] * (len(words) + 1) + ["~{memory}"]))


def int8_words(
    b: Any, tile: ConvTile, sums: list, k: list, residual: Any, multiplier: Any, low: Any, high: Any
) -> list:
    """One register for each four sums. ReLU clears the bytes whose sign bit is set, with two instructions for four."""
    words = []
    for fragment in range(len(sums) // 4):
        values = []
        for byte, of in enumerate(SUM_OF_BYTE):
            value = b.fma(sums[4 * fragment + of], k[byte % 2], k[2 + byte % 2])
            if residual:
                value = b.fma(_byte_to_float(b, residual[fragment], byte), multiplier, value)
            values.append(_activated(b, tile, value, low, high))
        word = emit_pure(b, I32, PACK_S8, values, "=r,f,f,f,f")
        if tile.activation == "relu":
            word = b.and_(word, b.not_(emit_pure(b, I32, "prmt.b32 $0, $1, 0, 0xBA98;", [word], "=r,r")))
        words.append(word)
    return words


def _half_words(
    b: Any, tile: ConvTile, sums: list, k: list, residual: Any, multiplier: Any, low: Any, high: Any
) -> list:
    """One register for each two sums, which are two pixels of one channel."""
    words = []
    for pair in range(len(sums) // 2):
        scale, bias = k[pair % 2], k[2 + pair % 2]
        values = [b.fma(sums[2 * pair + i], scale, bias) for i in range(2)]
        if residual:
            values = [b.fma(r, multiplier, v) for r, v in zip(_halves_to_float(b, residual[pair]), values, strict=True)]
        values = [_activated(b, tile, value, low, high) for value in values]
        word = emit_pure(b, I32, "cvt.rn.f16x2.f32 $0, $2, $1;", values, "=r,f,f")
        if tile.activation == "relu":
            word = emit_pure(b, I32, "{ .reg .b32 z; mov.b32 z, 0; max.NaN.f16x2 $0, $1, z; }", [word], "=r,r")
        words.append(word)
    return words


def _activated(b: Any, tile: ConvTile, value: Any, low: Any, high: Any) -> Any:
    """The value after a clip or a curve; ReLU is done on packed numbers."""
    if tile.activation == "clip":
        return emit_pure(b, F32, CLIP, [value, low, high], "=f,f,f,f")
    if tile.activation not in CURVES:
        return value
    curved = CURVES[tile.activation](b, value)
    return b.fmul(curved, low) if tile.element == "int8" else curved


def _byte_to_float(b: Any, word: Any, byte: int) -> Any:
    """A signed byte of a register as a float, exactly.

    The byte, its sign bit flipped, becomes the low mantissa of 2^23; subtracting 2^23 + 128 leaves its value. PRMT and
    FADD run at four and eight times the rate of I2F on bytes.
    """
    flipped = b.xor(word, ir.Constant(I32, 0x80808080))
    text = f"prmt.b32 $0, $1, 0x4B000000, 0x{0x7440 | byte:x};"
    return b.fsub(b.bitcast(emit_pure(b, I32, text, [flipped], "=r,r"), F32), ir.Constant(F32, 8388736.0))


def _halves_to_float(b: Any, word: Any) -> list:
    text = "{ .reg .b16 a, b; mov.b32 {a, b}, $2; cvt.f32.f16 $0, a; cvt.f32.f16 $1, b; }"
    return unpack(b, emit_pure(b, struct(F32, 2), text, [word], "=f,=f,r"), 2)
