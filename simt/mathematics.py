"""math, cmath, operator and NumPy functions, with the types numba gives their results."""

from __future__ import annotations

import cmath
import math
import operator

import numpy as np

from .numba_rules import C128, F32, F64, as_float, cast
from .operators import binary, invert, negate, positive
from .values import is_lane, truth

# math name -> NumPy function of the same meaning
UNARY = {name: getattr(np, name) for name in (
    "sqrt exp log sin cos tan sinh cosh tanh log2 log10 log1p expm1 exp2 cbrt floor ceil trunc fabs degrees radians"
).split()} | {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh,
      "atanh": np.arctanh}  # fmt: skip
BINARY = {
    "pow": np.power,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "fmod": np.fmod,
    "copysign": np.copysign,
    "nextafter": np.nextafter,
}
TESTS = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}
COMPLEX = {name: getattr(np, name) for name in "log exp sqrt sin cos tan sinh cosh tanh log10".split()} | {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}  # fmt: skip
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "lshift": "<<",
    "rshift": ">>", "and_": "&", "or_": "|", "xor": "^",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
    "iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "ifloordiv": "//", "imod": "%", "ipow": "**",
}  # fmt: skip
# NumPy functions that give floats for integers: float32 for small ones, float64 for 32 bits and more
FLOAT_UFUNCS = {
    np.sqrt, np.exp, np.log, np.sin, np.cos, np.tan, np.arctan, np.arcsin, np.arccos, np.tanh, np.sinh, np.cosh,
    np.exp2, np.log2, np.log10, np.log1p, np.expm1, np.cbrt,
}  # fmt: skip


def _unary(ufunc):
    def run(env, mask, value):
        value = as_float(value)
        return ufunc(value).astype(value.dtype)

    return run


def _binary(ufunc):
    return lambda env, mask, left, right: ufunc(as_float(left), as_float(right))


def _test(ufunc):
    return lambda env, mask, value: ufunc(as_float(value))


def _one_by_one(function):
    """A function NumPy lacks, applied to each lane; it may raise for values where C gives an infinity or NaN."""

    def safe(value: float) -> float:
        try:
            return function(value)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    vectorised = np.vectorize(safe, otypes=[F64])

    def run(env, mask, value):
        value = as_float(value)
        return vectorised(value).astype(value.dtype)[()]

    return run


def _complex(ufunc):
    def run(env, mask, value, *base):
        result = ufunc(value if value.dtype.kind == "c" else cast(value, C128))
        return result / ufunc(base[0]) if base else result

    return run


def _operator(symbol: str):
    return lambda env, mask, left, right: binary(symbol, left, right)


def _not(env, mask, value):
    holds = truth(value)
    return ~holds if is_lane(holds) else np.bool_(not holds)


def _ldexp(env, mask, value, exponent):
    return np.ldexp(as_float(value), exponent.astype(np.int32))


def _remainder(env, mask, left, right):
    left, right = as_float(left), as_float(right)
    return left - np.rint(left / right) * right


def make_complex(real, imag):
    """A complex number of its parts, signs of zeros included."""
    dtype = np.result_type(real.dtype, imag.dtype, np.complex64)
    result = np.empty(np.broadcast(real, imag).shape, dtype)
    result.real, result.imag = real, imag
    return result[()]


def _phase(env, mask, value):
    return np.angle(value).astype(value.real.dtype)


def apply_ufunc(ufunc: np.ufunc, operands: list):
    """A NumPy function on scalars or lanes, in numba's types."""
    if ufunc in FLOAT_UFUNCS:
        operands = [
            value.astype(F64 if value.dtype.kind in "iu" and value.dtype.itemsize >= 4 else F32)
            if value.dtype.kind in "biu"
            else value
            for value in operands
        ]
    return ufunc(*operands)


CALLS = {
    math.ldexp: _ldexp,
    math.frexp: lambda env, mask, value: tuple(np.frexp(as_float(value))),
    math.modf: lambda env, mask, value: tuple(np.modf(as_float(value))),
    math.remainder: _remainder,
    cmath.phase: _phase,
    cmath.polar: lambda env, mask, value: (np.abs(value), _phase(env, mask, value)),
    cmath.rect: lambda env, mask, radius, angle: make_complex(radius * np.cos(angle), radius * np.sin(angle)),
    operator.neg: lambda env, mask, value: negate(value),
    operator.pos: lambda env, mask, value: positive(value),
    operator.invert: lambda env, mask, value: invert(value),
    operator.not_: _not,
}
for _functions, _module, _wrap in (
    (UNARY, math, _unary), (BINARY, math, _binary), (TESTS, math, _test),
    (COMPLEX, cmath, _complex), (TESTS, cmath, _test),
):  # fmt: skip
    CALLS.update({getattr(_module, name): _wrap(ufunc) for name, ufunc in _functions.items() if hasattr(_module, name)})
CALLS.update({getattr(math, name): _one_by_one(getattr(math, name)) for name in ("erf", "erfc", "gamma", "lgamma")})
CALLS.update({getattr(operator, name): _operator(symbol) for name, symbol in OPERATORS.items()})
