"""A warp's product of 16 x 32 bytes by 32 bytes x 8, on what an architecture has.

However it is computed, lane l = 4 g + t holds of A word t of the lower and of the upper 16 bytes of rows g and g + 8,
of B word t of both halves of column g, and of the sum columns 2 t and 2 t + 1 of rows g and g + 8. Older instructions
take a piece of this at a time.
Source: PTX ISA, "Matrix fragments for mma.m16n8k32, m8n8k16, m16n8k16 and m16n8k8".
"""

from __future__ import annotations

from typing import Any

from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import f32, i32, ptx, u32


def _mma(shape: str, types: str, kind: Any, a: int, b: int, c: int) -> Any:
    """mma(a words, b words, c sums) of one instruction."""
    at = iter(range(c, c + a + b + c))
    groups = [", ".join(f"${next(at)}" for _ in range(count)) for count in (a, b, c)]
    results = ", ".join(f"${n}" for n in range(c))
    text = f"mma.sync.aligned.{shape}.row.col.{types} {{{results}}}, " + ", ".join(f"{{{g}}}" for g in groups) + ";"
    return ptx(text, (kind, c), *[u32] * (a + b), *[kind] * c)


mma_s8_k32 = _mma("m16n8k32", "s32.s8.s8.s32", i32, 4, 2, 4)
mma_s8_k16 = _mma("m8n8k16", "s32.s8.s8.s32", i32, 1, 1, 2)
mma_f16_k16 = _mma("m16n8k16", "f32.f16.f16.f32", f32, 4, 2, 4)
mma_f16_k8 = _mma("m16n8k8", "f32.f16.f16.f32", f32, 2, 1, 4)


@inline
def int8_ampere(a, b, c):
    return mma_s8_k32(a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1], c[2], c[3])


@inline
def int8_turing(a, b, c):
    upper = mma_s8_k16(a[2], b[1], *mma_s8_k16(a[0], b[0], c[0], c[1]))
    lower = mma_s8_k16(a[3], b[1], *mma_s8_k16(a[1], b[0], c[2], c[3]))
    return upper[0], upper[1], lower[0], lower[1]


@inline
def float16_ampere(a, b, c):
    return mma_f16_k16(a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1], c[2], c[3])


@inline
def float16_turing(a, b, c):
    first = mma_f16_k8(a[0], a[1], b[0], c[0], c[1], c[2], c[3])
    return mma_f16_k8(a[2], a[3], b[1], first[0], first[1], first[2], first[3])


PRODUCTS = {
    ("int8", "ampere"): int8_ampere,
    ("int8", "turing"): int8_turing,
    ("float16", "ampere"): float16_ampere,
    ("float16", "turing"): float16_turing,
}
