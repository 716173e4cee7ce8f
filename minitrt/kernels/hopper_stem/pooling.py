"""The maximum of windows of 3x3 at stride 2, in the registers of a warpgroup that multiplied.

Down the image it is taken of sums: scale and rounding keep the order, so pooling first gives the same numbers as
pooling last, and only pooled rows are requantised. Along a row it is taken of packed bytes: behind ReLU they are 0 to
127, and 0 stands for what lies outside the image.
"""

from __future__ import annotations

from typing import Any

from minitrt.kernels.hopper import wgmma
from minitrt.kernels.hopper_conv.epilogue import int8_words, store_fragments, stores_of
from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.kernels.ptx import F32, I32, emit, emit_pure, f32, i32, u32
from simt.compilers.low_level import cgutils, intrinsic, ir, types

FRAGMENT = 8  # pixels
TOPS, ROW_BYTES = 0x80808080, 64


def make_larger(count: int) -> Any:
    """An intrinsic (sums, sums) -> the larger of each two."""
    kind = wgmma.sums_of("int8", count)

    @intrinsic
    def larger(typing_context, one, other):
        def codegen(context, b, s, a):
            values = []
            for i in range(count):
                x, y = (b.extract_value(each, i) for each in a)
                values.append(b.select(b.icmp_signed(">", x, y), x, y))
            return cgutils.pack_array(b, values)

        return kind(kind, kind), codegen

    return larger


def make_pooled_epilogue(tile: ConvTile) -> Any:
    """An intrinsic (sums, constants, lane, address): a row, requantised and pooled along it, into shared memory.

    address: this lane's 16 bytes of the first 32 pooled pixels, swizzle included; `pixel_of` says of which pixel.
    """
    registers = tile.pixels // 2
    signature = types.void(wgmma.sums_of("int8", registers), types.UniTuple(f32, 4), i32, u32)

    @intrinsic
    def epilogue(typing_context, sums, constants, lane, address):
        def codegen(context, b, s, a):
            sums, constants, lane, address = a
            k = [b.extract_value(constants, i) for i in range(4)]
            floats = [b.sitofp(b.extract_value(sums, i), F32) for i in range(registers)]
            words = int8_words(b, tile, floats, k, None, None, None, None)
            pooled = _along(b, words, lane)
            for first, count in stores_of(len(pooled), 4):
                at = b.add(address, ir.Constant(I32, first * FRAGMENT * ROW_BYTES))
                store_fragments(b, at, pooled[first : first + count])
            return context.get_dummy_value()

        return signature, codegen

    return epilogue


def pixel_of(lane):
    """Which pooled pixel of 32 a lane's address is for: of eight, column 2 t is pixel t, column 2 t + 1 is t + 4."""
    return (lane & 24) + ((lane & 7) >> 1) + ((lane & 1) << 2)


def _along(b: Any, words: list, lane: Any) -> list:
    """Words of two pooled pixels from words of two pixels: (pixel 2 t, pixel 2 t + 1) and the pixel before them.

    The pixel before is the second of the lane to the left; for the first lane of four, the last lane's of the
    fragment before.
    """
    left = b.or_(b.and_(lane, ir.Constant(I32, 28)), b.and_(b.add(lane, ir.Constant(I32, 3)), ir.Constant(I32, 3)))
    first = b.icmp_unsigned("==", b.and_(lane, ir.Constant(I32, 3)), ir.Constant(I32, 0))
    shift = b.select(first, ir.Constant(I32, 16), ir.Constant(I32, 0))
    before, last = [], ir.Constant(I32, 0)
    for word in words:
        sent = _bytes(b, word, last, 0x7632)  # the second pixels of this fragment and of the one before
        got = emit(b, I32, "shfl.sync.idx.b32 $0, $1, $2, 31, -1;", [sent, left], "=r,r,r")
        before.append(b.lshr(got, shift))
        last = word
    pooled = []
    for i in range(0, len(words), 2):
        two = [_bytes(b, values[i], values[i + 1], order)
               for values, order in ((words, 0x5410), (words, 0x7632), (before, 0x5410))]  # fmt: skip
        pooled.append(_larger_bytes(b, _larger_bytes(b, two[0], two[1]), two[2]))
    return pooled


def _bytes(b: Any, low: Any, high: Any, order: int) -> Any:
    return emit_pure(b, I32, f"prmt.b32 $0, $1, $2, 0x{order:x};", [low, high], "=r,r,r")


def _larger_bytes(b: Any, x: Any, y: Any) -> Any:
    """The larger of each two bytes of 0 to 127: 128 + x - y keeps its top bit where x is not less."""
    tops = ir.Constant(I32, TOPS - (1 << 32))
    marks = b.and_(b.sub(b.or_(x, tops), y), tops)
    mask = b.sub(marks, b.lshr(marks, ir.Constant(I32, 7)))
    return b.or_(b.and_(x, mask), b.and_(y, b.not_(mask)))
