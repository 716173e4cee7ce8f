"""Writes kernels that nobody would: anything of the language beside anything of numba.cuda, of any type, by a seed.

Most do not compile, which is their use: whatever is asked, the interpreter runs it or refuses it in words.
"""

from __future__ import annotations

import cmath
import enum
import math
import random
from collections import namedtuple
from typing import Any

import numpy as np

from simt.cuda_api import cuda, types

THREADS = 8
PAIR = np.dtype([("x", np.float32), ("n", np.int64), ("v", np.int16, (2,))], align=True)
DTYPES = "?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[ms]"
REAL = 12  # of them are no complex numbers and no dates
Point = namedtuple("Point", "x y")


class Colour(enum.IntEnum):
    RED, BLUE = 1, 7


def arguments() -> dict[str, Any]:
    """What a kernel is given, by name: an array of every type, and what else a kernel may take."""
    arrays: dict[str, Any] = {}
    for number, dtype in enumerate(DTYPES):
        arrays[f"a{number}"] = (np.arange(THREADS) % 5).astype(dtype)
    plane = np.arange(12.0).reshape(3, 4)
    more = {"plane": plane, "turned": plane.T, "empty": np.zeros(0), "rec": np.zeros(THREADS, PAIR)}
    others = {"pair": (plane, 2), "deep": ((1, 2.5), Point(3, 4j)), "n": 5, "x": np.float32(0.5)}
    return arrays | more | others | {"colour": Colour.RED, "flag": True, "z": 1 + 2j}


NAMES: dict[str, Any] = {  # what a kernel finds in its module
    "cuda": cuda,
    "math": math,
    "cmath": cmath,
    "np": np,
    "types": types,
    "Colour": Colour,
    "Point": Point,
    "PAIR": PAIR,
    "TABLE": np.arange(6, dtype=np.int16).reshape(2, 3),
    "NESTED": ((1, 2.0), (3,), "text"),
    "BIG": 1 << 80,
    "WORDS": {"a": 1},
    "nothing": None,
    **{name: getattr(types, name) for name in ("int8", "uint8", "int32", "uint64", "float16", "float32", "complex64")},
}
LITERALS = (  # no numbers, most of them
    "1e400 3j None 'text' b'raw' ... 99999999999999999999 -2**63 2**64-1 () (1,) (1,2.5) [1,2] {1:2} f'{i}' BIG TABLE "
    "NESTED[0] WORDS Colour.BLUE cuda np.float32 int32 math.nan -math.inf cuda.threadIdx cuda.blockDim.x cuda.laneid "
    "cuda.gridDim.y slice(1,2) Point(1,i) rec[i] rec[i].v rec.x pair[0] deep[1].y PAIR [*n] np.pi range(3) local tile "
    "tile[i] local[:2] 0 1 -1 2.5 True"
).split() + ["lambda y: y", "(y for y in n)", "[y for y in range(3)]"]
OF_MODULES = {
    "math": [name for name in dir(math) if callable(getattr(math, name))],
    "cmath": [name for name in dir(cmath) if callable(getattr(cmath, name))],
    "np": "sin sqrt add maximum where sum dot zeros isnan floor int8 float16 uint64 bool_ complex64 datetime64 "
    "timedelta64 ndindex ndenumerate power left_shift sign".split(),
    "cuda": "popc clz brev ffs selp fma cbrt grid gridsize syncthreads syncwarp ballot_sync shfl_sync shfl_up_sync "
    "match_any_sync all_sync activemask nanosleep syncthreads_count threadfence shared.array local.array "
    "const.array_like to_device jit".split(),
    "cuda.atomic": "add sub max min nanmax and_ or_ xor inc dec exch cas compare_and_swap".split(),
    "cuda.fp16": "hadd hfma hsqrt heq hmax".split(),
}
OF_PYTHON = (
    "abs min max int float bool complex round divmod pow len range sum any all zip enumerate reversed print str "
    "isinstance type hash id sorted tuple list set dict getattr hasattr iter next map filter slice chr ord int8 uint8 "
    "int32 uint64 float16 float32 complex64 helper Point Colour types.int64"
).split()
FUNCTIONS = OF_PYTHON + [f"{module}.{name}" for module, names in OF_MODULES.items() for name in names]
ON_NUMBERS = {  # how many arguments they take
    1: "abs int float bool round math.sqrt math.floor math.exp math.isnan math.frexp math.trunc int8 uint8 int32 "
    "uint64 float16 float32 complex64 np.int8 np.float16 np.sin cuda.popc cuda.clz cuda.ffs cuda.brev types.int64 "
    "helper",
    2: "min max divmod complex pow round helper math.atan2 math.fmod math.ldexp math.copysign np.maximum np.add "
    "math.pow",
    3: "min max cuda.selp cuda.fma",
}
BINARY = "+ - * / // % ** << >> & | ^ and or == != < <= > >= is".split()
IN_PLACE = BINARY[:12]
UNARY = "- + ~ not".split()
ATTRIBUTES = "x n v real imag T size shape ndim dtype strides itemsize flat sum() ravel() reshape(2) copy() foo".split()
BEGIN = """\
i = cuda.grid(1)
acc = v0 = v1 = v2 = 0
tile = cuda.shared.array(8, float32)
local = cuda.local.array(4, int32)
"""


