"""`>>` of a product that overflowed: numba says that signed sums do not, so a positive one is shifted without its sign.

Which shift the GPU makes is asked of the compiler, where there is one; the values follow from it.
"""

import linecache
from importlib.util import find_spec

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import int64, uint32, uint64

GOLDEN, PRIME, SMALL = 0x9E3779B97F4A7C15, 0x7FFFFFFFFFFFFFC5, 0x85EBCA6B
VALUES = [1, 2, 3, -5, 2**31 - 1, -(2**31), 2**32 - 1, 2**62 + 7, -(2**63)]
LOGICAL, SIGNED = "shr.u64", "shr.s64"
SHIFTS = [  # type of x, expression, the shift that the compiler makes
    ("int64", "(uint64(x[i]) * uint64(GOLDEN)) >> 33", LOGICAL),
    ("int32", "(uint64(x[i]) * uint64(GOLDEN)) >> 33", LOGICAL),
    ("uint64", "(x[i] * GOLDEN) >> 33", LOGICAL),
    ("int64", "(x[i] * GOLDEN) >> 33", SIGNED),
    ("int64", "(x[i] * PRIME) >> 33", SIGNED),
    ("int64", "(int64(x[i]) * int64(PRIME)) >> 33", SIGNED),
    ("int64", "(x[i] * x[i]) >> 33", LOGICAL),
    ("int32", "(x[i] * x[i] * x[i]) >> 33", SIGNED),
    ("uint32", "(x[i] * SMALL) >> 33", LOGICAL),
    ("uint32", "(x[i] * PRIME) >> 33", LOGICAL),
    ("uint32", "(x[i] + PRIME) >> 33", LOGICAL),
    ("int64", "((x[i] & 255) * PRIME) >> 33", LOGICAL),
    ("int64", "((x[i] & 255) * GOLDEN) >> 33", SIGNED),
    ("int64", "(uint32(x[i]) * PRIME) >> 33", LOGICAL),
    ("int64", "((uint32(x[i]) * SMALL) * SMALL) >> 33", SIGNED),
    ("int64", "((uint32(x[i]) * SMALL) * 9) >> 33", SIGNED),
    ("uint32", "(x[i] * SMALL + 1442695040888963407) >> 33", LOGICAL),
    ("uint32", "(PRIME * 3 * x[i]) >> 33", LOGICAL),
    ("int64", "(x[i] * PRIME if x[i] > 2 else 0) >> 33", SIGNED),
]
IN_LINES = [  # of a uint32: lines that leave h, and the shift that `h >>= 33` is then
    ("h = x[i] * PRIME\nh ^= h >> 13\nh *= SMALL", LOGICAL),
    ("h = x[i] * PRIME\nh = h ^ (h >> 13)\nh = h * SMALL", LOGICAL),
    ("h = x[i] * PRIME\nh *= SMALL", SIGNED),
    ("h = x[i] * PRIME\nh += x[i] * SMALL", LOGICAL),
    ("h = x[i] * PRIME\nif i > 3:\n    h += x[i]", SIGNED),
    ("h = 7\nfor k in range(i, 9):\n    h = h * PRIME + x[i]", SIGNED),
    ("h = 7\nfor k in range(i, 9):\n    h += x[i] * PRIME", LOGICAL),
    ("h = 7\nfor k in range(i, 9):\n    h = h + x[i] * PRIME", LOGICAL),
    ("h = 7\nk = i\nwhile k < 9:\n    h += x[i] * PRIME\n    k += 1", LOGICAL),
    ("h = 7\nfor k in range(i, 9):\n    h += x[i] * PRIME\n    h += 5", SIGNED),
    ("h = 7\nfor k in range(i, 9):\n    h ^= x[i] * PRIME", SIGNED),
    ("h = 7\nfor k in range(i, 9):\n    if k > 3:\n        h += x[i] * PRIME", SIGNED),
    ("h = 7\nfor k in range(i, 9):\n    h ^= h >> 13\n    h = h * PRIME", SIGNED),
]


class Word:
    """64 bits with a sign, which `>>` keeps or not."""

    def __init__(self, value, shift):
        self.value, self.shift = wrapped(int(value), True), shift

    def __mul__(self, other):
        return Word(self.value * int(other), self.shift)

    def __add__(self, other):
        return Word(self.value + int(other), self.shift)

    def __xor__(self, other):
        return Word(self.value ^ wrapped(int(other), True), self.shift)

    def __rshift__(self, n):
        return Word(wrapped(self.value, self.shift == SIGNED) >> n, self.shift)

    def __int__(self):
        return self.value


