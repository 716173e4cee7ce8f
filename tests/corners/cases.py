"""The expressions. A case names its operands `a` and `b`, and the type of what it leaves."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tests.corners.values import FLOATS, INTEGERS, SIGNED, UNSIGNED

EXACT = 0.0


@dataclass(frozen=True)
class Case:
    """text: an expression, or statements that assign `r`; it goes into an element of type `out`.

    operands: types of a and b. tolerance: relative error that is no difference, for what a library computes.
    """

    text: str
    operands: tuple[str, ...]
    out: str
    tolerance: float = EXACT

    @property
    def name(self) -> str:
        return f"{self.text} [{', '.join(self.operands)}] -> {self.out}"


def conversions() -> Iterator[Case]:
    """A number of each type into each other type, in every way a kernel can write it."""
    for kind in FLOATS:
        for to in ("bool", *INTEGERS):
            yield Case("a", (kind,), to)
            yield Case("int(a)", (kind,), to)
            if to != "bool":
                yield Case(f"{to}(a)", (kind,), "int64")
        yield Case("bool(a)", (kind,), "int64")
        yield Case("1 if a else 0", (kind,), "int64")
        yield Case("not a", (kind,), "bool")
        for name in ("floor", "ceil", "trunc"):
            for to in ("int64", "int32", "uint64", "float64"):
                yield Case(f"math.{name}(a)", (kind,), to)
        for text in ("round(a)", "round(a, 1)", "round(a, -1)", "round(a, 0)"):
            yield Case(text, (kind,), "int64")
            yield Case(text, (kind,), "float64")
        yield Case("float(a)", (kind,), "float64")
        for to in FLOATS:
            yield Case("a", (kind,), to)
            yield Case(f"{to}(a)", (kind,), "float64")
        yield Case("r = cuda.local.array(1, int32)\nr[0] = a\nr = r[0]", (kind,), "int32")
        yield Case("cuda.atomic.add(o, i, a)\nr = o[i]", (kind,), "int32")
        yield Case("cuda.atomic.max(o, i, a)\nr = o[i]", (kind,), "int64")
    for kind in ("bool", *INTEGERS):
        for to in ("bool", *INTEGERS, *FLOATS):
            yield Case("a", (kind,), to)
            if to != "bool":
                yield Case(f"{to}(a)", (kind,), "float64" if to in FLOATS else "int64")
        yield Case("int(a)", (kind,), "int64")
        yield Case("float(a)", (kind,), "float64")
        yield Case("round(a)", (kind,), "int64")
        for name in ("floor", "ceil", "trunc"):
            yield Case(f"math.{name}(a)", (kind,), "int64")


def unary_operators() -> Iterator[Case]:
    for kind in ("bool", *INTEGERS, *FLOATS):
        out = "float64" if kind in FLOATS else "int64"
        for text in ("-a", "+a", "abs(a)", "math.fabs(a)", "a * a", "a ** 2", "a ** 3", "a ** -1", "a ** 0", "-a // 2",
                     "a // -3", "a % -3", "a % 3", "a // 0.3", "a % 0.3", "1 / a", "1 // a", "1 % a", "a // 0", "a % 0",
                     "a + 1", "a - 1"):  # fmt: skip
            yield Case(text, (kind,), "float64" if "fabs" in text or "/ a" in text or "0.3" in text else out)
        if kind not in FLOATS:
            for text in ("~a", "a << 1", "a << 63", "a << 64", "a >> 1", "a >> 63", "a >> 64", "1 << a", "-1 >> a",
                         "a & 255", "a ^ -1", "a * 2654435761", "uint32(a) * uint32(2654435761)",
                         "uint32(a) * 2654435761 >> 7", "uint32(a + 1)", "int32(a * 3)", "int8(a + 100)"):  # fmt: skip
                yield Case(text, (kind,), out)


ARITHMETIC = ("a + b", "a - b", "a * b", "a // b", "a % b", "a / b", "min(a, b)", "max(a, b)", "a ** b")
COMPARED = ("a < b", "a <= b", "a > b", "a >= b", "a == b", "a != b")
OF_TWO_FLOATS = (
    "divmod(a, b)[0]", "divmod(a, b)[1]", "math.fmod(a, b)", "math.copysign(a, b)", "math.nextafter(a, b)",
    "math.remainder(a, b)", "np.fmin(a, b)", "np.fmax(a, b)", "np.minimum(a, b)", "np.maximum(a, b)",
    "b if a else 1.0", "a and b", "a or b",
)  # fmt: skip
BITWISE = ("a & b", "a | b", "a ^ b", "a << b", "a >> b")
MIXED = (
    ("int32", "int64"), ("int32", "uint32"), ("uint32", "int32"), ("int64", "uint64"), ("uint64", "int64"),
    ("int8", "uint8"), ("uint8", "int8"), ("int32", "uint64"), ("uint64", "int32"), ("int64", "uint32"),
    ("bool", "int32"), ("uint8", "bool"), ("uint64", "bool"),
)  # fmt: skip
BESIDE_FLOATS = (
    ("float32", "int32"), ("int32", "float32"), ("float32", "uint8"), ("int64", "float32"), ("uint64", "float64"),
    ("float64", "int64"), ("float16", "int32"), ("float16", "float32"), ("float32", "float64"), ("bool", "float32"),
)  # fmt: skip


def binary_operators() -> Iterator[Case]:
    for left, right in (*((kind, kind) for kind in ("bool", *INTEGERS)), *MIXED):
        for text in (*ARITHMETIC, *COMPARED, *BITWISE, "divmod(a, b)[0]", "divmod(a, b)[1]", "pow(a, b)"):
            yield Case(text, (left, right), out_of(text, "int64"))
        yield Case("min(a, b)", (left, right), "float64")
        yield Case("a + b", (left, right), "float64")
        yield Case("math.pow(a, b)", (left, right), "float64", 1e-6)
        yield Case("math.fmod(a, b)", (left, right), "float64")
        yield Case("math.atan2(a, b)", (left, right), "float64", 1e-13)
        yield Case("math.gcd(a, b)", (left, right), "int64")
    for left, right in (*((kind, kind) for kind in FLOATS), *BESIDE_FLOATS):
        near = 1e-13 if "float64" in (left, right) else 1e-5 if "float16" not in (left, right) else 2e-3
        for text in (*ARITHMETIC, *COMPARED, *OF_TWO_FLOATS):
            yield Case(text, (left, right), out_of(text, "float64"), near if "**" in text else EXACT)
        for text in ("math.pow(a, b)", "math.atan2(a, b)", "math.hypot(a, b)", "pow(a, b)"):
            yield Case(text, (left, right), "float64", near)


def out_of(text: str, otherwise: str) -> str:
    """Comparisons leave bools, quotients floats."""
    return "bool" if text in COMPARED else "float64" if text == "a / b" else otherwise


def ranges() -> Iterator[Case]:
    """How often a loop turns, six times at most, and the last number it saw."""
    count = "r = 0\nfor k in range({}):\n    r += 1\n    if r > 5:\n        break"
    last = "r = 77\nn = 0\nfor k in range({}):\n    r = k\n    n += 1\n    if n > 5:\n        break"
    for kind in INTEGERS:
        for bounds in ("a", "a, 5", "0, a, 3", "5, a, -2", "a, a + 3", "a, a - 3, -1"):
            yield Case(count.format(bounds), (kind,), "int64")
            yield Case(last.format(bounds), (kind,), "int64")
    for left, right in itertools.product(("int32", "int64", "uint64"), repeat=2):
        yield Case(count.format("a, b"), (left, right), "int64")
        yield Case(last.format("a, b, 7"), (left, right), "int64")


def tests_of_types() -> Iterator[Case]:
    """What a variable becomes that both sides of a branch assign."""
    for left, right in itertools.combinations((*SIGNED, *UNSIGNED, *FLOATS), 2):
        yield Case("r = a\nif i % 2 == 0:\n    r = b", (left, right), "float64")