class OddKernel:
    """The text of one kernel, and of a device function that it may call."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.oddness = self.random.choice([0.0, 0.02, 0.1, 0.5])  # how often something is no number
        self.given = list(arguments())
        self.variables = ["i", "acc", "v0", "v1", "v2"]

    def text(self) -> str:
        """Both, as a module."""
        helper = [
            "@cuda.jit(device=True)",
            f"def helper(p, q={self.random.choice(['3', '2.5', 'None', '(1, 2)'])}):",
            f"    return {self.of('p', 'q')}",
        ]
        begin = [
            "i = cuda.grid(1)",
            "acc = v0 = v1 = v2 = 0",
            "tile = cuda.shared.array(8, float32)",
            "local = cuda.local.array(4, int32)",
        ]
        body = [*begin, *self.block(2)]
        lines = [*helper, "", "@cuda.jit", f"def odd({', '.join(self.given)}):", *(f"    {line}" for line in body)]
        return "\n".join(lines) + "\n"

    def of(self, *names: str) -> str:
        """An expression of two names, or one that is no better."""
        return self.random.choice(
            [f" {self.random.choice(BINARY)} ".join(names), f"({', '.join(names)})", self.value(1)]
        )

    def literal(self) -> str:
        return self.random.choice(LITERALS)

    def number(self) -> str:
        """Something that is a number as a rule."""
        kinds = len(DTYPES) if self.random.random() < self.oddness * 2 else REAL
        array = f"a{self.random.randrange(kinds)}[i]"
        others = ["n", "x", "flag", "plane[1, 2]", "deep[0][1]", "2", "0.5", "rec[i].n", "tile[i]", "local[1]", "-3"]
        return self.random.choice([array, array, array, *self.variables, *others])

    def value(self, depth: int = 2) -> str:
        if self.random.random() < self.oddness:
            return self.oddity(depth)
        kind = self.random.randrange(10) if depth else 0
        if kind < 3:
            return self.number()
        if kind < 6:
            return f"({self.value(depth - 1)} {self.random.choice(BINARY)} {self.value(depth - 1)})"
        if kind == 6:
            return f"({self.random.choice(UNARY)} {self.value(depth - 1)})"
        if kind == 7:
            return f"({self.value(depth - 1)} if {self.value(depth - 1)} else {self.value(depth - 1)})"
        count = self.random.choice([1, 1, 1, 2, 2, 3])
        return self.call(depth, self.random.choice(ON_NUMBERS[count].split()), count)

    def call(self, depth: int, function: str, count: int) -> str:
        return f"{function}({', '.join(self.value(depth - 1) for _ in range(count))})"

    def oddity(self, depth: int) -> str:
        kind = self.random.randrange(5) if depth else self.random.randrange(2)
        if kind == 0:
            return self.literal()
        if kind == 1:
            return self.random.choice(self.given)
        if kind == 2:
            return f"({self.value(depth - 1)})[{self.index(depth - 1)}]"
        if kind == 3:
            return f"({self.value(depth - 1)}).{self.random.choice(ATTRIBUTES)}"
        return self.call(depth, self.random.choice(FUNCTIONS), self.random.randrange(4))

    def index(self, depth: int) -> str:
        return (
            self.random.choice(["i", "0", "-1", ":", "1:", "::-1", "...", "i, 0", "None", "", self.value(depth)]) or "0"
        )

    def target(self) -> str:
        """What is assigned to."""
        if self.random.random() < 0.5:
            return f"v{self.random.randrange(3)}"
        if self.random.random() < self.oddness:
            array = self.random.choice(self.given)
            return self.random.choice([f"{array}[{self.index(1)}]", f"{array}[i]", "rec[i].q", "rec[i].v", "rec[i]"])
        return self.random.choice([f"a{self.random.randrange(REAL)}[i]", "tile[i]", "rec[i].x", "rec[i].v[1]"])

    def block(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        inner = [f"    {line}" for line in self.block(depth - 1)] if depth else ["    pass"]
        value, choose = self.value(), self.random.choice
        plain = [
            f"print({value}, i)",
            f"assert {value}",
            "return",
            "raise ValueError('odd')",
            value,
            f"v0, v1 = {value}",
        ]
        return choose(
            [
                [f"{self.target()} = {value}"],
                [f"{self.target()} = {value}"],
                [f"{choose(['acc', 'tile[i]', 'a7[i]', self.number()])} {choose(IN_PLACE)}= {value}"],
                [f"for {choose(['j', 'i', 'j, i', 'a7[0]'])} in {choose(['range(3)', value])}:", *inner],
                [f"if {value}:", *inner, *choose([[], ["else:", *inner]])],
                ["w = 0", "while w < 3:", "    w += 1", *inner],
                [choose(plain)],
            ]
        )
