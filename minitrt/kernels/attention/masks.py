"""Which keys a query may look at: a mask in global memory, and causal attention's triangle, on scores in registers.

A thread has scores of rows g and g + 8, at keys 8 * tile + 2t and the one after; t = lane % 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitrt.kernels.ptx import F32, I16, I32, emit, emit_pure, struct, unpack
from simt.compilers.low_level import ir

MINUS_INFINITY = ir.Constant(F32, -math.inf)
LOG2_E = ir.Constant(F32, float(np.float32(math.log2(math.e))))  # a constant of float32 is one that it holds
BYTES = {"float32": 4, "float16": 2, "bool": 1}


@dataclass(frozen=True)
class SeenKeys:
    """Which keys a kernel lets its queries see.

    source: type of its elements, "" for none; a float is added to the score, False puts `fill` in its place.
    by_query: whether queries have rows of their own; pairs: whether every row begins at an even element.
    causal: whether query i looks at keys 0 to i alone. zeros: what a query that may look at nothing gets, else NaN.
    """

    source: str = ""
    by_query: bool = False
    pairs: bool = False
    causal: bool = False
    zeros: bool = False

    @property
    def may_be_empty(self) -> bool:
        """Whether a block of keys can be minus infinity for all of a row."""
        return bool(self.source) or self.causal


def within(b: Any, scores: list, limits: list) -> list:
    """Minus infinity for keys that do not exist, or lie past a row's own limit."""
    for tile, four in enumerate(scores):
        inside = [b.icmp_signed("<", ir.Constant(I32, 8 * tile + i % 2), limits[i // 2]) for i in range(4)]
        scores[tile] = [b.select(here, value, MINUS_INFINITY) for here, value in zip(inside, four, strict=True)]
    return scores


def biased(b: Any, scores: list, mask: SeenKeys, given: list) -> list:
    """Scores times factor with the mask; not in powers of two: the lowest float32 times log2(e) is minus infinity.

    given: limits of both rows, factor, fill, both addresses.
    """
    limits, factor, fill, addresses = given[:2], given[2], given[3], given[4:6]
    for tile, four in enumerate(scores):
        rows = [loaded(b, mask, addresses[row], tile, limits[row]) for row in range(2 if mask.by_query else 1)]
        found = [*rows[0], *rows[-1]]
        if mask.source == "bool":
            scores[tile] = [b.select(key, b.fmul(x, factor), fill) for x, key in zip(four, found, strict=True)]
        else:
            scores[tile] = [b.fma(x, factor, key) for x, key in zip(four, found, strict=True)]
    return scores


def loaded(b: Any, mask: SeenKeys, address: Any, tile: int, limit: Any) -> list:
    """The mask of two keys, float32 or a bit; of keys past the limit something that does not matter."""
    size = BYTES[mask.source]
    if mask.pairs:
        inside = b.icmp_signed("<", ir.Constant(I32, 8 * tile), limit)
        return converted(b, mask.source, element(b, address, 8 * tile * size, 2 * size, inside))
    found = []
    for odd in range(2):
        inside = b.icmp_signed("<", ir.Constant(I32, 8 * tile + odd), limit)
        found += converted(b, mask.source, element(b, address, (8 * tile + odd) * size, size, inside))[:1]
    return found


def element(b: Any, address: Any, offset: int, size: int, inside: Any) -> list:
    """Words or halves of `size` bytes from global memory, zeros where it is not inside; one a value that is left."""
    kind, register = {1: ("u8", "h"), 2: ("b16", "h"), 4: ("b32", "r"), 8: ("v2.b32", "r")}[size]
    results = 2 if size == 8 else 1
    names = [f"${i}" for i in range(results)]
    zero = " ".join(f"mov.b{32 if register == 'r' else 16} {name}, 0;" for name in names)
    target = "{" + ", ".join(names) + "}" if results > 1 else names[0]
    text = (
        f"{{ .reg .pred p; setp.ne.u32 p, ${results + 1}, 0; {zero} "
        f"@p ld.global.{kind} {target}, [${results} + {offset}]; }}"
    )
    member = I32 if register == "r" else I16
    constraints = ",".join([f"=&{register}"] * results + ["l", "r", "~{memory}"])
    done = emit(b, struct(member, results), text, [address, b.zext(inside, I32)], constraints)
    return unpack(b, done, results)


def converted(b: Any, source: str, words: list) -> list:
    """Loaded words as float32, or as bits; one word may hold two."""
    if source == "float32":
        return [b.bitcast(word, F32) for word in words]
    (word,) = words
    if source == "float16":
        high = [b.lshr(word, ir.Constant(I32, 16))] if word.type == I32 else []
        halves = [b.trunc(part, I16) for part in (word, *high)] if high else [word]
        return [emit_pure(b, F32, "cvt.f32.f16 $0, $1;", [half], "=f,h") for half in halves]
    parts = [b.and_(word, ir.Constant(I16, 255)), b.lshr(word, ir.Constant(I16, 8))]
    return [b.icmp_unsigned("!=", part, ir.Constant(I16, 0)) for part in parts]
