"""numba.cuda.libdevice: the functions whose meaning NumPy has too. `f` at the end of a name means float32."""

from __future__ import annotations

import numpy as np

from . import bits
from .fused import fused_multiply_add
from .mathematics import BINARY, CALLS, UNARY
from .numba_rules import F32, F64, I32, I64, U32, U64, cast

FLOATS = {
    **UNARY, **BINARY, "rint": np.rint, "nearbyint": np.rint, "fmax": np.fmax, "fmin": np.fmin,
    "exp10": lambda x: np.power(x.dtype.type(10), x), "rsqrt": lambda x: x.dtype.type(1) / np.sqrt(x),
    "rcbrt": lambda x: x.dtype.type(1) / np.cbrt(x), "fdim": lambda x, y: np.where(x > y, x - y, x.dtype.type(0))[()],
    "round": lambda x: np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x),
    "sinpi": lambda x: np.sin(x * x.dtype.type(np.pi)), "cospi": lambda x: np.cos(x * x.dtype.type(np.pi)),
    "fma": fused_multiply_add,
    "saturate": lambda x: np.clip(x, x.dtype.type(0), x.dtype.type(1)),
    "sincos": lambda x: (np.sin(x), np.cos(x)),
    "frexp": lambda x: tuple(np.frexp(x)), "modf": lambda x: tuple(np.modf(x)),
}  # fmt: skip
INTEGERS = {
    "abs": (I32, np.abs), "llabs": (I64, np.abs), "max": (I32, np.maximum), "min": (I32, np.minimum),
    "umax": (U32, np.maximum), "umin": (U32, np.minimum), "llmax": (I64, np.maximum), "llmin": (I64, np.minimum),
    "ullmax": (U64, np.maximum),
    "ullmin": (U64, np.minimum), "sad": (I32, lambda x, y, z: np.abs(x - y) + z),
    "mulhi": (I32, lambda x, y: ((x.astype(I64) * y.astype(I64)) >> np.int64(32)).astype(I32)),
    "umulhi": (U32, lambda x, y: ((x.astype(U64) * y.astype(U64)) >> np.uint64(32)).astype(U32)),
}  # fmt: skip
FAST = {"sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp, "log": np.log, "log2": np.log2, "log10": np.log10,
        "pow": np.power, "fdivide": np.divide}  # fmt: skip
ROUNDED = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}  # to nearest only
TESTS = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "finite": np.isfinite, "signbit": np.signbit}


def _cast_all(dtype: np.dtype, function):
    return lambda env, mask, place, *values: function(*(cast(value, dtype) for value in values))


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
    for name, function in ROUNDED.items():
        table[f"d{name}_rn"], table[f"f{name}_rn"] = _cast_all(F64, function), _cast_all(F32, function)
    for name, function in TESTS.items():
        table[f"{name}d"], table[f"{name}f"] = _cast_all(F64, function), _cast_all(F32, function)
    for name, of in {"erf": "erf", "erfc": "erfc", "lgamma": "lgamma", "tgamma": "gamma"}.items():
        table[name], table[f"{name}f"] = _from_math(of, F64), _from_math(of, F32)
    for name, narrow, wide in (("popc", I32, I64), ("clz", I32, I64), ("ffs", I32, I64), ("brev", U32, U64)):
        intrinsic = bits.INTRINSICS[name]
        for label, dtype in ((name, narrow), (f"{name}ll", wide)):
            table[label] = lambda env, mask, place, value, f=intrinsic, t=dtype: f(env, mask, place, cast(value, t))
    table["float_as_int"], table["int_as_float"] = _bits_of(F32, I32), _bits_of(I32, F32)
    table["double_as_longlong"], table["longlong_as_double"] = _bits_of(F64, I64), _bits_of(I64, F64)
    return table


INTRINSICS = {f"libdevice.{name}": function for name, function in _table().items()}
