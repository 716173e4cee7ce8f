"""Functions of `math`, at every odd value; and the list of all cases."""

from __future__ import annotations

from collections.abc import Iterator

from tests.corners.cases import EXACT, Case, binary_operators, conversions, ranges, tests_of_types, unary_operators
from tests.corners.values import FLOATS

FUNCTIONS = (
    "sqrt exp expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc "
    "gamma lgamma degrees radians fabs"
).split()
NEAR = {"float16": 2e-3, "float32": 1e-5, "uint8": 1e-5, "bool": 1e-5}  # of a result in float64: 1e-12
ROUGH = {"sqrt": EXACT, "fabs": EXACT}
OF_NUMPY = "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh log log2 log10 deg2rad".split()


def functions() -> Iterator[Case]:
    for kind in (*FLOATS, "int32", "uint8", "uint64", "bool"):
        near = NEAR.get(kind, 1e-12)
        for name in FUNCTIONS:
            yield Case(
                f"math.{name}(a)", (kind,), "float64", ROUGH.get(name, max(near, 1e-8) if name == "lgamma" else near)
            )
        for name in OF_NUMPY:
            yield Case(f"np.{name}(a)", (kind,), "float64", near)
        for name in ("isnan", "isinf", "isfinite"):
            yield Case(f"math.{name}(a)", (kind,), "bool")
        yield Case("np.isnan(a)", (kind,), "bool")
        for part in (0, 1):
            yield Case(f"math.frexp(a)[{part}]", (kind,), "float64")
            yield Case(f"math.modf(a)[{part}]", (kind,), "float64")
        for shift in (3, -3, 2000, -2000):
            yield Case(f"math.ldexp(a, {shift})", (kind,), "float64")
        yield Case("cuda.fma(a, a, a)", (kind,), "float64")
    for kind in ("int32", "int64", "uint32", "uint64"):
        for name in ("popc", "clz", "ffs", "brev"):
            yield Case(f"cuda.{name}(a)", (kind,), "int64")


def cases() -> list[Case]:
    """All, each once."""
    made = (conversions, unary_operators, binary_operators, ranges, tests_of_types, functions)
    return list(dict.fromkeys(case for some in made for case in some()))
