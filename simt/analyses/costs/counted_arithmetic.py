"""How much arithmetic does each line ask for, by precision?

Counted as people count flops by hand: an addition, a subtraction or a multiplication is one, so that `acc += a * b` is
two, whether or not the compiler fuses them. Divisions, and functions such as sqrt and exp, are counted apart: each is a
sequence of instructions that differs from GPU to GPU. Comparisons, minima, conversions and signs are no arithmetic
here, nor are atomics, the steps of `range` and the sums that turn an index into an address.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.counters import Tally
from simt.events import Arithmetic, Listener

# operation -> what a GPU has for it, in floating-point additions and multiplications; on integers each is one
FLOPS = {"+": 1, "-": 1, "*": 1, "add": 1, "subtract": 1, "multiply": 1, "sub": 1, "mul": 1, "fma": 2, "square": 1,
         "iadd": 1, "isub": 1, "imul": 1, "degrees": 1, "radians": 1, "rad2deg": 1, "deg2rad": 1}  # fmt: skip
TENSOR_CORES = "mma"  # a product and its sum, of a warp or a warpgroup together
DIVISIONS = frozenset(
    ("/", "//", "%", "divide", "true_divide", "floor_divide", "remainder", "mod", "fmod", "truediv", "floordiv", "div",
     "itruediv", "ifloordiv", "imod", "divmod", "reciprocal", "rcp", "fdivide", "drem")
)  # fmt: skip
FUNCTIONS = frozenset(
    ("**", "pow", "ipow", "power", "float_power", "sqrt", "cbrt", "rsqrt", "rcbrt", "exp", "exp2", "exp10", "expm1",
     "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinpi", "cospi", "sincos", "asin", "acos", "atan", "atan2",
     "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh",
     "arctanh", "hypot", "erf", "erfc", "gamma", "lgamma", "tgamma", "phase", "polar", "rect")
)  # fmt: skip
ON_INTEGERS = frozenset(
    ("<<", ">>", "&", "|", "^", "lshift", "rshift", "and_", "or_", "xor", "ilshift", "irshift", "iand", "ior", "ixor",
     "left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "bitwise_not", "inv",
     "popc", "popcll", "brev", "brevll", "clz", "clzll", "ffs", "ffsll", "mulhi", "umulhi", "sad")
)  # fmt: skip
COMPLEX_FLOPS = {"*": 6, "mul": 6, "multiply": 6}  # four products and two sums; other operations work on both parts


class ArithmeticOperations(Listener):
    """Flops by precision, divisions, functions and integer operations, by site."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._kinds: dict[tuple[str, np.dtype], tuple[str, int] | None] = {}

    def arithmetic(self, event: Arithmetic) -> None:
        key = event.operation, event.dtype
        if key not in self._kinds:
            self._kinds[key] = kind_of(*key)
        kind = self._kinds[key]
        if kind is not None:
            row = self.tally.at(event.site)
            row[kind[0]] = row.get(kind[0], 0) + kind[1] * event.count


def kind_of(operation: str, dtype: np.dtype) -> tuple[str, int] | None:
    """(counter, how many) of one operation with a result of this type; None for what is no arithmetic."""
    name = plain_name(operation)
    if operation == TENSOR_CORES:
        return "tensor_flops", 2
    if dtype.kind in "iub":
        known = name in FLOPS or name in DIVISIONS or name in ON_INTEGERS or operation.startswith("**")
        return ("integer_operations", 1) if known else None
    if dtype.kind not in "fc":
        return None
    counter = f"float{8 * dtype.itemsize // (2 if dtype.kind == 'c' else 1)}_flops"
    if operation.startswith("**") and operation != "**":
        return _power(int(operation[2:]), counter)
    if name in FLOPS:
        flops = FLOPS[name] if dtype.kind == "f" else COMPLEX_FLOPS.get(name, 2 * FLOPS[name])
        return counter, flops
    if name in DIVISIONS:
        return "float_divisions", 1
    return ("special_functions", 1) if name in FUNCTIONS else None


def plain_name(operation: str) -> str:
    """ "hfma", "fmaf", "fadd_rn" and "fast_sinf" are fma, fma, add and sin of a type that the result shows."""
    known = FLOPS.keys() | DIVISIONS | FUNCTIONS | ON_INTEGERS
    candidates = [operation, operation.removeprefix("fast_")]
    candidates += [candidates[1].removesuffix("f"), candidates[1].removeprefix("h")]
    if operation.endswith("_rn"):
        candidates.append(operation[1:-3])
    return next((name for name in candidates if name in known), "")


def _power(exponent: int, counter: str) -> tuple[str, int] | None:
    """Powers with a literal exponent are multiplications, by repeated squaring, as numba writes them out."""
    if exponent < 0:
        return "special_functions", 1
    return (counter, exponent.bit_length() + exponent.bit_count() - 2) if exponent > 1 else None