def kernel_of(expression: str, names: dict):
    """A kernel with one such line, and the source that it is read from."""
    return kernel_in_lines(f"h = {expression.rsplit(' >> ', 1)[0]}", "out[i] = h >> 33", names)


def kernel_in_lines(lines: str, last: str, names: dict):
    source = "def kernel(x, out):\n    i = cuda.grid(1)\n"
    source += "".join(f"    {line}\n" for line in f"{lines}\n{last}".splitlines())
    name = f"<{lines} {last}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), names := {**names, "GOLDEN": GOLDEN, "PRIME": PRIME, "SMALL": SMALL})
    return names["kernel"]


def wrapped(value: int, signed: bool) -> int:
    """A whole number as 64 bits have it."""
    value &= 2**64 - 1
    return value - 2**64 if signed and value >> 63 else value


def expected(dtype: str, expression: str, shift: str) -> list[int]:
    """By Python's own whole numbers: the 64 bits of the product, shifted with the sign or without it."""
    names = {
        "uint64": lambda v: v & (2**64 - 1),
        "uint32": lambda v: v & (2**32 - 1),
        "int64": lambda v: wrapped(v, True),
        "PRIME": PRIME,
        "SMALL": SMALL,
        "GOLDEN": GOLDEN,
        "i": 0,
    }
    inner = expression.rsplit(" >> ", 1)[0]
    products = [eval(inner, {**names, "x": [int(v)]}) for v in np.array(VALUES).astype(dtype)]
    return [wrapped(wrapped(value, shift == SIGNED) >> 33, True) for value in products]


@pytest.mark.parametrize(("dtype", "expression", "shift"), SHIFTS)
def test_a_product_that_overflowed_is_shifted_as_the_compiler_shifts_it(dtype, expression, shift):
    x = np.array(VALUES).astype(dtype)
    out = np.zeros(len(x), np.int64)
    kernel = kernel_of(expression, {"cuda": cuda, "uint64": uint64, "uint32": uint32, "int64": int64})
    simt.launch(cuda.jit(kernel), 1, len(x), x, out)

    assert expected(dtype, expression, shift) == out.tolist()


@pytest.mark.skipif(find_spec("numba") is None, reason="asks the compiler")
@pytest.mark.parametrize(("dtype", "expression", "shift"), SHIFTS)
def test_the_compiler_makes_the_shift_that_is_written_here(dtype, expression, shift):
    import numba
    from numba import cuda as real

    names = {"cuda": real, "uint64": numba.uint64, "uint32": numba.uint32, "int64": numba.int64}
    x, out = getattr(numba, dtype)[::1], numba.int64[::1]
    code, _ = real.compile_ptx(kernel_of(expression, names), (x, out), cc=(8, 0))
    made = [line.split()[0] for line in code.splitlines() if line.rstrip().endswith(", 33;")]

    assert [shift] == made


@pytest.mark.parametrize(("lines", "shift"), IN_LINES)
def test_a_number_that_several_lines_make_is_shifted_as_the_compiler_shifts_it(lines, shift):
    x, out = np.array(VALUES).astype("uint32"), np.zeros(len(VALUES), np.int64)
    simt.launch(cuda.jit(kernel_in_lines(lines, "h >>= 33\nout[i] = h", {"cuda": cuda})), 1, len(x), x, out)

    for i in range(len(x)):
        space = {"x": [Word(one, shift) for one in x], "i": i, "PRIME": PRIME, "SMALL": SMALL, "seven": Word(7, shift)}
        exec(lines.replace("h = 7", "h = seven"), space)
        assert int(space["h"] >> 33) == out[i]


@pytest.mark.skipif(find_spec("numba") is None, reason="asks the compiler")
@pytest.mark.parametrize(("lines", "shift"), IN_LINES)
def test_the_compiler_shifts_what_several_lines_make_as_is_written_here(lines, shift):
    import numba
    from numba import cuda as real

    kernel = kernel_in_lines(lines, "h >>= 33\nout[i] = h", {"cuda": real})
    code, _ = real.compile_ptx(kernel, (numba.uint32[::1], numba.int64[::1]), cc=(8, 0))
    made = {line.split()[0] for line in code.splitlines() if line.rstrip().endswith(", 33;")}

    assert {shift} == made
