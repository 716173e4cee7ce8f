"""Writes programs that nobody would: kernels of all of Python's syntax, host code of all of numba.cuda's, by a seed.

`odd_kernels` mixes values of every type; this one mixes statements, kinds of functions and the host's calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simt.cuda_api import cuda
from tests.simt.odd_calls import CONFIGS, GIVEN, GLOBAL_ARRAYS, GU_SIGNATURES, HOSTS, LAYOUTS, SIGNATURES
from tests.simt.odd_kernels import NAMES as OF_KERNELS
from tests.simt.odd_kernels import OddKernel
from tests.simt.odd_statements import SHAPES, STATEMENTS, TYPES_GIVEN

NESTED = np.dtype([("p", [("x", np.float32), ("y", np.float32)], (2,)), ("ok", np.bool_), ("k", np.int16)], align=True)
PACKED = np.dtype([("b", np.int8), ("d", np.float64), ("s", "S4"), ("t", "M8[us]")])
NAMES: dict[str, Any] = {
    **OF_KERNELS,
    "NESTED_DT": NESTED,
    "PACKED_DT": PACKED,
    "SCALAR0D": np.array(3.5),
    "DATES": np.array(["2024-02-29", "NaT"], "M8[D]"),
    "BACKWARDS": np.arange(6.0)[::-1],
    "COMPLEX": np.array([1 + 2j, -3j]),
    "TEXT": np.array(["ab", "c"]),
    "OBJECTS": np.array([None, 1], object),
    "ANSWER": 42,
    "SHAPE": (4, 2),
    "CONFIG": {"n": 8},
    "int16": cuda.int16,
    "int64": cuda.int64,
    "float64": cuda.float64,
    "complex128": cuda.complex128,
    "boolean": getattr(cuda, "boolean", None),
}
AHEAD = """\
class Odd(Exception): pass
class Class:
    value = 3
    def method(self, q): return q
instance = Class()
def plain(q): return q
def add(q, r): return q + r
def gadd(q, r, out):
    for k in range(out.shape[0]): out[k] = q[k] + r
a7, a10, a11 = np.arange(8), np.arange(8, dtype='f4'), np.arange(8.0)
a14 = np.arange(8).astype('M8[s]')
plane = np.arange(12.0).reshape(3, 4); turned = plane.T; empty = np.zeros(0)
zero0, dates = np.array(2.5), np.arange(8).astype('M8[D]')
nested, packed = np.zeros(8, NESTED_DT), np.zeros(8, PACKED_DT)
text, objects, d, p, f, g = 'word', np.array([1, None]), cuda.to_device(a7), cuda.pinned_array(4), add, gadd
@cuda.jit(device=True)
def recursive(k):
    return 1 if k <= 0 else k * recursive(k - 1)
"""
PARAMETERS = "a7, a10, plane, turned, nested, packed, zero0, dates, n, x, rec, {last}"


class OddProgram(OddKernel):
    """The text of one program: a device function, a kernel and what the host does, one statement after another."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.given = ["a7", "a10", "plane", "turned", "n", "x", "rec", "zero0"]
        one_of = lambda words: lambda: self.random.choice(words)  # noqa: E731
        self.places: dict[str, Callable[[], str]] = {
            "{b}": one_of(["acc += 1", "pass", "return", "break", "continue", "acc = 2.5", "v0 = i"]),
            "{v}": lambda: (
                self.value(1) if self.random.random() < 0.6 else self.random.choice(["1", "i", "2.5", "acc"])
            ),
            "{s}": one_of(SHAPES),
            "{t}": one_of(TYPES_GIVEN),
            "{g}": one_of(GLOBAL_ARRAYS),
            "{a}": one_of("a7 a10 plane tile local nested rec dates zero0 n TABLE".split()),
            "{x}": one_of("i 0 -1 (0,1) 99 2.5 i,0 :".split()),
            "{h}": one_of(GIVEN),
            "{c}": one_of(CONFIGS),
            "{sig}": one_of(SIGNATURES),
            "{gsig}": one_of(GU_SIGNATURES),
            "{lay}": one_of(LAYOUTS),
        }

    def text(self) -> str:
        """As a module; its last statements are the host's, each of which may raise."""
        last = self.random.choice(["last"] * 9 + ["last=3", "*last", "**last", "*, last", "last, /"])
        body = ["i = cuda.grid(1)", "acc = v0 = v1 = v2 = 0", "tile = cuda.shared.array(8, float32)"]
        body += ["local = cuda.local.array(4, int32)"]
        for _ in range(self.random.randint(1, 3)):
            body += self.spelled(self.random.choice(STATEMENTS))
        decorator = self.random.choice(
            ["@cuda.jit"] * 6 + ["@cuda.jit(debug=True, opt=False)", "@cuda.jit(device=True)"]
        )
        helper = ["@cuda.jit(device=True)", "def helper(p, q=3):", f"    return {self.of('p', 'q')}"]
        kernel = [decorator, f"def odd({PARAMETERS.format(last=last)}):", *(f"    {line}" for line in body)]
        given = "given = [a7, a10, plane, turned, nested, packed, zero0, dates, 5, 2.5, np.zeros(8, PAIR), 4]"
        hosts = ["odd[1, 8](*given)"]
        for _ in range(self.random.randint(1, 4)):
            hosts += self.spelled(self.random.choice(HOSTS))
        return "\n".join([AHEAD, *helper, *kernel, given, *hosts, ""])

    def spelled(self, pattern: str) -> list[str]:
        """The lines of a pattern, its places filled."""
        lines = []
        for line in pattern.split("|"):
            for place, fill in self.places.items():
                while place in line:
                    line = line.replace(place, fill(), 1)
            lines.append(line.replace("{{", "{").replace("}}", "}"))
        return lines
