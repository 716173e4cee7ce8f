"""math, cmath, operator and NumPy functions, with the types numba gives their results."""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.errors import KernelTypeError
from simt.numerics.operators import binary, invert, negate, positive
from simt.numerics.powers import float_power
from simt.refusals import numbers
from simt.values import denied
from simt.values.bfloat16 import HAS_FUNCTIONS
from simt.values.numba_rules import C128, F16, F32, F64, I64, as_float, cast, float_dtype, ufunc_loop

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.values import Value


def _remainder(left, right):
    """IEEE's, exact: left less the nearest multiple of right, an even one of two."""
    size = np.abs(right)
    twice = size + size
    rest = np.abs(np.where(np.isinf(twice), left, np.fmod(left, twice)))
    above = rest > size - rest  # half of the divisor
    rest = np.where(above, rest - size, rest)
    rest = np.where(above & (rest >= size - rest), rest - size, rest)
    wrong = np.isinf(left) | (right == 0) | np.isnan(left) | np.isnan(right)
    result = np.where(np.isinf(right), left, np.where(np.signbit(left), -rest, rest))
    return np.where(wrong, np.nan, result).astype(left.dtype)[()]


# math name -> NumPy function of the same meaning
UNARY = {name: getattr(np, name) for name in (
    "sqrt exp log sin cos tan sinh cosh tanh log2 log10 log1p expm1 exp2 floor ceil trunc fabs degrees radians"
).split()} | {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh,
      "atanh": np.arctanh}  # fmt: skip
BINARY = {
    "pow": np.power,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "fmod": np.fmod,
    "copysign": np.copysign,
    "nextafter": np.nextafter,
    "remainder": _remainder,
}
TESTS = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}
COMPLEX = {name: getattr(np, name) for name in "log sqrt sin cos tan sinh cosh tanh log10".split()} | {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}  # fmt: skip
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "lshift": "<<",
    "rshift": ">>", "and_": "&", "or_": "|", "xor": "^",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
    "iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "ifloordiv": "//", "imod": "%", "ipow": "**",
    "iand": "&", "ior": "|", "ixor": "^", "ilshift": "<<", "irshift": ">>",
}  # fmt: skip
UFUNCS_ON_A_GPU = {  # what numba_cuda/numba/cuda/ufuncs.py has code for, 0.30.4
    np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.arctan2, np.hypot, np.sinh, np.cosh, np.tanh,
    np.arcsinh, np.arccosh, np.arctanh, np.deg2rad, np.radians, np.rad2deg, np.degrees, np.greater, np.greater_equal,
    np.less, np.less_equal, np.not_equal, np.equal, np.logical_and, np.logical_or, np.logical_xor, np.logical_not,
    np.maximum, np.minimum, np.fmax, np.fmin, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.left_shift,
    np.right_shift, np.log, np.log2, np.log10, np.isnan, np.conjugate, np.divide,
}  # fmt: skip
FIRST_OF_EQUALS = {np.maximum, np.minimum, np.fmax, np.fmin}  # as of 0.0 and -0.0
# math functions that numba has for float16; it computes the others in float32
HALF_PRECISION = {"sqrt", "exp", "log", "sin", "cos", "log2", "log10", "floor", "ceil", "trunc", "fabs", "exp2"}
FLOAT64_OF_INTEGERS = {"atan2", "hypot"}  # even of small ones


def _unary(name: str, ufunc):
    halves = name in HALF_PRECISION

    def run(env: Env, mask: Mask, value: Value):
        value = as_float(value)
        if value.dtype.kind == "V":
            result = ufunc(value.astype(F32))
            return result.astype(value.dtype) if name in HAS_FUNCTIONS else result
        if value.dtype == F16 and not halves:
            value = value.astype(F32)
        elif value.dtype.kind == "c":
            raise KernelTypeError(numbers.of_complex(name, str(value.dtype)))
        return ufunc(value).astype(value.dtype)

    return run


def _binary(name: str, ufunc):
    def run(env: Env, mask: Mask, left, right):
        dtype = float_dtype((left.dtype, right.dtype))
        if name in FLOAT64_OF_INTEGERS and left.dtype.kind in "biu" and right.dtype.kind in "biu":
            dtype = F64
        if name == "pow" and right.dtype.kind == "i" and right.dtype.itemsize <= 4:  # products, as of `**`
            return float_power(cast(left, float_dtype((left.dtype,))), cast(right, I64))
        return ufunc(cast(left, dtype), cast(right, dtype))

    return run


def _test(name: str, ufunc):
    return lambda env, mask, value: ufunc(_wider(as_float(value)))


def _wider(value: Value):
    """A bfloat16 as a float32, of which NumPy has functions."""
    return value.astype(F32) if value.dtype.kind == "V" else value


