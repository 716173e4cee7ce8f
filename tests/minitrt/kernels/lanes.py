"""A warp in NumPy: what llvmlite's builder is asked for is computed for 32 lanes at once, inline PTX by its meaning.

Registers are arrays of 32; memory is bytes. Source of the fragments: PTX ISA, ldmatrix and mma.m16n8k16.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from llvmlite import ir

LANE = np.arange(32)
G, T = LANE // 4, LANE % 4


def number(x: Any) -> Any:
    """A constant's number, or a register as it is."""
    if isinstance(x, ir.Constant):
        return np.float32(x.constant) if isinstance(x.type, ir.FloatType) else np.int64(x.constant)
    return x


class Warp:
    """The builder. shared, memory: bytes; an address is an index into them."""

    def __init__(self, shared: np.ndarray, memory: np.ndarray):
        self.shared, self.memory = shared, memory

    def fma(self, a, b, c):
        return (number(a).astype(np.float64) * number(b) + number(c)).astype(np.float32)

    fadd = staticmethod(lambda a, b: np.float32(number(a)) + number(b))
    fsub = staticmethod(lambda a, b: np.float32(number(a)) - number(b))
    fmul = staticmethod(lambda a, b: np.float32(number(a)) * number(b))
    add = staticmethod(lambda a, b: number(a) + number(b))
    lshr = staticmethod(lambda a, b: number(a) >> number(b))
    and_ = staticmethod(lambda a, b: number(a) & number(b))
    trunc = staticmethod(lambda a, kind: Typed(np.asarray(a) & 0xFFFF, kind))
    zext = staticmethod(lambda a, kind: np.asarray(a).astype(np.int64))
    bitcast = staticmethod(lambda a, kind: np.asarray(a).astype(np.uint32).view(np.float32))
    select = staticmethod(lambda which, yes, no: np.where(which, number(yes), number(no)))

    def icmp_signed(self, sign: str, a, b):
        return {"<": np.less, "!=": np.not_equal}[sign](number(a), number(b)) & np.ones(32, bool)

    icmp_unsigned = icmp_signed

    def fcmp_ordered(self, sign: str, a, b):
        return np.equal(number(a), number(b))


class Typed(np.ndarray):
    """A register that knows its llvmlite type, as masks.converted asks for."""

    def __new__(cls, array: np.ndarray, kind: ir.Type) -> Typed:
        made = np.asarray(array).view(cls)
        made.type = kind
        return made


def ask(b: Warp, result: Any, text: str, given: list, constraints: str) -> Any:
    """What one piece of inline PTX computes; several results as a list."""
    given = [np.broadcast_to(number(each), 32) for each in given]
    if "ldmatrix" in text:
        return ldmatrix(b.shared, given[0], ".trans" in text)
    if "mma.sync" in text:
        return mma(given)
    if "ld.global" in text:
        return loaded(b.memory, text, *given)
    if "shfl.sync.bfly" in text:
        return given[0][LANE ^ int(re.search(r"\$1, (\d+)", text).group(1))]
    if "cvt.rn.f16x2" in text:
        low, high = (half.astype(np.float16).view(np.uint16).astype(np.uint32) for half in given)
        return low | high << 16
    if "cvt.f32.f16" in text:
        return np.asarray(given[0]).astype(np.uint16).view(np.float16).astype(np.float32)
    return {"max.f32": np.fmax, "ex2.approx": np.exp2}[re.match(r"max.f32|ex2.approx", text).group()](*given)


def ldmatrix(shared: np.ndarray, addresses: np.ndarray, transposed: bool) -> list:
    found = []
    for first in range(0, 32, 8):
        rows = np.stack([shared[a : a + 16].view(np.uint16) for a in addresses[first : first + 8]]).astype(np.uint32)
        rows = rows.T if transposed else rows
        found.append(rows[G, 2 * T] | rows[G, 2 * T + 1] << 16)
    return found


def halves(word: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    word = word.astype(np.uint32)
    return tuple((word >> s & 0xFFFF).astype(np.uint16).view(np.float16).astype(np.float64) for s in (0, 16))


def mma(given: list) -> list:
    a, b = np.zeros((16, 16)), np.zeros((16, 8))
    for i, word in enumerate(given[:4]):
        a[G + 8 * (i % 2), 2 * T + 8 * (i // 2)], a[G + 8 * (i % 2), 2 * T + 1 + 8 * (i // 2)] = halves(word)
    for i, word in enumerate(given[4:6]):
        b[2 * T + 8 * i, G], b[2 * T + 1 + 8 * i, G] = halves(word)
    product = a @ b
    return [(given[6 + i] + product[G + 8 * (i // 2), 2 * T + i % 2]).astype(np.float32) for i in range(4)]


def loaded(memory: np.ndarray, text: str, addresses: np.ndarray, inside: np.ndarray) -> Any:
    """ld.global behind a predicate: lanes outside get zeros, and their addresses are not looked at."""
    kind, offset = re.search(r"ld\.global\.(\S+)", text).group(1), int(re.search(r"\+ (\d+)\]", text).group(1))
    dtype, count, register = {
        "u8": (np.uint8, 1, ir.IntType(16)),
        "b16": (np.uint16, 1, ir.IntType(16)),
        "b32": (np.uint32, 1, ir.IntType(32)),
        "v2.b32": (np.uint32, 2, ir.IntType(32)),
    }[kind]
    size, words = count * np.dtype(dtype).itemsize, np.zeros((32, count), np.int64)
    for lane in np.flatnonzero(inside):
        at = int(addresses[lane]) + offset
        assert at % size == 0 and 0 <= at <= len(memory) - size, "outside of the mask, or not aligned"
        words[lane] = memory[at : at + size].view(dtype)
    found = [Typed(words[:, i], register) for i in range(count)]
    return found if count > 1 else found[0]
