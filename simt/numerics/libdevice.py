"""numba.cuda.libdevice: the functions whose meaning NumPy has too. `f` at the end of a name means float32.

Its Bessel functions, and the inverses of the error function, are not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.numerics import bits, directed_rounding
from simt.numerics.fma import fused_multiply_add
from simt.numerics.mathematics import BINARY, CALLS, UNARY
from simt.values.numba_rules import F16, F32, F64, I32, I64, U32, U64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

FLOATS = {
    **{name: function for name, function in (UNARY | BINARY).items() if name not in ("degrees", "radians")},
    "cbrt": np.cbrt, "rint": np.rint, "nearbyint": np.rint, "fmax": np.fmax, "fmin": np.fmin,
    "exp10": lambda x: np.power(x.dtype.type(10), x), "rsqrt": lambda x: x.dtype.type(1) / np.sqrt(x),
    "rcbrt": lambda x: x.dtype.type(1) / np.cbrt(x), "fdim": lambda x, y: np.where(x > y, x - y, x.dtype.type(0))[()],
    "round": lambda x: np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x),
    "sinpi": lambda x: np.sin(x * x.dtype.type(np.pi)), "cospi": lambda x: np.cos(x * x.dtype.type(np.pi)),
    "fma": fused_multiply_add,
    "sincos": lambda x: (np.sin(x), np.cos(x)),
    "frexp": lambda x: tuple(np.frexp(x)), "modf": lambda x: tuple(np.modf(x)),
    "sincospi": lambda x: (np.sin(x * x.dtype.type(np.pi)), np.cos(x * x.dtype.type(np.pi))),
    "logb": lambda x: _binary_logarithm(x),
}  # fmt: skip
INTEGERS = {
    "abs": (I32, np.abs), "llabs": (I64, np.abs), "max": (I32, np.maximum), "min": (I32, np.minimum),
    "umax": (U32, np.maximum), "umin": (U32, np.minimum), "llmax": (I64, np.maximum), "llmin": (I64, np.minimum),
    "ullmax": (U64, np.maximum),
    "ullmin": (U64, np.minimum), "sad": (I32, lambda x, y, z: np.abs(x - y) + z),
    "mulhi": (I32, lambda x, y: ((x.astype(I64) * y.astype(I64)) >> np.int64(32)).astype(I32)),
    "umulhi": (U32, lambda x, y: ((x.astype(U64) * y.astype(U64)) >> np.uint64(32)).astype(U32)),
    "usad": (U32, lambda x, y, z: np.where(x > y, x - y, y - x)[()] + z),
    "hadd": (I32, lambda x, y: ((x.astype(I64) + y) >> np.int64(1)).astype(I32)),
    "rhadd": (I32, lambda x, y: ((x.astype(I64) + y + 1) >> np.int64(1)).astype(I32)),
    "uhadd": (U32, lambda x, y: ((x.astype(U64) + y) >> np.uint64(1)).astype(U32)),
    "urhadd": (U32, lambda x, y: ((x.astype(U64) + y + np.uint64(1)) >> np.uint64(1)).astype(U32)),
    "mul24": (I32, lambda x, y: _low_24(x) * _low_24(y)),
    "umul24": (U32, lambda x, y: (x & U32.type(0xFFFFFF)) * (y & U32.type(0xFFFFFF))),
    "mul64hi": (I64, lambda x, y: _high_word(x, y)), "umul64hi": (U64, lambda x, y: _high_word(x, y)),
    "byte_perm": (U32, lambda x, y, order: _chosen_bytes(x, y, order).astype(I32)),
}  # fmt: skip
FAST = {"sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp, "log": np.log, "log2": np.log2, "log10": np.log10,
        "pow": np.power, "fdivide": np.divide}  # fmt: skip
TESTS = {
    "isnanf": np.isnan, "isnand": np.isnan, "isinff": np.isinf, "isinfd": np.isinf, "finitef": np.isfinite,
    "isfinited": np.isfinite, "signbitf": np.signbit, "signbitd": np.signbit,
}  # fmt: skip


def _low_24(value: Value):
    """The lower 24 bits, the highest of them as sign."""
    return ((value << I32.type(8)) >> I32.type(8)).astype(I32)


def _high_word(x, y):
    """The upper 64 bits of a product of 128."""
    low = np.uint64(0xFFFFFFFF)
    x_low, y_low = x.astype(U64) & low, y.astype(U64) & low
    x_high, y_high = x >> x.dtype.type(32), y >> y.dtype.type(32)
    kind = x.dtype.type
    carry = (x_low * y_low) >> np.uint64(32)
    middle = x_high * y_low.astype(x.dtype) + carry.astype(x.dtype)
    other = x_low.astype(x.dtype) * y_high + (middle & kind(0xFFFFFFFF))
    return x_high * y_high + (middle >> kind(32)) + (other >> kind(32))


def _chosen_bytes(x, y, order):
    """Four of the eight bytes of y and x, each chosen by three bits of four."""
    both = x.astype(U64) | (y.astype(U64) << np.uint64(32))
    result = np.zeros_like(both)
    for position in range(4):
        chosen = (order.astype(U64) >> np.uint64(4 * position)) & np.uint64(7)
        result = result | (((both >> (chosen * np.uint64(8))) & np.uint64(0xFF)) << np.uint64(8 * position))
    return result.astype(U32)


def _binary_logarithm(x):
    """The binary exponent as a float: -inf of 0, inf of infinity."""
    ordinary = np.isfinite(x) & (x != 0)
    return np.where(ordinary, np.frexp(x)[1] - 1, np.log2(np.abs(x))).astype(x.dtype)[()]


def _scaled(dtype: np.dtype):
    return lambda env, mask, place, value, power: np.ldexp(cast(value, dtype), cast(power, I32))


def _exponent(dtype: np.dtype):
    """int32 binary exponent: the largest int for infinity, the smallest for 0 and NaN."""

    def run(env: Env, mask: Mask, place: Place, value: Value):
        value = cast(value, dtype)
        exponent = np.where(np.isinf(value), np.iinfo(I32).max, np.frexp(value)[1].astype(I64) - 1)
        return np.where((value == 0) | np.isnan(value), np.iinfo(I32).min, exponent).astype(I32)[()]

    return run


def _rounded_to_int64(dtype: np.dtype, rounds):
    return lambda env, mask, place, value: rounds(cast(value, dtype)).astype(I64)


def _normal_cdf(dtype: np.dtype):
    import math

    def run(env: Env, mask: Mask, place: Place, value: Value):
        return CALLS[math.erfc](env, mask, cast(value, dtype) * dtype.type(-math.sqrt(0.5))) * dtype.type(0.5)

    return run


def _remainder_and_quotient(dtype: np.dtype):
    """(remainder, int32 lowest bits of the quotient rounded to nearest)."""

    def run(env: Env, mask: Mask, place: Place, x, y):
        x, y = cast(x, dtype), cast(y, dtype)
        quotient = np.rint(x.astype(F64) / y)
        return (x - quotient * y).astype(dtype), np.fmod(quotient, 8).astype(I32)

    return run


def _words() -> dict:
    """The two halves of a double, and float16 as bits."""

    def joined(env: Env, mask: Mask, place: Place, high, low):
        return ((cast(high, I32).astype(I64) << np.int64(32)) | (cast(low, I32).astype(I64) & 0xFFFFFFFF)).view(F64)

    return {
        "double2hiint": lambda env, mask, place, x: (cast(x, F64).view(I64) >> np.int64(32)).astype(I32),
        "double2loint": lambda env, mask, place, x: cast(x, F64).view(I64).astype(I32),
        "hiloint2double": joined,
        "half2float": lambda env, mask, place, x: cast(x, np.dtype("i2")).view(F16).astype(F32),
        "float2half_rn": lambda env, mask, place, x: cast(x, F32).astype(F16).view(np.int16),
    }


def _cast_all(dtype: np.dtype, function):
    return lambda env, mask, place, *values: function(*(cast(value, dtype) for value in values))


def _test(function, dtype: np.dtype):
    return lambda env, mask, place, value: function(cast(value, dtype)).astype(I32)


def _count(name: str, dtype: np.dtype, result: np.dtype):
    intrinsic = bits.INTRINSICS[name]
    return lambda env, mask, place, value: cast(intrinsic(env, mask, place, cast(value, dtype)), result)


def _bits_of(source: np.dtype, target: np.dtype):
    """The bits of a number as a number of another type."""
    return lambda env, mask, place, value: cast(value, source).view(target)


def _from_math(name: str, dtype: np.dtype):
    import math

    known = CALLS[getattr(math, name)]
    return lambda env, mask, place, value: known(env, mask, cast(value, dtype))


def _table() -> dict:
    table = {}
    for name, function in FLOATS.items():
        table[name], table[f"{name}f"] = _cast_all(F64, function), _cast_all(F32, function)
    for name, (dtype, function) in INTEGERS.items():
        table[name] = _cast_all(dtype, function)
    for name, function in FAST.items():
        table[f"fast_{name}f"] = _cast_all(F32, function)
    for name, function in TESTS.items():
        table[name] = _test(function, F32 if name.endswith("f") else F64)
    for name, of in {"erf": "erf", "erfc": "erfc", "lgamma": "lgamma", "tgamma": "gamma"}.items():
        table[name], table[f"{name}f"] = _from_math(of, F64), _from_math(of, F32)
    for name in ("popc", "clz", "ffs"):
        table[name], table[f"{name}ll"] = _count(name, I32, I32), _count(name, I64, I32)
    table["brev"], table["brevll"] = _count("brev", U32, I32), _count("brev", U64, I64)
    for end, dtype in (("", F64), ("f", F32)):
        table["ldexp" + end] = table["scalbn" + end] = _scaled(dtype)
        table["powi" + end] = lambda env, mask, place, x, n, t=dtype: np.power(cast(x, t), cast(n, I32).astype(t))
        table["ilogb" + end], table["normcdf" + end] = _exponent(dtype), _normal_cdf(dtype)
        table["llrint" + end] = _rounded_to_int64(dtype, np.rint)
        table["llround" + end] = _rounded_to_int64(dtype, FLOATS["round"])
        table["remquo" + end] = _remainder_and_quotient(dtype)
    table["fma_rn"], table["fmaf_rn"] = table["fma"], table["fmaf"]
    table["fast_sincosf"], table["fast_exp10f"] = table["sincosf"], table["exp10f"]
    table["frsqrt_rn"] = table["rsqrtf"]
    table["saturatef"] = _cast_all(F32, lambda x: np.clip(x, F32.type(0), F32.type(1)))
    table |= _words() | directed_rounding.table()
    table["float_as_int"], table["int_as_float"] = _bits_of(F32, I32), _bits_of(I32, F32)
    table["double_as_longlong"], table["longlong_as_double"] = _bits_of(F64, I64), _bits_of(I64, F64)
    return table


def _signed(function):
    """numba declares every integer of libdevice as signed: the bits stay."""

    def run(env: Env, mask: Mask, place: Place, *values):
        result = function(env, mask, place, *values)
        unsigned = not isinstance(result, tuple) and result.dtype.kind == "u"
        return result.view(f"i{result.dtype.itemsize}") if unsigned else result

    return run


INTRINSICS = {f"libdevice.{name}": _signed(function) for name, function in _table().items()}
