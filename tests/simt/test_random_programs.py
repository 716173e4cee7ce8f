"""Random control flow, thread by thread in Python and all threads at once in the interpreter: the same results.

Only integers are computed, so that Python and numba agree on types; what is tested is who is active when.
"""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda

NAMES = ("a", "b", "c")
MODULUS = 1009


class Writer:
    """Writes a kernel and a device function of random statements. Every loop ends."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.counters = 0

    def value(self, depth: int = 2) -> str:
        kind = self.random.randrange(7 if depth else 2)
        if kind == 0:
            return self.random.choice(NAMES)
        if kind == 1:
            return str(self.random.randint(0, 9))
        if kind == 2:
            return f"src[({self.value(depth - 1)}) % src.size]"
        if kind == 3:
            return f"({self.value(depth - 1)} if {self.condition(depth - 1)} else {self.value(depth - 1)})"
        symbol = self.random.choice(["+", "-", "*", "//", "%"])
        right = str(self.random.randint(1, 7)) if symbol in "//%" else self.value(depth - 1)
        return f"({self.value(depth - 1)} {symbol} {right})"

    def condition(self, depth: int = 1) -> str:
        left, right = self.value(depth), self.value(0)
        test = f"{left} % 7 {self.random.choice(['<', '>', '==', '!='])} {right}"
        if depth and self.random.random() < 0.3:
            return f"({test} {self.random.choice(['and', 'or'])} {self.condition(depth - 1)})"
        return f"not ({test})" if self.random.random() < 0.2 else test

    def block(self, depth: int, in_loop: bool, in_device: bool) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, in_loop, in_device)
        return lines

    def indented(self, *context) -> list[str]:
        return ["    " + line for line in self.block(*context)]

    def statement(self, depth: int, in_loop: bool, in_device: bool) -> list[str]:
        kinds = ["assign", "assign", "augment", "call", "leave"] + ["if", "if", "for", "while"] * (depth > 0)
        kind = self.random.choice(kinds)
        name = self.random.choice(NAMES)
        if kind == "call" and not in_device:
            return [f"{name} = helper({self.value()}, {self.value()}, src)"]
        if kind == "augment":
            return [f"{name} {self.random.choice(['+=', '-=', '*='])} {self.value()}", f"{name} %= {MODULUS}"]
        if kind == "leave":
            leave = self.random.choice(["return " + (name if in_device else ""), "break", "continue"])
            if leave.startswith("return") or in_loop:
                return [f"if {self.condition()}:", "    " + leave.strip()]
        if kind == "if":
            lines = [f"if {self.condition()}:", *self.indented(depth - 1, in_loop, in_device)]
            if self.random.random() < 0.5:
                lines += ["else:", *self.indented(depth - 1, in_loop, in_device)]
            return lines
        if kind in ("for", "while"):
            return self.loop(kind, depth, in_device)
        return [f"{name} = {self.value()} % {MODULUS}"]

    def loop(self, kind: str, depth: int, in_device: bool) -> list[str]:
        self.counters += 1
        counter = f"k{self.counters}"
        body = self.indented(depth - 1, True, in_device)
        if kind == "for":
            head = [f"for {counter} in range({self.value(1)} % 4, {self.value(1)} % 13, {self.random.randint(1, 3)}):"]
        else:
            head = [f"{counter} = 0", f"while {counter} < {self.value(1)} % 11:", f"    {counter} += 1"]
        tail = ["else:", "    c = (c + 1) % 1009"] if self.random.random() < 0.3 else []
        return [*head, *body, *tail]

    def program(self) -> str:
        helper = ["def helper(a, b, src):", "    c = a", *self.indented(2, False, True), "    return a + b + c"]
        kernel = ["def kernel(src, out):", "    i = cuda.grid(1)", "    if i >= out.shape[0]:", "        return"]
        kernel += ["    a = i", "    b = src[i]", "    c = 1"]
        for step in range(3):
            kernel += self.indented(3, False, False)
            kernel += [f"    out[i, {step}] = (a * 3 + b * 5 + c * 7) % {MODULUS}"]
        return "\n".join([*helper, "", *kernel]) + "\n"


class OneThread:
    """The cuda module as one thread sees it."""

    def __init__(self, index: int):
        self.index = index

    def grid(self, dimensions):
        return self.index


def define(text: str, module):
    name = f"<random program {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"cuda": module}
    exec(compile(text, name, "exec"), namespace)
    return namespace["kernel"]


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("n", [37, 600])
def test_random_control_flow_gives_what_each_thread_alone_gives(seed, n):
    text = Writer(seed).program()
    src = np.random.default_rng(seed).integers(0, 100, n)
    expected, actual = np.full((n, 3), -1), np.full((n, 3), -1)
    kernel = define(text, None)
    with np.errstate(over="ignore"):  # products of many turns wrap round, in both alike
        for index in range(n):
            kernel.__globals__["cuda"] = OneThread(index)
            kernel(src, expected)
    simt.launch(define(text, cuda), -(-n // 64), 64, src, actual)
    np.testing.assert_array_equal(expected, actual, err_msg=text)
