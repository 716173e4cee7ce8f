"""Odd kernels of numbers alone, run by the interpreter and, thread after thread, as numba compiles them for the CPU.

Both give every operation numba's types. What a processor and a GPU do differently by right is left out: shifts by more
than there are bits, a division by zero, floats that no integer holds.
"""

from __future__ import annotations

import linecache
import math
from typing import Any

import numpy as np

from simt.cuda_api import cuda
from tests.simt.odd_kernels import DTYPES, REAL, THREADS, OddKernel

ON_NUMBERS = {
    1: "abs float bool math.floor math.sqrt math.fabs math.ceil int8 uint8 int32 uint64 float32 np.sin helper",
    2: "min max helper np.maximum np.minimum math.copysign np.hypot",
    3: "helper3",
}
HELPERS = "def helper(p, q=3):\n    return {0}\n\ndef helper3(p, q, r):\n    return {1}\n"
ARRAYS = [f"a{number}" for number in range(REAL) if DTYPES[number] != "f2"]  # numba has no float16 on the CPU


class PlainKernel(OddKernel):
    """A kernel of numbers: each thread has elements and variables of its own."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.oddness = 0.0

    def number(self) -> str:
        others = ["n", "x", "2", "0.5", "-3", "True", "200"]
        array = f"{self.random.choice(ARRAYS)}[i]"
        return self.random.choice([array, array, array, *self.variables, *others])

    def value(self, depth: int = 2) -> str:
        kind = self.random.randrange(9) if depth else 0
        if kind < 3:
            return self.number()
        if kind < 6:
            symbol = self.random.choice("+ - * & | ^ and or == != < <= > >=".split())
            return f"({self.value(depth - 1)} {symbol} {self.value(depth - 1)})"
        if kind == 6:
            return f"({self.random.choice(['-', '+', 'not'])} {self.value(depth - 1)})"
        if kind == 7:
            return f"({self.value(depth - 1)} if {self.value(depth - 1)} else {self.value(depth - 1)})"
        count = self.random.choice([1, 1, 2, 2, 3])
        return self.call(depth, self.random.choice(ON_NUMBERS[count].split()), count)

    def target(self) -> str:
        return self.random.choice(["acc", "v0", "v1", "v2", *(f"{name}[i]" for name in ARRAYS)])

    def statement(self, depth: int) -> list[str]:
        inner = [f"    {line}" for line in self.block(depth - 1)] if depth else ["    pass"]
        choose, value = self.random.choice, self.value()
        return choose(
            [
                [f"{self.target()} = {value}"],
                [f"{self.target()} = {value}"],
                [f"{choose(['acc', 'v1', 'a7[i]', 'a10[i]', 'a1[i]'])} {choose(['+', '-', '*'])}= {value}"],
                ["for j in range(3):", *inner],
                [f"if {value}:", *inner, *choose([[], ["else:", *inner]])],
                ["w = 0", "while w < 3:", "    w += 1", *inner],
            ]
        )

    def text(self) -> str:
        """A module with `body(i, n, x, *arrays)` and its helpers, undecorated."""
        body = ["acc = v0 = v1 = v2 = 0", *self.block(2), "a11[i] = acc + v0 + v1 + v2"]
        self.variables, self.number = ["p", "q"], lambda: self.random.choice(["p", "q", "2", "0.5"])  # type: ignore
        helpers = HELPERS.format(self.value(1), f"{self.value(1)} + r")
        lines = [f"def body(i, n, x, {', '.join(ARRAYS)}):", *(f"    {line}" for line in body)]
        return helpers + "\n" + "\n".join(lines) + "\n"


def arrays() -> list[np.ndarray]:
    """Small numbers of every type, so that nothing runs over by chance alone; they do where a kernel makes them."""
    return [(np.arange(THREADS) * 7 % 11).astype(DTYPES[int(name[1:])]) for name in ARRAYS]


def functions(seed: int, names: dict[str, Any], decorate: Any) -> Any:
    """`body` of a seed, with what it names. decorate: what compiles it and its helpers."""
    text, file = PlainKernel(seed).text(), f"<odd values {seed} {len(names)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {"np": np, "math": math, **names}
    exec(compile(text, file, "exec"), space)
    for name in ("helper", "helper3", "body"):
        space[name] = decorate(space[name])
    return space["body"]


def interpreted(seed: int, types: Any) -> list[np.ndarray]:
    """What the interpreter leaves in the arrays. types: a module with int8 and so on."""
    body = functions(seed, _types(types), cuda.jit(device=True))

    @cuda.jit
    def kernel(*given):
        body(cuda.grid(1), *given)

    given = arrays()
    kernel[1, THREADS](5, np.float32(0.5), *given)
    return given


def compiled(seed: int) -> list[np.ndarray]:
    """What numba's compiler for the CPU leaves there, thread after thread."""
    import numba

    body, given = functions(seed, _types(numba), numba.njit(error_model="numpy")), arrays()
    for i in range(THREADS):
        body(i, 5, np.float32(0.5), *given)
    return given


def _types(module: Any) -> dict[str, Any]:
    return {name: getattr(module, name) for name in ("int8", "uint8", "int32", "uint64", "float32")}
