"""Warpgroup matrix products: 128 threads multiply 64 rows of A with n columns of B, both in shared memory.

The 64 x n sums, int32 for int8 operands and float32 for float16, live in n / 2 registers a thread. They are handled
here as one tuple, so that they stay in registers.
Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"; descriptors: "Matrix Descriptor Format".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minitrt.kernels.ptx import F32, I32, I64, VOID, emit, f32, i32, ptx, struct, u32, u64, unpack
from simt.compilers.low_level import cgutils, intrinsic, ir, types

SUM = {"int8": (i32, I32, "r"), "float16": (f32, F32, "f")}  # element -> its sums' numba and LLVM type, constraint
INSTRUCTION = {  # element -> wgmma for n columns, and what follows the descriptors
    "int8": ("wgmma.mma_async.sync.aligned.m64n{}k32.s32.s8.s8", "1"),
    "float16": ("wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16", "1, 1, 1, 0, 0"),
}
SWIZZLE = {128: 1, 64: 2, 32: 3, 0: 0}  # bytes of a swizzled row -> the descriptor's code
wait_all_but_one = ptx("wgmma.wait_group.sync.aligned 1;", None)


def descriptor(swizzle_bytes: int, group_stride: int, k_stride: int = 16) -> np.uint64:
    """A matrix descriptor without its start address, which is added as `address >> 4`.

    swizzle_bytes: 128, 64 or 32, the row's length; 0 for none. group_stride: bytes from 8 rows to the next 8.
    k_stride: bytes between neighbouring 8x16-byte cores along K, used where nothing is swizzled.
    """
    return np.uint64(SWIZZLE[swizzle_bytes] << 62 | (group_stride >> 4) << 32 | (k_stride >> 4) << 16)


def sums_of(element: str, count: int) -> types.UniTuple:
    """The numba type of `count` sums of products of `element`."""
    return types.UniTuple(SUM[element][0], count)


class Accumulators(NamedTuple):
    """Intrinsics on one tuple of sums."""

    zero: Any  # () -> sums
    wait: Any  # (sums) -> sums, once every product is done; nothing that uses them can be moved before it
    send: Any  # (sums, cluster address, that block's barrier): 16 bytes a thread and store, threads side by side
    add: Any  # (sums, address) -> sums plus those that were sent there


def accumulators(element: str, count: int) -> Accumulators:
    """Intrinsics for `count` sums per thread; a multiple of 4."""
    kind, (_, member, letter) = sums_of(element, count), SUM[element]

    @intrinsic
    def zero(typing_context):
        def codegen(context, b, s, a):
            if element == "int8":
                return cgutils.pack_array(b, [ir.Constant(member, 0)] * count)
            # A constant is set again wherever it suits, behind a fence too (C7519); what an instruction made is not.
            text = " ".join(f"mov.f32 ${i}, 0f00000000;" for i in range(count))
            zeros = emit(b, struct(member, count), text, [], ",".join([f"={letter}"] * count))
            return cgutils.pack_array(b, unpack(b, zeros, count))

        return kind(), codegen

    @intrinsic
    def wait(typing_context, sums):
        tied = ",".join([f"={letter}"] * count + [str(i) for i in range(count)] + ["~{memory}"])

        def codegen(context, b, s, a):
            done = emit(b, struct(member, count), "wgmma.wait_group.sync.aligned 0;", unpack(b, a[0], count), tied)
            return cgutils.pack_array(b, unpack(b, done, count))

        return kind(kind), codegen

    return Accumulators(zero, wait, _send(element, count), _add(element, count))


def _word(builder: Any, address: Any, first: int) -> Any:
    """Where sums first .. first + 3 of a thread lie: 128 threads of 16 bytes for each four sums before them."""
    return builder.add(address, ir.Constant(I32, first // 4 * 128 * 16))


def _send(element: str, count: int) -> Any:
    kind, letter = sums_of(element, count), SUM[element][2]
    store = "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [$0], {$1, $2, $3, $4}, [$5];"

    @intrinsic
    def send(typing_context, sums, address, barrier):
        constraints = ",".join(["r", *[letter] * 4, "r", "~{memory}"])

        def codegen(context, b, s, a):
            for i in range(0, count, 4):
                four = [b.extract_value(a[0], i + j) for j in range(4)]
                emit(b, VOID, store, [_word(b, a[1], i), *four, a[2]], constraints)
            return context.get_dummy_value()

        return types.void(kind, u32, u32), codegen

    return send


def _add(element: str, count: int) -> Any:
    kind, (_, member, letter) = sums_of(element, count), SUM[element]

    @intrinsic
    def add(typing_context, sums, address):
        text = "ld.shared.v4.b32 {$0, $1, $2, $3}, [$4];"
        constraints = ",".join([f"={letter}"] * 4 + ["r", "~{memory}"])

        def codegen(context, b, s, a):
            plus, total = b.add if element == "int8" else b.fadd, []
            for i in range(0, count, 4):
                four = unpack(b, emit(b, struct(member, 4), text, [_word(b, a[1], i)], constraints), 4)
                total += [plus(b.extract_value(a[0], i + j), four[j]) for j in range(4)]
            return cgutils.pack_array(b, total)

        return kind(kind, u32), codegen

    return add


def products(
    element: str, n: int, row_groups: int, group_offset: int, steps: list[tuple[int, int]], parts: int = 0
) -> Any:
    """An intrinsic (sums, descriptor of A, descriptor of B) -> sums + A . B^T, one commit group of wgmma.

    n: rows of B, a multiple of 8 up to 256. row_groups: blocks of 64 rows of A, `group_offset` apart.
    steps: the start of A and of B for each 32 bytes of K. Offsets are in units of 16 bytes.
    parts: of K, where B lies in several places: the intrinsic then takes a tuple of so many descriptors of B, each for
    as many steps.
    """
    registers, (_, member, letter) = n // 2, SUM[element]
    kind, (name, flags) = sums_of(element, registers * row_groups), INSTRUCTION[element]
    operands = ", ".join(f"${i}" for i in range(registers))
    text = f"{name.format(n)} {{{operands}}}, ${2 * registers}, ${2 * registers + 1}, {flags};"
    tied = ",".join([f"={letter}"] * registers + [str(i) for i in range(registers)] + ["l", "l"])

    @intrinsic
    def multiply(typing_context, sums, a_matrix, b_matrix):
        def codegen(context, b, s, a):
            every = unpack(b, a[0], registers * row_groups)
            groups = [every[g * registers : (g + 1) * registers] for g in range(row_groups)]
            places = unpack(b, a[2], parts) if parts else [a[2]]
            emit(b, VOID, "wgmma.fence.sync.aligned;", [], "~{memory}")
            for i, (a_offset, b_offset) in enumerate(steps):
                b_start = b.add(places[i * len(places) // len(steps)], ir.Constant(I64, b_offset))
                for g in range(row_groups):
                    a_start = b.add(a[1], ir.Constant(I64, a_offset + g * group_offset))
                    done = emit(b, struct(member, registers), text, [*groups[g], a_start, b_start], tied)
                    groups[g] = unpack(b, done, registers)
            emit(b, VOID, "wgmma.commit_group.sync.aligned;", [], "~{memory}")
            return cgutils.pack_array(b, sum(groups, []))

        return kind(kind, u64, types.UniTuple(u64, parts) if parts else u64), codegen

    return multiply
