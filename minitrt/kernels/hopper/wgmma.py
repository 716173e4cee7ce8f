"""Warpgroup matrix products: 128 threads multiply 64 rows of A with n columns of B, both in shared memory.

The 64 x n int32 sums live in n / 2 registers a thread, handled here as one tuple so that they stay in registers.
Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"; descriptors: "Matrix Descriptor Format".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.cuda import cgutils
from numba.cuda.extending import intrinsic

from minitrt.kernels.ptx import I32, I64, VOID, emit, i32, ptx, struct, u32, u64, unpack

SWIZZLE = {128: 1, 64: 2, 32: 3, 0: 0}  # bytes of a swizzled row -> the descriptor's code
wait_all_but_one = ptx("wgmma.wait_group.sync.aligned 1;", None)


def descriptor(swizzle_bytes: int, group_stride: int, k_stride: int = 16) -> np.uint64:
    """A matrix descriptor without its start address, which is added as `address >> 4`.

    swizzle_bytes: 128, 64 or 32, the row's length; 0 for none. group_stride: bytes from 8 rows to the next 8.
    k_stride: bytes between neighbouring 8x16-byte cores along K, used where nothing is swizzled.
    """
    return np.uint64(SWIZZLE[swizzle_bytes] << 62 | (group_stride >> 4) << 32 | (k_stride >> 4) << 16)


class Accumulators(NamedTuple):
    """Intrinsics on one tuple of int32 sums."""

    zero: Any  # () -> sums
    wait: Any  # (sums) -> sums, once every product is done; nothing that uses them can be moved before it
    to_shared: Any  # (sums, address): 16 bytes a thread and store, the warpgroup's threads side by side
    add_remote: Any  # (sums, cluster address) -> sums plus those another block of the cluster wrote


def accumulators(count: int) -> Accumulators:
    """Intrinsics for `count` int32 registers a thread; a multiple of 4."""
    kind, low = types.UniTuple(i32, count), struct(I32, count)

    @intrinsic
    def zero(typing_context):
        return kind(), lambda context, b, s, a: cgutils.pack_array(b, [ir.Constant(I32, 0)] * count)

    @intrinsic
    def wait(typing_context, sums):
        tied = ",".join(["=r"] * count + [str(i) for i in range(count)] + ["~{memory}"])

        def codegen(context, b, s, a):
            done = emit(b, low, "wgmma.wait_group.sync.aligned 0;", unpack(b, a[0], count), tied)
            return cgutils.pack_array(b, unpack(b, done, count))

        return kind(kind), codegen

    return Accumulators(zero, wait, _to_shared(kind, count), _add_remote(kind, count))


def _word(builder: Any, address: Any, first: int) -> Any:
    """Where sums first .. first + 3 of a thread lie: 128 threads of 16 bytes for each four sums before them."""
    return builder.add(address, ir.Constant(I32, first // 4 * 128 * 16))


def _to_shared(kind: Any, count: int) -> Any:
    @intrinsic
    def to_shared(typing_context, sums, address):
        text = "st.shared.v4.b32 [$0], {$1, $2, $3, $4};"

        def codegen(context, b, s, a):
            for i in range(0, count, 4):
                four = [b.extract_value(a[0], i + j) for j in range(4)]
                emit(b, VOID, text, [_word(b, a[1], i), *four], "r,r,r,r,r,~{memory}")
            return context.get_dummy_value()

        return types.void(kind, u32), codegen

    return to_shared


def _add_remote(kind: Any, count: int) -> Any:
    @intrinsic
    def add_remote(typing_context, sums, address):
        text = "ld.shared::cluster.v4.b32 {$0, $1, $2, $3}, [$4];"

        def codegen(context, b, s, a):
            total = []
            for i in range(0, count, 4):
                four = unpack(b, emit(b, struct(I32, 4), text, [_word(b, a[1], i)], "=r,=r,=r,=r,r,~{memory}"), 4)
                total += [b.add(b.extract_value(a[0], i + j), four[j]) for j in range(4)]
            return cgutils.pack_array(b, total)

        return kind(kind, u32), codegen

    return add_remote


def int8_products(n: int, row_groups: int, group_offset: int, steps: list[tuple[int, int]]) -> Any:
    """An intrinsic (sums, descriptor of A, descriptor of B) -> sums + A . B^T, one commit group of wgmma.

    n: rows of B, a multiple of 8 up to 256. row_groups: blocks of 64 rows of A, `group_offset` apart.
    steps: the start of A and of B for each 32 bytes of K. Offsets are in units of 16 bytes.
    """
    registers = n // 2
    kind = types.UniTuple(i32, registers * row_groups)
    operands = ", ".join(f"${i}" for i in range(registers))
    text = (
        f"wgmma.mma_async.sync.aligned.m64n{n}k32.s32.s8.s8 {{{operands}}}, ${2 * registers}, ${2 * registers + 1}, 1;"
    )
    tied = ",".join(["=r"] * registers + [str(i) for i in range(registers)] + ["l", "l"])

    @intrinsic
    def products(typing_context, sums, a_matrix, b_matrix):
        def codegen(context, b, s, a):
            every = unpack(b, a[0], registers * row_groups)
            groups = [every[g * registers : (g + 1) * registers] for g in range(row_groups)]
            emit(b, VOID, "wgmma.fence.sync.aligned;", [], "~{memory}")
            for a_offset, b_offset in steps:
                b_start = b.add(a[2], ir.Constant(I64, b_offset))
                for g in range(row_groups):
                    a_start = b.add(a[1], ir.Constant(I64, a_offset + g * group_offset))
                    done = emit(b, struct(I32, registers), text, [*groups[g], a_start, b_start], tied)
                    groups[g] = unpack(b, done, registers)
            emit(b, VOID, "wgmma.commit_group.sync.aligned;", [], "~{memory}")
            return cgutils.pack_array(b, sum(groups, []))

        return kind(kind, u64, u64), codegen

    return products