def _one_by_one(function):
    """A function NumPy lacks, applied to each lane; it may raise for values where C gives an infinity or NaN."""

    def safe(value: float) -> float:
        try:
            return function(value)
        except OverflowError:
            return math.copysign(math.inf, value) if function is math.gamma and abs(value) < 1 else math.inf
        except ValueError:  # at a pole: lgamma goes to infinity, and gamma only where its sign is known
            if function is math.gamma and value == 0:
                return math.copysign(math.inf, value)
            return math.inf if function is math.lgamma else math.nan

    vectorised = np.vectorize(safe, otypes=[F64])

    def run(env: Env, mask: Mask, value: Value):
        value = _wider(as_float(value))
        value = value.astype(F32) if value.dtype == F16 else value
        return vectorised(value).astype(value.dtype)[()]

    return run


def _complex(name: str, ufunc):
    def run(env: Env, mask: Mask, value: Value, *base):
        result = ufunc(value if value.dtype.kind == "c" else cast(value, C128))
        return result / ufunc(base[0]) if base else result

    return run


def _exponential(value: Value):
    """cmath.exp: zero without a direction where the real part is -inf, as in C."""
    result = np.exp(value)
    nowhere = np.isneginf(value.real) & ~np.isfinite(value.imag)
    return np.where(nowhere, result.dtype.type(0), result)[()]


def _operator(symbol: str):
    return lambda env, mask, left, right: binary(symbol, left, right)


def _ldexp(env: Env, mask: Mask, value: Value, exponent):
    value = as_float(value)
    return np.ldexp(cast(value, F32) if value.dtype == F16 else value, exponent.astype(np.int32))


def _frexp(env: Env, mask: Mask, value: Value):
    return tuple(np.frexp(cast(value, float_dtype((value.dtype,)))))


def _modf(env: Env, mask: Mask, value: Value):
    return tuple(np.modf(value if value.dtype == F32 else cast(value, F64)))


def make_complex(real, imag):
    """A complex number of its parts, signs of zeros included."""
    dtype = np.result_type(real.dtype, imag.dtype, np.complex64)
    result = np.empty(np.broadcast(real, imag).shape, dtype)
    result.real, result.imag = real, imag
    return result[()]


def _rect(env: Env, mask: Mask, radius, angle):
    nowhere = ~np.isfinite(angle) & (radius == 0)  # zero in no direction is zero
    sine = np.sin(angle)
    real = np.where(nowhere, np.abs(radius), radius * np.cos(angle))
    along_the_axis = (sine == 0) & np.isinf(radius)  # keeps the zero, and its sign
    imag = np.where(nowhere, np.abs(radius) * 0, np.where(along_the_axis, sine / radius, radius * sine))
    return make_complex(real, imag)


def _phase(env: Env, mask: Mask, value: Value):
    return np.angle(value).astype(value.real.dtype)


_loops: dict[tuple, tuple] = {}  # (ufunc, operand dtypes) -> types to cast them to


def apply_ufunc(ufunc: np.ufunc, operands: list):
    """A NumPy function on scalars or lanes, in numba's types."""
    key = (ufunc, *(operand.dtype for operand in operands))
    loop = _loops.get(key)
    if loop is None:
        loop = _loops[key] = ufunc_loop(ufunc, key[1:])
    operands = [cast(operand, dtype) for operand, dtype in zip(operands, loop, strict=True)]
    if ufunc not in FIRST_OF_EQUALS:
        return ufunc(*operands)
    return np.where(operands[0] == operands[1], operands[0], ufunc(*operands))[()]


CALLS: dict[Any, Callable] = {
    math.ldexp: _ldexp,
    math.frexp: _frexp,
    math.modf: _modf,
    cmath.phase: _phase,
    cmath.polar: lambda env, mask, value: (np.abs(value), _phase(env, mask, value)),
    cmath.rect: _rect,
    np.isnat: lambda env, mask, value: apply_ufunc(np.isnat, [value]),
    operator.neg: lambda env, mask, value: negate(value),
    operator.pos: lambda env, mask, value: positive(value),
    operator.invert: lambda env, mask, value: invert(value),
    operator.not_: lambda env, mask, value: denied(value),
}
COMPLEX["exp"] = _exponential
for _functions, _module, _wrap in (
    (UNARY, math, _unary), (BINARY, math, _binary), (TESTS, math, _test),
    (COMPLEX, cmath, _complex), (TESTS, cmath, _test),
):  # fmt: skip
    CALLS.update(
        {getattr(_module, name): _wrap(name, ufunc) for name, ufunc in _functions.items() if hasattr(_module, name)}
    )
CALLS.update({getattr(math, name): _one_by_one(getattr(math, name)) for name in ("erf", "erfc", "gamma", "lgamma")})
CALLS.update({getattr(operator, name): _operator(symbol) for name, symbol in OPERATORS.items()})
